import { basename } from 'node:path';
import type { StoredDocument } from '../../archive/archive.ts';
import { type DossierFile, writeDossier } from '../../archive/export/index.ts';
import type { DocumentArea } from '../../archive/references.ts';
import { everyStatus } from '../../archive/references.ts';
import type { CallContext } from '../../company/call-context.ts';
import { explainFailure, Unfulfilled } from '../../company/failures.ts';
import { version } from '../../config/version.ts';
import { maskTaxId } from '../../documents/identity/tax-ids.ts';
import { kindName } from '../../documents/summary/summary.ts';
import type { JournalEntry } from '../../writes/journal.ts';
import { checkDocuments, type FindingOutput } from '../check.ts';
import { type AllPages, askAllPages } from '../shared/all-pages.ts';
import { basisOutput, basisSentences, jointBasis, subjectLine } from '../shared/basis.ts';
import { placeOf, saveExport } from '../shared/exported-file.ts';
import { type FindingRow, findingsTable } from '../shared/findings-table.ts';
import { cursorTo } from '../shared/paging.ts';
import { companiesInName, fetchParts, openQuestion, type Part } from '../shared/question.ts';
import { createReconcileWords } from '../shared/reconcile-words.ts';
import { linkSentence } from '../shared/saved-files.ts';
import type { XmlProgress } from '../shared/xml-files.ts';
import { type DossierRow, documentFiles } from './documents.ts';
import { askReconcile, type ExportArguments, refuseFilters } from './findings.ts';
import { indexPage } from './page.ts';
import { checksCsv, eventsCsv, indexCsv, journalCsv, reconcileCsv } from './tables.ts';
import { createDossierWords, type DossierWords } from './words.ts';

const everyKind: readonly DocumentArea[] = ['nfe', 'nfse', 'cte'];

/** What is left for the tables, the journal and the disk when no more documents are taken. */
const TIME_TO_FINISH_MS = 4_000;
/** Documents of one dossier: its tables are held until it is written. */
const MOST_DOCUMENTS = 20_000;

interface Found {
  readonly checks: AllPages<FindingOutput>;
  readonly reconciled: AllPages<FindingRow> | undefined;
}

/** Documents of all parts one after the other, but for the first so many, and not more than one dossier takes. */
async function* readAll(parts: readonly (Part & { total: number })[], offset: number) {
  let [left, room] = [offset, MOST_DOCUMENTS];
  for (const { selection, basis, total } of parts) {
    if (left < total)
      for await (const document of basis.archive.read(selection, left)) {
        if (room-- <= 0) return;
        yield document;
      }
    left = Math.max(0, left - total);
  }
}

interface Journalled {
  readonly entries: readonly JournalEntry[];
  /** Why the journal could not be read, in words. */
  readonly failure?: string;
}

/** Writes about these documents. A journal that can't be read is no reason to be without the documents. */
async function writesOf(
  rows: readonly DossierRow[],
  { company, translator }: CallContext,
): Promise<Journalled> {
  const keys = [...new Set(rows.flatMap(({ summary }) => summary.key ?? []))];
  if (keys.length === 0) return { entries: [] };
  try {
    const { journal } = await company.writeGuards();
    return { entries: await journal.history({ keys }) };
  } catch (error) {
    const failure = explainFailure(error, translator);
    if (failure === undefined) throw error;
    return { entries: [], failure };
  }
}

/** The dossier as its files and page tell it. */
interface Contents extends Found {
  readonly rows: readonly DossierRow[];
  readonly writes: Journalled;
}

const countEvents = (rows: readonly DossierRow[]) => rows.reduce((sum, { events }) => sum + events.length, 0);

/** Its tables and its page, in the order of the ZIP. */
function tableFiles(
  { rows, checks, reconciled, writes }: Contents,
  facts: readonly (readonly [string, string])[],
  basis: readonly string[],
  words: DossierWords,
  { translator }: CallContext,
): DossierFile[] {
  const { say } = words;
  const { columns } = findingsTable(createReconcileWords(translator));
  const tables = [
    ['index.csv', say('table.index'), indexCsv(rows, words)],
    ['events.csv', say('table.events', { count: countEvents(rows) }), eventsCsv(rows, words)],
    ['checks.csv', say('table.checks', { count: checks.rows.length }), checksCsv(checks.rows, words)],
    ...(reconciled === undefined
      ? []
      : [
          [
            'reconcile.csv',
            say('table.reconcile', { count: reconciled.rows.length }),
            reconcileCsv(reconciled.rows, columns, words),
          ] as const,
        ]),
    ...(writes.failure === undefined
      ? [
          [
            'journal.csv',
            say('table.journal', { count: writes.entries.length }),
            journalCsv(writes.entries, words),
          ] as const,
        ]
      : []),
  ] as const;
  const page = { facts, basis, rows, tables: tables.map(([name, about]) => [name, about] as const) };
  return [
    { name: 'index.html', content: indexPage(page, words, translator) },
    ...tables.map(([name, , content]) => ({ name, content })),
  ];
}

/** How many documents have each result. */
function resultCounts(rows: readonly DossierRow[]) {
  const count = (isCounted: (row: DossierRow) => boolean) => rows.filter(isCounted).length;
  return {
    unchanged: count(({ content }) => content?.result === 'unchanged'),
    changed: count(({ content }) => content?.result === 'changed'),
    unknown: count(({ content }) => content === undefined || content.result === 'unknown'),
    confirmed: count(({ authorization }) => authorization?.result === 'confirmed'),
    contradicted: count(({ authorization }) => authorization?.result === 'contradicted'),
    unconfirmed: count(
      ({ authorization }) => !['confirmed', 'contradicted'].includes(authorization?.result ?? ''),
    ),
  };
}

/** A sentence for a table that holds not all findings. */
function shortSentences({ first, rows }: AllPages<unknown>, { say }: DossierWords): string[] {
  const total = Number(first.total ?? rows.length);
  return total > rows.length ? [say('not_all', { kept: rows.length, total })] : [];
}

const MOST_NAMED = 10;

/** Saves one ZIP of a period that can be verified later: documents, their results, events, findings and writes. */
export async function exportDossier(given: ExportArguments, context: CallContext) {
  const { translator, deadline } = context;
  const words = createDossierWords(translator);
  refuseFilters(given, words, 'dossier', context);
  const args = { ...given, document: given.document ?? everyKind };
  const question = await openQuestion(args, {}, context);
  const { days, companies, company, areas, query, place, since } = question;
  const asked = { companies, areas, ...days, by: 'issue', direction: args.direction } as const;
  const fetched = await fetchParts(asked, context, { since });
  const basis = jointBasis(fetched.map(({ basis: one }) => one) as [Part['basis'], ...Part['basis'][]]);
  const parts: (Part & { total: number })[] = [];
  for (const { basis: own, selection: period } of fetched) {
    const selection = { ...period, filters: { status: everyStatus, withTest: true } };
    const { total } = await own.archive.list({ ...selection, limit: 1 });
    parts.push({ basis: own, selection, total });
  }
  const total = parts.reduce((sum, part) => sum + part.total, 0);
  if (place.total !== undefined && place.total !== total) throw new Unfulfilled('failure.list_changed');
  const basisWords = basisSentences(basis, total, [], context);
  const opening = [subjectLine(areas, company, days, translator), ...basisWords];
  const common = { company, ...days, documents: total, ...basisOutput(basis, [], context) };
  const waiting = async () => {
    const cursor = await cursorTo({ ...place, asOf: since?.toISOString() }, query);
    return {
      structured: { ...common, rows: 0, bytes: 0, next_cursor: cursor },
      text: [...opening, words.say('waits'), translator.say('cover.next', { cursor })],
    };
  };
  if (basis.pending.length > 0) return waiting();
  const { document, cnpj, direction } = args;
  const checked = { document, cnpj, direction, ...days };
  const checks = await askAllPages<FindingOutput>(checkDocuments, checked, 'findings', context);
  const reconciled = args.reconcile_files && (await askReconcile({ ...args, ...days }, context));
  const until = deadline.workBy - TIME_TO_FINISH_MS;
  if (checks.isWaiting || reconciled?.isWaiting || Date.now() > until) return waiting();

  const rows: DossierRow[] = [];
  const progress: XmlProgress = { taken: 0, missing: [] };
  const documents: AsyncIterable<StoredDocument> = readAll(parts, place.offset);
  let writes: Journalled = { entries: [] };
  const extra = [...new Set([...checks.warnings, ...(reconciled?.warnings ?? [])])];
  async function* files(): AsyncGenerator<DossierFile> {
    let shown = Date.now();
    for await (const file of documentFiles(documents, rows, progress, until, context)) {
      yield file;
      if (Date.now() - shown < 2_000) continue;
      shown = Date.now();
      void context.progress(rows.length, total, translator.say('analysis.exporting', { rows: rows.length }));
    }
    writes = await writesOf(rows, context);
    const last = place.offset + rows.length;
    const facts: [string, string][] = [
      [words.say('page.company'), companies.map(maskTaxId).join(', ')],
      [words.say('page.kinds'), areas.map(kindName).join(', ')],
      [words.say('page.period'), translator.period(days)],
      ...(basis.as_of === undefined
        ? []
        : [[words.say('page.as_of'), translator.moment(basis.as_of)] as [string, string]]),
      [words.say('page.made'), `docfiscal-mcp ${version}`],
      [words.say('page.documents'), words.say('page.part', { first: place.offset + 1, last, total })],
    ];
    const sentences = [...basisWords, ...extra, words.say('results', resultCounts(rows))];
    yield* tableFiles({ rows, checks, reconciled, writes }, facts, sentences, words, context);
  }
  const about = () => ({
    program: `docfiscal-mcp ${version}`,
    as_of: basis.as_of,
    companies,
    documents: areas,
    ...days,
    complete: basisOutput(basis, [], context).complete,
    first_document: place.offset + 1,
    last_document: place.offset + rows.length,
    total_documents: total,
    without_xml: progress.missing.length,
  });
  const name = [
    ...['dossie', areas.join('+'), companiesInName(companies), days.from, days.to],
    ...(place.offset > 0 ? [`a-partir-de-${place.offset + 1}`] : []),
  ].join('-');
  let manifestSha256 = '';
  const file = await saveExport(name, context, async (options) => {
    const dossier = await writeDossier(files(), about, options);
    ({ manifestSha256 } = dossier);
    return dossier;
  });
  const reached = place.offset + rows.length;
  const nextCursor =
    reached < total
      ? await cursorTo({ offset: reached, total, asOf: since?.toISOString() }, query)
      : undefined;
  const { path, link } = await placeOf(file, manifestSha256, context);
  const { missing, stopped } = progress;
  return {
    structured: {
      ...common,
      path,
      url: link?.url,
      rows: rows.length - missing.length,
      bytes: file.bytes,
      manifest_sha256: manifestSha256,
      without_xml: missing,
      next_cursor: nextCursor,
    },
    text: [
      ...opening,
      ...extra,
      words.say('made', {
        path: link === undefined ? file.path : basename(file.path),
        documents: rows.length,
        files: file.rows,
        bytes: file.bytes,
      }),
      ...(link === undefined ? [] : [linkSentence(link, translator)]),
      words.say('hash', { hash: manifestSha256 }),
      words.say('results', resultCounts(rows)),
      words.say('found', {
        events: countEvents(rows),
        checks: checks.rows.length,
        writes: writes.entries.length,
      }),
      ...shortSentences(checks, words),
      ...(reconciled === undefined
        ? []
        : [words.say('reconciled', { count: reconciled.rows.length }), ...shortSentences(reconciled, words)]),
      ...(writes.failure === undefined ? [] : [words.say('no_journal', { reason: writes.failure })]),
      ...(missing.length === 0
        ? []
        : [
            `⚠ ${translator.say('analysis.without_xml', { count: missing.length })}`,
            ...missing.slice(0, MOST_NAMED).map(({ key, reason }) => `${key}: ${reason}`),
          ]),
      ...(stopped === undefined
        ? []
        : [
            `⚠ ${translator.say('analysis.zip_stopped')} ${explainFailure(stopped, translator) ?? ''}`.trim(),
          ]),
      ...(nextCursor === undefined
        ? []
        : [words.say('next_part', { reached, total }), translator.say('cover.next', { cursor: nextCursor })]),
    ],
  };
}
