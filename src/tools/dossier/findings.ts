import { spreadsheetOf } from '../../archive/export/xlsx.ts';
import type { CallContext } from '../../company/call-context.ts';
import { type Given, refuseFilters } from '../export-arguments.ts';
import { findingsTable, type ReconcileOutput } from '../reconcile/answer.ts';
import { reconcile } from '../reconcile/reconcile.ts';
import { createReconcileWords } from '../reconcile/words.ts';
import { unfit } from '../shared/arguments.ts';
import { savedSentences, saveExport } from '../shared/exported-file.ts';
import { type AllPages, askAllPages, cursorTo, readPlace, refreshSince } from '../shared/paging.ts';
import { EVERY_COMPANY } from '../shared/parameters.ts';
import { dossierWords } from './page.ts';

/** All pages of the findings of `reconcile` in these files. @throws BadArguments for several companies */
export function askReconcile(
  { reconcile_files: file, cnpj, from, to }: Given,
  context: CallContext,
): Promise<AllPages<ReconcileOutput>> {
  // Of all companies: of the establishments that the files name.
  const [company, ...others] = cnpj?.includes(EVERY_COMPANY) ? [] : (cnpj ?? []);
  if (others.length > 0) {
    throw unfit('cnpj', dossierWords(context.translator)('dossier.one_company'), context);
  }
  return askAllPages(reconcile, { file, cnpj: company, from, to }, 'findings', context);
}

/** Saves what `reconcile` finds as a table. */
export async function exportFindings(args: Given, context: CallContext) {
  const { translator } = context;
  const say = dossierWords(translator);
  refuseFilters(args, say('dossier.not_taken', { what: 'reconcile_files' }), context);
  const { cursor, ...query } = args;
  const place = await readPlace(cursor, query, context);
  const since = refreshSince(args.refresh, place, context);
  const found = await askReconcile(args, context);
  const { findings, files, next_cursor: _, ...answer } = found.answer;
  const { company, from, to, documents, complete, total } = answer;
  const basis = { company, from, to, documents, complete };
  if (found.isWaiting) {
    const next = await cursorTo({ offset: 0, asOf: since?.toISOString() }, query);
    return {
      structured: { ...basis, rows: 0, bytes: 0, next_cursor: next },
      text: [...savedSentences(undefined, context), translator.say('cover.next', { cursor: next })],
    };
  }
  const reconcileWords = createReconcileWords(translator);
  const facts = () => [
    [translator.say('export.company'), company] as const,
    ...files.map(({ file, notes }) => [file, notes.join('; ')] as const),
    ...answer.not_compared.map(({ reason, count }) => [`${count} ${reconcileWords.left(reason)}`] as const),
    ...found.warnings.map((sentence) => [sentence] as const),
  ];
  const table = findingsTable(reconcileWords);
  const name = ['conferencia', company.replaceAll(', ', '+'), from, to].filter((part) => part !== '');
  const rows = findings.length;
  const saved = await saveExport(
    { name: name.join('-'), ending: args.format },
    spreadsheetOf(args.format, findings, table, translator.language, facts),
    () => [from, to, total, rows].join(' '),
    context,
  );
  const { bytes } = saved;
  return {
    structured: { ...answer, ...basis, ...saved.place, rows, bytes },
    text: [
      ...found.warnings,
      ...savedSentences(saved, context),
      `${translator.say('analysis.exporting', { rows })}.`,
      ...(total > rows ? [say('dossier.not_all', { kept: rows, total })] : []),
    ],
  };
}
