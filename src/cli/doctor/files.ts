import { type LeftOutReason, noneLeftOut } from '../../archive/files/left-out.ts';
import { EMPTY, type LookProgress, type LookResult } from '../../archive/files/look-over.ts';
import type { Company } from '../../company/company.ts';
import { unseenWords } from '../../company/failures.ts';
import { kindName } from '../../documents/summary/summary.ts';
import { groupsOf, knownGroups, leftOutLine } from '../../tools/shared/basis.ts';
import { progressLine } from '../progress-line.ts';
import type { PartCheck } from './report.ts';

/** Commands read files without a deadline. */
const LONGEST_READING_MS = 24 * 3_600_000;
const PACE_MS = 2_000;

/**
 * Reads the user's files completely, with progress on standard error, and assigns documents to the company that most
 * of them share. Undefined if no files are configured.
 */
export async function readUserFiles(company: Company, signal: AbortSignal): Promise<LookResult | undefined> {
  const files = await company.files();
  if (files === undefined) return undefined;
  const line = progressLine(PACE_MS);
  const onProgress = ({ read, documents }: LookProgress) =>
    line.tell(company.translator.say('files.reading_progress', { read, documents }));
  const { result } = await files
    .ready({ deadline: Date.now() + LONGEST_READING_MS, signal, onProgress })
    .finally(line.end);
  const { company: owner } = await files.whose();
  if (owner !== undefined) await files.adopt(owner);
  return result;
}

/** Reasons to skip a file that need no attention. */
const harmless: ReadonlySet<LeftOutReason> = new Set([
  'not_xml',
  'no_document',
  'other_model',
  'not_issued',
  'link',
  'special',
]);

/** Checks the user's own files: holdings by company and kind, and files without a document. */
export async function examineFiles(company: Company): Promise<PartCheck[]> {
  const { translator } = company;
  const { say } = translator;
  const files = await company.files();
  if (files === undefined) return [{ status: 'not_configured', message: say('doctor.no_files') }];
  const result = await readUserFiles(company, new AbortController().signal);
  const { files: index } = await company.archive();
  const { left_out: leftOut, ...counts } = await index.info();
  const { company: owner, candidates } = await files.whose();
  const holdings = owner === undefined ? [] : await index.holdings(owner);
  const inFolders = groupsOf(result?.odd ?? noneLeftOut);
  const notFollowed = inFolders.filter(({ reason }) => harmless.has(reason));
  const links = notFollowed.reduce((sum, { count }) => sum + count, 0);
  const isNothing = counts.documents === 0;

  const ok = (message: string): PartCheck => ({ status: 'ok', message });
  const failed = (message: string): PartCheck => ({ status: 'failed', message });
  const toLookInto = (message: string): PartCheck => ({ ...failed(message), isToBeLookedInto: true });
  const known = knownGroups(leftOut).map((group): PartCheck => {
    const line = leftOutLine(group, translator);
    return harmless.has(group.reason) ? ok(line) : toLookInto(line);
  });
  return [
    ...(result?.unseen ?? []).map((one) =>
      (one.code === EMPTY ? toLookInto : failed)(unseenWords(one, translator)),
    ),
    isNothing
      ? failed(say('doctor.files_without_documents', { files: counts.files, events: counts.events }))
      : ok(say('doctor.files_read', counts)),
    ...holdings.map(({ area, documents, from = '?', to = '?' }) => {
      const period = translator.period({ from, to });
      return ok(say('doctor.files_hold', { company: owner ?? '', kind: kindName(area), documents, period }));
    }),
    ...(owner === undefined && candidates.length > 0
      ? [
          {
            status: 'unclear',
            message: say('doctor.files_of_several', {
              companies: candidates.map((one) => `${one.company} (${one.documents})`).join(', '),
            }),
          } as const,
        ]
      : []),
    ...known,
    ...inFolders
      .filter(({ reason }) => !harmless.has(reason))
      .map((group) => toLookInto(leftOutLine(group, translator))),
    ...(links > 0 ? [ok(say('doctor.files_not_followed', { count: links }))] : []),
  ];
}
