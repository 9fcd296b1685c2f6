import * as z from 'zod';
import type { UserFiles } from '../archive/files/user-files.ts';
import { type DocumentArea, everyArea } from '../archive/references.ts';
import type { CallContext } from '../company/call-context.ts';
import {
  filesSentences,
  holdingLine,
  leftOutLine,
  otherKindsOutput,
  otherKindsSentences,
} from './shared/basis.ts';
import { sentences, texts } from './shared/definition.ts';
import { readUserFiles } from './shared/fetching.ts';
import { linesThatFit, readPlace, takePage } from './shared/paging.ts';

export const holdingShape = () =>
  z.object({
    company: z.string(),
    name: z.string().optional(),
    document: z.enum(everyArea),
    ...texts('from', 'to'),
    documents: z.int(),
  });

type HoldingOutput = z.output<ReturnType<typeof holdingShape>>;

/** A question for all holdings, or those of a kind or a company. */
interface Asked {
  readonly document?: DocumentArea | undefined;
  readonly cnpj?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly refresh?: boolean | undefined;
}

/** Holdings asked about, largest first, including those of parties known from files alone. */
async function allHoldings(
  files: UserFiles | undefined,
  { document, cnpj }: Asked,
  { company: { allows, archive: open } }: CallContext,
): Promise<HoldingOutput[]> {
  const archive = await open();
  const isMeant = (owner: string) => owner !== '' && allows(owner);
  const owners = new Set((await archive.info()).held.map(({ company }) => company));
  for (const owner of owners) if (isMeant(owner)) await files?.adopt(owner);
  const { held } = await archive.info();
  const filed = files === undefined ? [] : await archive.files.holdings();
  // A holding in the archive replaces the one from files of the same company and kind.
  const byPlace = new Map([...filed, ...held].map((one) => [`${one.company} ${one.area}`, one]));
  return [...byPlace]
    .sort(([place, one], [other, { documents }]) => documents - one.documents || (place < other ? -1 : 1))
    .map(([, { area, ...one }]) => ({ ...one, document: area }))
    .filter(({ company, document: kind }) => isMeant(company) && (document ?? kind) === kind)
    .filter(({ company }) => (cnpj ?? company) === company);
}

/** Holdings by company and kind with first and last day of issue, largest first. */
export async function answerHoldings(asked: Asked, context: CallContext) {
  const { document, cnpj, limit: size, cursor, refresh } = asked;
  const { translator, signal } = context;
  const { allows, hasService, settings } = context.company;
  const { say } = translator;
  const query = { tool: 'holdings', document, cnpj };
  const place = await readPlace(cursor, query, context);
  const files = await context.company.files();
  await files?.ready({ deadline: context.deadline.fetchBy, signal, refresh });
  const { company: likeliest, candidates = [] } = (await files?.whose()) ?? {};
  const company = cnpj ?? settings.cnpj ?? likeliest;
  const basis = await readUserFiles(company, context);
  const all = await allHoldings(files, asked, context);
  const archive = await context.company.archive();
  const { documents, left_out, files: count, other_kinds: otherModels } = await archive.files.info();
  const likely = candidates.filter((one) => allows(one.company));
  const companies = likely.map((one) => `${one.company} (${one.documents})`).join(', ');
  const question = { document: document ?? 'nfe', cnpj: company ?? '<CNPJ>', from: 'last_month' };
  const opening = sentences(
    hasService && say('holdings.basis'),
    filesSentences(basis, company, documents, context),
    files !== undefined && say('holdings.files', { count }),
    left_out.map((group) => leftOutLine(group, translator)),
    company === undefined && likely.length > 0 && say('files.company_unclear', { companies }),
    otherKindsSentences(otherModels, translator),
    say(all.length === 0 ? 'holdings.none' : 'holdings.some'),
    all.length === 0 &&
      hasService &&
      say('holdings.ask', { question: `list_documents ${JSON.stringify(question)}` }),
  );
  const some = all.slice(place.offset, place.offset + size);
  const names = await archive.partyNames(some.map((one) => one.company));
  const page = some.map((one) => ({ ...one, name: names.get(one.company) || undefined }));
  const lines = linesThatFit(
    opening,
    page.map(({ document: area, ...one }) => holdingLine({ ...one, area }, translator)),
  );
  const counts = { total: all.length, shown: lines.length };
  const places = all.map(({ company: owner, document: area }) => [owner, area]);
  const { nextCursor: next_cursor } = await takePage({ items: places, limit: lines.length, place, query });
  return {
    structured: {
      operation: 'holdings',
      ...counts,
      next_cursor,
      complete: false,
      documents: [],
      holdings: page.slice(0, lines.length),
      other_kinds: otherKindsOutput(otherModels),
    },
    text: sentences(
      opening,
      next_cursor !== undefined &&
        `${say('cover.count', counts)}; ${say('cover.next', { cursor: next_cursor })}.`,
      lines,
    ),
  };
}
