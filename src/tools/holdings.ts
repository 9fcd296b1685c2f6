import * as z from 'zod';
import type { UserFiles } from '../archive/files/user-files.ts';
import type { DocumentArea } from '../archive/references.ts';
import type { CallContext } from '../company/call-context.ts';
import { kindName } from '../documents/summary/summary.ts';
import { quoted } from '../documents/untrusted.ts';
import { filesSentences, readUserFiles } from './shared/basis.ts';
import { knownGroups, leftOutLine } from './shared/left-out-files.ts';
import { otherKindsOutput, otherKindsSentences } from './shared/memory-output.ts';
import { cursorTo, linesThatFit, readPlace } from './shared/paging.ts';

export const holdingShape = () =>
  z.object({
    company: z.string(),
    name: z.string().optional(),
    document: z.enum(['nfe', 'nfse', 'cte']),
    from: z.string().optional(),
    to: z.string().optional(),
    documents: z.int(),
  });

type HoldingOutput = z.output<ReturnType<typeof holdingShape>>;

interface Asked {
  readonly document?: DocumentArea | undefined;
  readonly cnpj?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly refresh?: boolean | undefined;
}

const placeOf = ({ company, document }: HoldingOutput) => `${company} ${document}`;

function mostFirst(one: HoldingOutput, other: HoldingOutput): number {
  return other.documents - one.documents || (placeOf(one) < placeOf(other) ? -1 : 1);
}

/** Holdings of each company asked about, including all of its files. */
async function keptHoldings(files: UserFiles | undefined, context: CallContext): Promise<HoldingOutput[]> {
  const archive = await context.company.archive();
  const owners = new Set((await archive.info()).held.map(({ company }) => company));
  for (const owner of owners) if (owner !== '' && context.company.allows(owner)) await files?.adopt(owner);
  const { held } = await archive.info();
  return held.map(({ company, area: document, first: from, last: to, documents }) => {
    return { company, document, from, to, documents };
  });
}

/** The call that would fetch the last month. */
function askFor(
  document: DocumentArea | undefined,
  company: string | undefined,
  { translator }: CallContext,
) {
  const question = { document: document ?? 'nfe', cnpj: company, from: 'last_month' };
  return translator.say(company === undefined ? 'holdings.ask_whose' : 'holdings.ask', {
    question: `list_documents ${JSON.stringify({ ...question, cnpj: company ?? '…' })}`,
  });
}

/** Holdings by company and kind with first and last day of issue, largest first. */
export async function answerHoldings(
  { document, cnpj, limit, cursor, refresh }: Asked,
  context: CallContext,
) {
  const { translator, signal } = context;
  const { say } = translator;
  const query = { tool: 'holdings', document, cnpj };
  const { offset } = await readPlace(cursor, query, context);
  const files = await context.company.files();
  await files?.ready({ deadline: context.deadline.fetchBy, signal, refresh });
  const { company: likeliest, candidates } = (await files?.whose()) ?? { company: undefined, candidates: [] };
  const company = cnpj ?? context.company.settings.cnpj ?? likeliest;
  const basis = await readUserFiles(company, context);
  const kept = await keptHoldings(files, context);
  const known = new Set(kept.map(placeOf));
  const archive = await context.company.archive();
  const filed = files === undefined ? [] : await archive.files.holdings();
  const others = filed.map(({ area, ...one }) => ({ ...one, document: area }));
  const all = [...kept, ...others.filter((one) => !known.has(placeOf(one)))]
    .filter((one) => one.company !== '' && context.company.allows(one.company))
    .filter((one) => (document ?? one.document) === one.document && (cnpj ?? one.company) === one.company)
    .sort(mostFirst);
  const { documents, left_out, files: count, other_kinds: otherModels } = await archive.files.info();
  const likely = candidates
    .filter((one) => context.company.allows(one.company))
    .map((one) => `${one.company} (${one.documents})`);
  const opening = [
    ...(context.company.hasService ? [say('holdings.basis')] : []),
    ...filesSentences(basis, company, documents, context),
    ...(files === undefined ? [] : [say('holdings.files', { count })]),
    ...knownGroups(left_out).map((group) => leftOutLine(group, translator)),
    ...(company === undefined && likely.length > 0
      ? [say('files.company_unclear', { companies: likely.join(', ') })]
      : []),
    ...otherKindsSentences(otherModels, context),
    say(all.length === 0 ? 'holdings.none' : 'holdings.some'),
    ...(all.length === 0 && context.company.hasService ? [askFor(document, company, context)] : []),
  ];
  const some = all.slice(offset, offset + limit);
  const names = await archive.partyNames(some.map((one) => one.company));
  const page = some.map(({ company: owner, ...one }) => ({
    company: owner,
    name: names.get(owner) || undefined,
    ...one,
  }));
  const lines = linesThatFit(
    opening,
    page.map(({ company: owner, name, document: area, documents: held, from = '?', to = '?' }) =>
      say('doctor.files_hold', {
        company: name === undefined ? owner : `${owner} ${quoted(name)}`,
        kind: kindName(area),
        documents: held,
        period: translator.period({ from, to }),
      }),
    ),
  );
  const next = offset + lines.length;
  const nextCursor = next < all.length ? await cursorTo({ offset: next }, query) : undefined;
  return {
    structured: {
      operation: 'holdings',
      total: all.length,
      shown: lines.length,
      next_cursor: nextCursor,
      complete: false,
      documents: [],
      holdings: page.slice(0, lines.length),
      other_kinds: otherKindsOutput(otherModels),
    },
    text: [
      ...opening,
      ...(nextCursor === undefined
        ? []
        : [
            `${say('cover.count', { total: all.length, shown: lines.length })}; ${say('cover.next', { cursor: nextCursor })}.`,
          ]),
      ...lines,
    ],
  };
}
