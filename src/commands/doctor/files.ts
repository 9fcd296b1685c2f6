import type { LookProgress } from '../../archive/files/look-over.ts';
import { noneLeftOut } from '../../archive/files/reading/left-out.ts';
import type { LeftOutOfFiles } from '../../archive/store/files/file-index.ts';
import { kindName } from '../../messages/kinds.ts';
import type { Services } from '../../services/services.ts';
import { oddIn, oddLines } from '../archive-import.ts';
import { progressLine } from '../progress-line.ts';
import type { PartCheck } from './report.ts';

/** Nobody waits for an answer: the files are read to the end. */
const LONGEST_READING = 24 * 3_600_000;
/** Milliseconds between two plain lines of progress. */
const PACE = 2_000;
/** Files named for each reason. */
const MOST_NAMED = 5;

function named({ reason, count, examples }: LeftOutOfFiles) {
  const names = examples
    .slice(0, MOST_NAMED)
    .map(({ path, place }) => (place === undefined ? path : `${path}: ${place}`));
  return { reason, count, named: names };
}

/** What the user's own files hold: for which company, what of each kind, and what gave no document and why. */
export async function examineFiles(services: Services): Promise<PartCheck[]> {
  const { translator } = services;
  const { say } = translator;
  const files = await services.files();
  if (files === undefined) return [{ status: 'not_configured', message: say('doctor.no_files') }];
  const signal = new AbortController().signal;
  const line = progressLine(PACE);
  const onProgress = ({ read, documents }: LookProgress) =>
    line.tell(say('files.reading_progress', { read, documents }));
  const { result } = await files
    .ready({ deadline: Date.now() + LONGEST_READING, signal, onProgress })
    .finally(line.end);
  const { files: index } = await services.archive();
  const info = await index.info();
  const { company, candidates } = await files.whose();
  const holdings = company === undefined ? [] : await index.holdings(company);
  const odd = oddIn(result?.odd ?? noneLeftOut);
  const isLink = ({ reason }: (typeof odd)[number]) => reason === 'link' || reason === 'special';
  const links = odd.filter(isLink).reduce((sum, { count }) => sum + count, 0);
  const whose = candidates.map((one) => `${one.company} (${one.documents})`).join(', ');
  return [
    ...(result?.unseen ?? []).map(
      ({ path, code }): PartCheck => ({
        status: 'failed',
        message: say('files.unseen', { path, code }),
      }),
    ),
    {
      status: 'ok',
      message: say('doctor.files_read', {
        files: info.files,
        documents: info.documents,
        events: info.events,
      }),
    },
    ...holdings.map(
      ({ area, documents, from = '?', to = '?' }): PartCheck => ({
        status: 'ok',
        message: say('doctor.files_hold', {
          company: company ?? '',
          kind: kindName(area),
          documents,
          period: translator.period({ from, to }),
        }),
      }),
    ),
    ...(company === undefined && candidates.length > 0
      ? [{ status: 'unclear', message: say('doctor.files_of_several', { companies: whose }) } as const]
      : []),
    ...oddLines(info.left_out.map(named), translator).map(
      (message): PartCheck => ({ status: 'ok', message }),
    ),
    ...oddLines(
      odd.filter((one) => !isLink(one)),
      translator,
    ).map((message): PartCheck => ({ status: 'unclear', message })),
    ...(links > 0
      ? [{ status: 'ok', message: say('doctor.files_not_followed', { count: links }) } as const]
      : []),
  ];
}
