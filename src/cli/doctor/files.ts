import { type LeftOutReason, noneLeftOut } from '../../archive/files/left-out.ts';
import { EMPTY } from '../../archive/files/look-over.ts';
import type { Company } from '../../company/company.ts';
import { unseenWords } from '../../company/failures.ts';
import { kindName } from '../../documents/summary/summary.ts';
import { groupsOf, knownGroups, leftOutLine } from '../../tools/shared/left-out-files.ts';
import { readUserFiles } from '../user-files.ts';
import type { PartCheck } from './report.ts';

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
