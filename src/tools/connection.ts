import * as z from 'zod';
import type { CallContext } from '../company/call-context.ts';
import { accountSetup, NotConfigured } from '../company/credentials.ts';
import { explainFailure, notConfigured } from '../company/failures.ts';
import { readTool, sentences } from './shared/definition.ts';
import { shared } from './shared/parameters.ts';

/** State of the archive, with its problem if it can't be used. */
async function archiveState({ company, translator }: CallContext) {
  try {
    await company.archive();
    return { sums: true };
  } catch (error) {
    const problem = explainFailure(error, translator);
    if (problem === undefined) throw error;
    return { sums: false, problem };
  }
}

/** The documents service. Not configured is fine when files are. */
async function documentsState({ company, translator, signal }: CallContext) {
  const { say } = translator;
  let client: Awaited<ReturnType<typeof company.documents>>;
  try {
    client = await company.documents();
  } catch (error) {
    if (!(error instanceof NotConfigured) || (await company.files()) === undefined) throw error;
    return {
      state: undefined,
      text: [notConfigured('doctor.documents', error.variables, translator), say('connection.files')],
    };
  }
  const answer = await client.call('connectivity', {}, { signal });
  const reachable = say('connection.reachable', { answer });
  try {
    const login = await client.call('login', {}, { signal });
    const said = say('connection.login', { answer: login ?? 'null' });
    return { state: { answer, login }, text: [reachable, said] };
  } catch (error) {
    const words = explainFailure(error, translator);
    if (words === undefined || signal.aborted) throw error;
    return {
      state: { answer, login_error: words },
      text: [reachable, say('connection.login_failed', { words })],
    };
  }
}

export const checkConnection = readTool({
  name: 'check_connection',
  group: 'documents',
  description: 'Check that the documents service answers and accepts the credentials.',
  input: () => z.strictObject({}),
  output: () =>
    z.object({
      documents: z
        .object({
          answer: z.string().describe('What the connectivity test answered'),
          login: z.int().optional().describe('What Login answered; its meaning is not documented'),
          login_error: z.string().optional(),
        })
        .optional(),
      account: z.object({ configured: z.boolean(), missing: z.array(z.string()) }),
      archive: z.object({
        sums: z.boolean().describe('Whether query_documents can add up'),
        problem: z.string().optional(),
      }),
      views: z.boolean().describe('Whether this client gets views'),
    }),
  async run(_args, context) {
    const { company, translator, hasViews } = context;
    const documents = await documentsState(context);
    // The account service is not called: it has no read operation.
    const setup = accountSetup(company.settings);
    const lacking = 'auth' in setup ? [] : setup.missing;
    const missing = lacking.map((one) => translator.variables([one]));
    const archive = await archiveState(context);
    return {
      structured: {
        documents: documents.state,
        account: { configured: 'auth' in setup, missing },
        ...{ archive, views: hasViews },
      },
      text: sentences(
        documents.text,
        'auth' in setup
          ? translator.say('connection.account_configured', { way: setup.auth.type })
          : notConfigured('doctor.account', lacking, translator),
        archive.problem !== undefined && `⚠ ${archive.problem}`,
        hasViews
          ? translator.say('connection.views')
          : translator.say('connection.no_views', { setting: company.settings.apps }),
      ),
    };
  },
});

export const renewSasUrl = readTool({
  name: 'renew_sas_url',
  group: 'documents',
  description: 'Exchange an expired shared-access (SAS) URL of the service for a new one.',
  input: () => z.strictObject({ old_url: shared.url() }),
  output: () => z.object({ url: z.string().describe('Gives access to the file: treat as a secret') }),
  async run({ old_url: oldUrl }, { company, translator, signal }) {
    const client = await company.documents();
    const url = await client.call('renewSasUrl', { oldUrl }, { signal });
    return { structured: { url }, text: [translator.say('url.renewed', { url })] };
  },
});
