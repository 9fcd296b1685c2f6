import { basename } from 'node:path';
import { writeCsv, writeXlsx } from '../../archive/export/index.ts';
import type { DocumentArea } from '../../archive/references.ts';
import type { CallContext } from '../../company/call-context.ts';
import { BadArguments } from '../../company/failures.ts';
import { reconcile } from '../reconcile.ts';
import { type AllPages, askAllPages } from '../shared/all-pages.ts';
import { placeOf, saveExport } from '../shared/exported-file.ts';
import { type FindingRow, findingsTable } from '../shared/findings-table.ts';
import { cursorTo, readPlace, refreshSince } from '../shared/paging.ts';
import { EVERY_COMPANY } from '../shared/parameters.ts';
import type { ReconcileOutput } from '../shared/reconcile-output.ts';
import { createReconcileWords } from '../shared/reconcile-words.ts';
import { linkSentence } from '../shared/saved-files.ts';
import { createDossierWords, type DossierWords } from './words.ts';

/** Arguments that findings need no period with. */
type FindingsArguments = Omit<ExportArguments, 'from'> & { readonly from?: string | undefined };

/** The arguments of an export that is more than a table of documents, and those that it does not take. */
export interface ExportArguments {
  readonly document?: readonly DocumentArea[] | undefined;
  readonly cnpj?: readonly string[] | undefined;
  readonly from: string;
  readonly to?: string | undefined;
  readonly format: string;
  readonly reconcile_files?: readonly string[] | undefined;
  readonly cursor?: string | undefined;
  readonly refresh?: boolean | undefined;
  readonly direction?: 'inbound' | 'outbound' | undefined;
  readonly by: string;
  readonly rows: string;
  readonly issuer?: unknown;
  readonly recipient?: unknown;
  readonly payer?: unknown;
  readonly status?: unknown;
}

/** @throws BadArguments for what would make a part of the documents look like all of them */
export function refuseFilters(
  args: FindingsArguments,
  { say }: DossierWords,
  what: string,
  { translator }: CallContext,
): void {
  const { issuer, recipient, payer, status, by, rows } = args;
  const given = Object.entries({ issuer, recipient, payer, status }).filter(
    ([, value]) => value !== undefined,
  );
  const names = [
    ...given.map(([name]) => name),
    ...(by === 'issue' ? [] : ['by']),
    ...(rows === 'documents' ? [] : ['rows']),
  ];
  if (names.length === 0) return;
  const words = say('not_taken', { what });
  throw new BadArguments(names.map((argument) => translator.say('argument.problem', { argument, words })));
}

/** What `reconcile` finds in these files, all its pages. @throws BadArguments for several companies */
export function askReconcile(
  {
    reconcile_files: file,
    cnpj,
    from,
    to,
  }: Pick<FindingsArguments, 'reconcile_files' | 'cnpj' | 'from' | 'to'>,
  context: CallContext,
): Promise<AllPages<FindingRow>> {
  // Of all companies: of the establishments that the files name.
  const [company, ...others] = cnpj?.includes(EVERY_COMPANY) ? [] : (cnpj ?? []);
  if (others.length > 0) {
    const words = createDossierWords(context.translator).say('one_company');
    throw new BadArguments([context.translator.say('argument.problem', { argument: 'cnpj', words })]);
  }
  return askAllPages<FindingRow>(reconcile, { file, cnpj: company, from, to }, 'findings', context);
}

/** Saves what `reconcile` finds as a table. */
export async function exportFindings(args: FindingsArguments, context: CallContext) {
  const { translator } = context;
  const words = createDossierWords(translator);
  refuseFilters(args, words, 'reconcile_files', context);
  const { cursor, ...query } = args;
  const place = await readPlace(cursor, query, context);
  const since = refreshSince(args.refresh, place, context);
  const found = await askReconcile(args, context);
  const { findings: _, files, next_cursor: __, ...answer } = found.first as unknown as ReconcileOutput;
  const total = Number(answer.total ?? 0);
  const { company, from, to, documents, complete } = answer;
  const basis = { company, from, to, documents, complete };
  if (found.isWaiting) {
    const next = await cursorTo({ offset: 0, asOf: since?.toISOString() }, query);
    return {
      structured: { ...basis, rows: 0, bytes: 0, next_cursor: next },
      text: [words.say('findings_wait'), translator.say('cover.next', { cursor: next })],
    };
  }
  const about = files.map(({ file, notes }) => [file, notes.join('; ')] as const);
  const facts = () => [
    [translator.say('export.company'), company] as const,
    ...about,
    ...(answer.not_compared ?? []).map(
      ({ reason, count }) => [`${count} ${createReconcileWords(translator).left(reason)}`] as const,
    ),
    ...found.warnings.map((sentence) => [sentence] as const),
  ];
  const table = findingsTable(createReconcileWords(translator));
  const name = ['conferencia', company.replaceAll(', ', '+'), from, to]
    .filter((part) => part !== '')
    .join('-');
  const file = await saveExport(name, context, (options) =>
    args.format === 'csv'
      ? writeCsv(found.rows, table, options)
      : writeXlsx(found.rows, table, { ...options, facts }),
  );
  const { path, link } = await placeOf(file, [from, to, total, file.rows].join(' '), context);
  return {
    structured: { ...answer, ...basis, path, url: link?.url, rows: file.rows, bytes: file.bytes },
    text: [
      ...found.warnings,
      words.say('findings_saved', {
        path: link === undefined ? file.path : basename(file.path),
        rows: file.rows,
        bytes: file.bytes,
      }),
      ...(total > file.rows ? [words.say('not_all', { kept: file.rows, total })] : []),
      ...(link === undefined ? [] : [linkSentence(link, translator)]),
    ],
  };
}
