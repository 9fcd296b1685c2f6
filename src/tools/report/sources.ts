import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { CallContext } from '../../company/call-context.ts';
import { version } from '../../config/version.ts';
import { oneLine } from '../../documents/untrusted.ts';
import type { Row } from '../../page/page.ts';
import type { Section } from '../../report/model.ts';
import { column, present } from '../pages/voice.ts';
import { createReconcileWords } from '../reconcile/answer.ts';
import { isUnderWay, type ReportVoice, type Sums } from './asking.ts';
import type { Answers } from './summary.ts';

/** The SHA-256 of a file that was reconciled; undefined where it is no longer there. */
async function digestOf(path: string, { company, signal }: CallContext): Promise<string | undefined> {
  const { findWithin } = await import('../../archive/files/folders.ts');
  const place = findWithin(await company.listFolders(), path);
  if (place === undefined) return undefined;
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(place, { signal })) hash.update(chunk);
  return `sha256 ${hash.digest('hex')}`;
}

/** A section of labelled texts. */
function labelled(id: 'incomplete' | 'sources', rows: readonly Row[], { report }: ReportVoice): Section {
  const title = report(`section.${id}`);
  const columns = [column('about', '', 'code', 'name'), column('text', '', 'text', 'below')];
  const table = { layout: 'rows', caption: title, columns, rows } as const;
  return { id, title, blocks: [rows.length === 0 ? report('incomplete.none') : table] };
}

/** Caveats that the figures don't show. */
export function incompleteSection(
  { asked, totals, pending, checks, books, isFilesAlone }: Answers,
  basisWarnings: readonly string[],
  voice: ReportVoice,
): Section {
  const { report, day, period } = voice;
  const words = createReconcileWords(voice);
  const others = (remarks: readonly string[] = []) => remarks.filter((one) => !basisWarnings.includes(one));
  const compared = Object.values(totals).flatMap((one) => (one.complete ? (one.compared_with ?? []) : []));
  const [before] = compared;
  const lacksBefore = compared.some(({ complete }) => !complete);
  const texts = {
    period: present(
      isUnderWay(asked) && report('under_way', { at: day(asked.today) }),
      isFilesAlone && report('files_warning'),
      ...basisWarnings,
    ),
    comparison: present(
      lacksBefore && before && report('incomplete.not_compared', { before: period(before) }),
    ),
    manifestation: others(pending?.remarks),
    checks: others(checks.remarks),
    reconciliation:
      books === undefined
        ? [report('reconciliation.not_done')]
        : [
            ...others(books.remarks),
            ...books.not_compared.map(({ reason, count }) => `${count} ${words.left(reason)}`),
          ],
  } as const;
  const names = ['period', 'comparison', 'manifestation', 'checks', 'reconciliation'] as const;
  const rows = names.flatMap((name) =>
    texts[name].map((text): Row => ({ cells: { about: `${report(`incomplete.${name}`)}:`, text } })),
  );
  return labelled('incomplete', rows, voice);
}

/** Sources of the report, with date and digest. */
export async function sourcesSection(
  { totals: { purchases, sales }, books }: Answers,
  sentences: readonly string[],
  voice: ReportVoice,
  context: CallContext,
): Promise<Section> {
  const { report, money, day, period } = voice;
  const row = (name: 'documents' | 'file' | 'before' | 'made', text: string, digest?: string): Row => ({
    cells: { about: report(`sources.${name}`), text },
    ...(digest !== undefined && { details: { text: digest } }),
  });
  const files = await Promise.all(
    (books?.files ?? []).map(async ({ file, generated_at: at }) => {
      const generated = at === undefined ? '' : `, ${day(at.slice(0, 10))}`;
      return row('file', `${oneLine(file)}${generated}`, await digestOf(file, context));
    }),
  );
  const earlier = purchases?.compared_with;
  const previous = (sums: Sums | undefined) => {
    const total = sums?.sums[0]?.previous?.total;
    return total === undefined ? '–' : money(total);
  };
  const before = earlier?.complete && {
    days: period(earlier),
    purchases: previous(purchases),
    sales: previous(sales),
  };
  const rows = present<Row>(
    row('documents', sentences.join(' ')),
    ...files,
    before && row('before', report('sources.before_text', before)),
    row('made', `docfiscal-mcp ${version}`),
  );
  return labelled('sources', rows, voice);
}
