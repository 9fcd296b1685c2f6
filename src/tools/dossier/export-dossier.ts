import type { X509Certificate } from 'node:crypto';
import type { StoredDocument } from '../../archive/archive.ts';
import { createDossier, type DossierFile, sha256 } from '../../archive/export/dossier.ts';
import { createNames } from '../../archive/export/zip.ts';
import { everyArea, everyStatus } from '../../archive/references.ts';
import type { CallContext } from '../../company/call-context.ts';
import { explainFailure } from '../../company/failures.ts';
import { version } from '../../config/version.ts';
import { maskTaxId } from '../../documents/identity/tax-ids.ts';
import { checkAuthorization, checkContent } from '../../documents/signatures/content.ts';
import { checkSigner } from '../../documents/signatures/signer.ts';
import { isVoid, kindName } from '../../documents/summary/summary.ts';
import type { JournalEntry } from '../../writes/journal.ts';
import { type CheckOutput, checkDocuments } from '../check/check.ts';
import { refuseFilters, type Whole } from '../export-arguments.ts';
import { present } from '../pages/voice.ts';
import { findingsTable, type ReconcileOutput } from '../reconcile/answer.ts';
import { createReconcileWords } from '../reconcile/words.ts';
import { trustStore } from '../shared/authenticity.ts';
import { basisSentences, isComplete } from '../shared/basis.ts';
import { sentences } from '../shared/definition.ts';
import { type XmlProgress, xmlFiles, xmlSentences } from '../shared/document-files.ts';
import { reporting, savedSentences, saveExport } from '../shared/exported-file.ts';
import { countParts, fetchExport, readAll } from '../shared/exporting.ts';
import { askAllPages, checkUnchanged } from '../shared/paging.ts';
import { companiesInName, openQuestion } from '../shared/question.ts';
import { eventsOutput } from '../shared/summary-output.ts';
import { askReconcile } from './findings.ts';
import {
  csv,
  type DossierRow,
  dossierWords,
  eventColumns,
  findingColumns,
  indexColumns,
  indexPage,
  journalColumns,
} from './page.ts';

/** Documents of one dossier: its tables are held until it is written. */
const MOST_DOCUMENTS = 20_000;
/** Milliseconds reserved for tables, journal and disk after the last document. */
const TIME_TO_FINISH_MS = 4_000;

/** The results of `verify_document` for a text at hand. */
async function verified(
  xml: string,
  { summary, source, status }: StoredDocument,
  store: readonly X509Certificate[] | undefined,
) {
  const content = await checkContent(xml, summary.kind);
  const signer =
    content.result === 'unchanged' ? checkSigner(content.certificate, summary, store) : undefined;
  // Files alone don't confirm a status, but can speak against a document.
  const isSaid = source !== 'files' || isVoid(status);
  const authorization = checkAuthorization(xml, summary, content, isSaid ? status : undefined);
  return { content, signer, authorization };
}

/**
 * The documents one after the other, as files and as rows, until all are done, the time is over or the service fails.
 * @param rows gets a row for each document
 */
async function* documentFiles(
  documents: AsyncIterable<StoredDocument>,
  rows: DossierRow[],
  progress: XmlProgress,
  deadline: number,
  context: CallContext,
): AsyncGenerator<DossierFile> {
  const store = await trustStore(context);
  const nameOf = createNames('xml');
  for await (const row of xmlFiles(documents, { deadline }, progress, context)) {
    const { document, summary } = row;
    const events = eventsOutput(document, context.translator);
    if ('reason' in row) rows.push({ document, summary, events, reason: row.reason });
    else {
      const { xml } = row;
      const file = `xml/${nameOf(summary)}`;
      const results = await verified(Buffer.from(xml).toString(), document, store);
      rows.push({ document, summary, events, file, sha256: sha256(xml), bytes: xml.length, ...results });
      yield { name: file, content: xml, modified: summary.issued_at ?? summary.event?.at };
    }
    if (rows.length === MOST_DOCUMENTS || Date.now() > deadline) return;
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

interface Contents {
  readonly rows: readonly DossierRow[];
  readonly checks: CheckOutput;
  readonly reconciled: ReconcileOutput | undefined;
  readonly writes: Journalled;
}

const countEvents = (rows: readonly DossierRow[]) => rows.reduce((sum, { events }) => sum + events.length, 0);

/** Its tables and its page, in the order of the ZIP. */
function tableFiles(
  { rows, checks, reconciled, writes }: Contents,
  facts: readonly (readonly [string, string])[],
  basis: readonly string[],
  { translator }: CallContext,
): DossierFile[] {
  const say = dossierWords(translator);
  const events = rows.flatMap(({ summary: { key }, events: own }) => own.map((event) => ({ ...event, key })));
  const tables = present<[name: string, about: string, content: Buffer]>(
    ['index.csv', say('dossier.table.index'), csv(indexColumns(translator), rows, translator)],
    [
      'events.csv',
      say('dossier.table.events', { count: events.length }),
      csv(eventColumns, events, translator),
    ],
    [
      'checks.csv',
      say('dossier.table.checks', { count: checks.findings.length }),
      csv(findingColumns, checks.findings, translator),
    ],
    reconciled && [
      'reconcile.csv',
      say('dossier.table.reconcile', { count: reconciled.findings.length }),
      csv(findingsTable(createReconcileWords(translator)).columns, reconciled.findings, translator),
    ],
    writes.failure === undefined && [
      'journal.csv',
      say('dossier.table.journal', { count: writes.entries.length }),
      csv(journalColumns, writes.entries, translator),
    ],
  );
  const head = { facts, basis, tables: tables.map(([name, about]) => [name, about] as const) };
  return [
    { name: 'index.html', content: indexPage(head, rows, translator) },
    ...tables.map(([name, , content]) => ({ name, content })),
  ];
}

function resultCounts(rows: readonly DossierRow[]) {
  const count = (name: 'content' | 'authorization', result: string) =>
    rows.filter((row) => row[name]?.result === result).length;
  const [unchanged, changed] = [count('content', 'unchanged'), count('content', 'changed')];
  const confirmed = count('authorization', 'confirmed');
  const contradicted = count('authorization', 'contradicted');
  return {
    ...{ unchanged, changed, unknown: rows.length - unchanged - changed },
    ...{ confirmed, contradicted, unconfirmed: rows.length - confirmed - contradicted },
  };
}

/** Saves one ZIP of a period that can be verified later: documents, their results, events, findings and writes. */
export async function exportDossier(given: Whole, context: CallContext) {
  const { translator, deadline } = context;
  const say = dossierWords(translator);
  refuseFilters(given, say('dossier.not_taken', { what: 'dossier' }), context);
  const args = { ...given, document: given.document ?? [...everyArea] };
  const question = await openQuestion(args, {}, context);
  const { days, companies, areas, place } = question;
  const { fetched, basis, cursorAt, answer } = await fetchExport(
    question,
    { direction: args.direction },
    context,
  );
  const { parts, total } = await countParts(fetched, { status: everyStatus, withTest: true });
  checkUnchanged(place, total);
  const basisWords = basisSentences(basis, total, [], context);
  const waiting = async () => {
    const nextCursor = await cursorAt(place.offset, place.total);
    const nothing = { documents: total, saved: undefined, rows: 0, nextCursor };
    return answer(nothing, {}, [basisWords, savedSentences(undefined, context)]);
  };
  if (basis.pending.length > 0) return waiting();
  const { document, cnpj, direction } = args;
  const checked = { document, cnpj, direction, ...days };
  const found = await askAllPages<CheckOutput>(checkDocuments, checked, 'findings', context);
  const compared = args.reconcile_files && (await askReconcile({ ...args, ...days }, context));
  const until = deadline.workBy - TIME_TO_FINISH_MS;
  if (found.isWaiting || compared?.isWaiting || Date.now() > until) return waiting();
  const [checks, reconciled] = [found.answer, compared?.answer];

  const rows: DossierRow[] = [];
  const progress: XmlProgress = { taken: 0, missing: [] };
  const { missing } = progress;
  const first = place.offset + 1;
  const reached = () => place.offset + rows.length;
  let writes: Journalled = { entries: [] };
  const extra = [...new Set([...found.warnings, ...(compared?.warnings ?? [])])];
  async function* files(): AsyncGenerator<DossierFile> {
    const documents = readAll(parts, place.offset, context.signal);
    yield* documentFiles(documents, rows, progress, until, context);
    writes = await writesOf(rows, context);
    const asOf = basis.as_of;
    const facts = present<[string, string]>(
      [translator.say('export.company'), companies.map(maskTaxId).join(', ')],
      [translator.say('export.documents'), areas.map(kindName).join(', ')],
      [say('dossier.page.period'), translator.period(days)],
      asOf !== undefined && [translator.say('export.as_of'), translator.moment(asOf)],
      [say('dossier.page.made'), `docfiscal-mcp ${version}`],
      [translator.say('export.documents'), say('dossier.page.part', { first, last: reached(), total })],
    );
    const about = [...basisWords, ...extra, say('dossier.results', resultCounts(rows))];
    yield* tableFiles({ rows, checks, reconciled, writes }, facts, about, context);
  }
  const about = () => ({
    program: `docfiscal-mcp ${version}`,
    as_of: basis.as_of,
    companies,
    documents: areas,
    ...days,
    complete: isComplete(basis),
    first_document: first,
    last_document: reached(),
    total_documents: total,
    without_xml: missing.length,
  });
  const short = ({ total: all, findings: { length: kept } }: CheckOutput | ReconcileOutput) =>
    all > kept && say('dossier.not_all', { kept, total: all });
  const name = sentences(
    'dossie',
    areas.join('+'),
    companiesInName(companies),
    days.from,
    days.to,
    place.offset > 0 && `a-partir-de-${first}`,
  ).join('-');
  const { bytes, written } = createDossier(files(), about);
  const saved = await reporting(
    () => rows.length,
    total,
    context,
    () => saveExport({ name, ending: 'zip' }, bytes, () => written.manifestSha256, context),
  );
  const { manifestSha256: hash } = written;
  const nextCursor = reached() < total ? await cursorAt(reached(), total) : undefined;
  return answer(
    { documents: total, saved, rows: rows.length - missing.length, nextCursor },
    { manifest_sha256: hash, without_xml: missing },
    [
      basisWords,
      extra,
      savedSentences(saved, context),
      say('dossier.hash', { hash }),
      say('dossier.results', resultCounts(rows)),
      say('dossier.found', {
        events: countEvents(rows),
        checks: checks.findings.length,
        writes: writes.entries.length,
      }),
      short(checks),
      reconciled && say('dossier.reconciled', { count: reconciled.findings.length }),
      reconciled && short(reconciled),
      writes.failure !== undefined && say('dossier.no_journal', { reason: writes.failure }),
      xmlSentences(progress, context),
      nextCursor !== undefined && say('dossier.next_part', { reached: reached(), total }),
    ],
  );
}
