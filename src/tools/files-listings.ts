import * as z from 'zod';
import type { Listed } from '../archive/memory/listings.ts';
import type { StoredDocument } from '../archive/store/archive.ts';
import type { LeftOut } from '../archive/store/ask/question.ts';
import type { Direction } from '../clients/tax-documents/wire-formats.ts';
import type { ToolAnswer } from '../mcp/definition.ts';
import { statuses } from '../mcp/filters.ts';
import { kindName } from '../messages/kinds.ts';
import type { CallContext } from '../services/call-context.ts';
import { type FilesBasis, filesSentences, readUserFiles } from '../services/files-basis.ts';

/** Milliseconds that a list waits for the files to be read. */
const LONGEST_READING = 30_000;
/** More documents than a list by moments of a day can have. */
const ALL = 1_000_000;

/** What is asked of the files. */
export interface FilesQuestion {
  readonly asked: Listed;
  readonly direction: Direction | undefined;
  readonly approvedOnly?: boolean | undefined;
  /** Whether only what the service did not give is wanted. */
  readonly besideService: boolean;
  readonly limit: number;
  readonly offset: number;
  readonly refresh?: boolean | undefined;
}

/** A page of what the user's files hold. */
export interface FilesPage {
  readonly documents: readonly StoredDocument[];
  readonly total: number;
  readonly leftOut: readonly LeftOut[];
  readonly basis: FilesBasis;
}

/** Whether lists by day of issue come from the user's files alone, since there is no service to ask. */
export async function isFromFilesAlone({ services }: CallContext, by: Listed['by']): Promise<boolean> {
  return !services.hasService && by === 'issue' && (await services.files()) !== undefined;
}

/** A page of the documents that the files hold of a period; undefined where no files are configured. */
export async function listFromFiles(
  question: FilesQuestion,
  context: CallContext,
): Promise<FilesPage | undefined> {
  const { asked, direction, approvedOnly = false, besideService, limit, offset, refresh } = question;
  const { company, area, by, from, to } = asked;
  const deadline = Date.now() + LONGEST_READING;
  const basis = await readUserFiles(company, { deadline, refresh }, context);
  if (basis === undefined) return undefined;
  const archive = await context.services.archive();
  const filters = {
    status: approvedOnly ? (['authorized'] as const) : statuses,
    ...(besideService ? { source: ['files'] as const } : {}),
  };
  const selection = { company, area, by, from: from.date, to: to.date, direction, filters };
  const isWhole = from.time === '00:00:00' && to.time >= '23:59:59';
  if (isWhole) {
    const { documents, total, left_out: leftOut } = await archive.list({ ...selection, limit, offset });
    return { documents, total, leftOut, basis };
  }
  const { documents, left_out: leftOut } = await archive.list({ ...selection, limit: ALL });
  const [first, last] = [`${from.date}T${from.time}`, `${to.date}T${to.time}`];
  const within = documents.filter(({ summary }) => {
    const moment = summary.issued_at?.slice(0, 19) ?? '';
    return moment.length < 19 || (moment >= first && moment <= last);
  });
  return { documents: within.slice(offset, offset + limit), total: within.length, leftOut, basis };
}

/** What of the period is not in the list, and why. */
export function leftOutSentences(leftOut: readonly LeftOut[], { translator }: CallContext): string[] {
  const words = leftOut
    .filter(({ count }) => count > 0)
    .map(({ reason, count }) => translator.say(`left_out.${reason}`, { count }));
  return words.length === 0 ? [] : [translator.say('analysis.left_out', { words: words.join(', ') })];
}

export const holdingShape = () =>
  z.object({
    company: z.string(),
    document: z.enum(['nfe', 'nfse', 'cte']),
    from: z.string().optional(),
    to: z.string().optional(),
    documents: z.int(),
  });

type HoldingOutput = z.output<ReturnType<typeof holdingShape>>;

/** The parts that every list has, with nothing listed. */
interface HoldingsAnswer {
  operation: string;
  total: number;
  shown: number;
  complete: boolean;
  documents: never[];
  holdings: HoldingOutput[];
}

const mostFirst = (one: HoldingOutput, other: HoldingOutput): number =>
  other.documents - one.documents ||
  (`${one.company} ${one.document}` < `${other.company} ${other.document}` ? -1 : 1);

/** What is there: by company and kind, from which day of issue to which. */
export async function answerHoldings(
  { document, cnpj }: { document?: HoldingOutput['document'] | undefined; cnpj?: string | undefined },
  context: CallContext,
): Promise<ToolAnswer<HoldingsAnswer>> {
  const { services, translator } = context;
  const files = await services.files();
  const company = cnpj ?? services.settings.cnpj ?? (files && (await companyIn(context)));
  const basis =
    company === undefined
      ? undefined
      : await readUserFiles(company, { deadline: Date.now() + LONGEST_READING }, context);
  const archive = await services.archive();
  const candidates = files === undefined ? [] : (await files.whose()).candidates;
  const allowed = candidates.filter((one) => services.allows(one.company));
  await placeInFull(company === undefined ? allowed.map((one) => one.company) : [], context);
  const { held } = await archive.info();
  const holdings = held
    .filter(
      (one) =>
        one.company !== '' &&
        services.allows(one.company) &&
        (document ?? one.area) === one.area &&
        (cnpj ?? one.company) === one.company,
    )
    .map(({ company: owner, area, documents, first, last }) => ({
      company: owner,
      document: area,
      from: first,
      to: last,
      documents,
    }))
    .sort(mostFirst);
  const { left_out: leftOut, files: count } = await archive.files.info();
  const odd = leftOut.reduce((sum, one) => sum + one.count, 0);
  const others = allowed
    .filter((one) => one.company !== company)
    .map((one) => `${one.company} (${one.documents})`);
  return {
    structured: {
      operation: 'holdings',
      total: holdings.length,
      shown: holdings.length,
      complete: false,
      documents: [],
      holdings,
    },
    text: [
      translator.say(holdings.length === 0 ? 'holdings.none' : 'holdings.some'),
      ...holdings.map(({ company: owner, document: kind, documents, from = '?', to = '?' }) =>
        translator.say('doctor.files_hold', {
          company: owner,
          kind: kindName(kind),
          documents,
          period: translator.period({ from, to }),
        }),
      ),
      ...(company === undefined
        ? []
        : filesSentences(
            basis,
            company,
            holdings.reduce((sum, one) => sum + one.documents, 0),
            context,
          )),
      ...(files === undefined ? [] : [translator.say('holdings.files', { count, odd })]),
      ...(others.length === 0
        ? []
        : [
            translator.say(company === undefined ? 'files.company_unclear' : 'holdings.others', {
              companies: others.join(', '),
            }),
          ]),
    ],
  };
}

/**
 * Places all that the files have of the given companies and of those that some documents are placed for already: while
 * files were read, the company they seemed to be about may have changed, and its count would be part of what there is.
 */
async function placeInFull(companies: readonly string[], { services }: CallContext): Promise<void> {
  const files = await services.files();
  if (files === undefined) return;
  const { held } = await (await services.archive()).info();
  const owners = new Set([...companies, ...held.map(({ company }) => company)]);
  for (const owner of owners) {
    if (owner !== '' && services.allows(owner)) await files.adopt(owner);
  }
}

/** The company that most files share, where there is one: what is there is told also where there is none. */
async function companyIn({ services, signal }: CallContext): Promise<string | undefined> {
  const files = await services.files();
  await files?.ready({ deadline: Date.now() + LONGEST_READING, signal });
  return (await files?.whose())?.company;
}
