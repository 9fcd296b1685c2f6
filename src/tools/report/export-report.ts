import { basename } from 'node:path';
import type { LeftOut } from '../../archive/archive.ts';
import type { DocumentArea } from '../../archive/references.ts';
import type { CallContext } from '../../company/call-context.ts';
import { BadArguments } from '../../company/failures.ts';
import { version } from '../../config/version.ts';
import { writeNewFile } from '../../disk/new-file.ts';
import { maskTaxId } from '../../documents/identity/tax-ids.ts';
import { kindName } from '../../documents/summary/summary.ts';
import type { Report, Section } from '../../report/model.ts';
import { type Basis, basisOutput, basisSentences, jointBasis, subjectLine } from '../shared/basis.ts';
import { placeOf, saveExport } from '../shared/exported-file.ts';
import { cursorTo } from '../shared/paging.ts';
import { todayOf } from '../shared/period.ts';
import { fetchParts, openQuestion } from '../shared/question.ts';
import { linkSentence } from '../shared/saved-files.ts';
import { findingsSection, reconciliationSection } from './findings.ts';
import { monthName, type ReportPeriod, reportPeriod } from './period.ts';
import {
  type Asked,
  askBooks,
  askChecks,
  askPending,
  askServices,
  askTaxes,
  askTotals,
  askTrade,
  withoutMark,
} from './questions.ts';
import { servicesSection, taxesSection } from './services.ts';
import { incompleteSection, sourcesSection } from './sources.ts';
import { type Answers, figuresOf, summaryOf, tasksOf } from './summary.ts';
import { tradeSections } from './trade.ts';
import { pendingSection } from './waiting.ts';
import { createPen, type Pen } from './words.ts';

const everyKind: readonly DocumentArea[] = ['nfe', 'nfse', 'cte'];

/** The arguments of a report, and those that it does not take. */
interface ReportArguments {
  readonly document?: readonly DocumentArea[] | undefined;
  readonly cnpj?: readonly string[] | undefined;
  readonly from: string;
  readonly to?: string | undefined;
  readonly pdf?: boolean | undefined;
  readonly reconcile_files?: readonly string[] | undefined;
  readonly cursor?: string | undefined;
  readonly refresh?: boolean | undefined;
  readonly by: string;
  readonly rows: string;
  readonly direction?: unknown;
  readonly issuer?: unknown;
  readonly recipient?: unknown;
  readonly payer?: unknown;
  readonly status?: unknown;
}

/** @throws BadArguments for what would make a part of the period look like the whole */
function checkWhole(args: ReportArguments, { say }: Pen): void {
  const { direction, issuer, recipient, payer, status, by, rows } = args;
  const filters = { direction, issuer, recipient, payer, status };
  const given = Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : name));
  const others = [...(by === 'issue' ? [] : ['by']), ...(rows === 'documents' ? [] : ['rows'])];
  const reasons = [...given, ...others].map((argument) => say('whole_period', { argument }));
  if ((args.cnpj?.length ?? 0) > 1) reasons.push(say('one_company'));
  if (reasons.length > 0) throw new BadArguments(reasons);
}

/** Numbers the sections in their order. */
function numbered(sections: readonly (Section | undefined)[]): Section[] {
  return sections.filter((one) => one !== undefined).map((one, at) => ({ ...one, number: at + 1 }));
}

function titleOf(period: ReportPeriod, { say, translator, day }: Pen): string {
  const month = monthName(period, translator);
  const title =
    month === undefined ? say('title_days', { days: translator.period(period) }) : say('title', { month });
  return period.isUnderWay ? say('title_under_way', { title, day: day(period.today) }) : title;
}

/** What rises above the figures because it changes how they are read. */
function warningsOf(
  { period, totals }: Answers,
  { isFilesAlone, section }: { readonly isFilesAlone: boolean; readonly section: number },
  { say, translator }: Pen,
): string[] {
  const kinds = [
    ...(totals.purchases?.complete === false ? [kindName('nfe')] : []),
    ...(totals.services?.complete === false ? [kindName('nfse')] : []),
    ...(totals.freight?.complete === false ? [kindName('cte')] : []),
  ];
  if (isFilesAlone) return [say('files_warning')];
  return [
    ...(kinds.length > 0 ? [say('at_least_warning', { kinds: kinds.join(', '), section })] : []),
    ...(period.isUnderWay ? [say('under_way', { at: translator.day(period.today) })] : []),
  ];
}

/** The days not fetched yet, of any part of the report. */
function isLacking(
  parts: readonly ({ readonly not_fetched_yet?: readonly unknown[] } | undefined)[],
): boolean {
  return parts.some((one) => (one?.not_fetched_yet?.length ?? 0) > 0);
}

/** Asks all that the report says. Undefined where days are still to be read. */
async function answersOf(
  asked: Asked,
  period: ReportPeriod,
  files: readonly string[] | undefined,
  context: CallContext,
): Promise<Answers | undefined> {
  const totals = await askTotals(asked, period.isUnderWay, context);
  const pending = await askPending(asked, context);
  const checks = await askChecks(asked, context);
  const books = await askBooks(files, asked, context);
  const sums = Object.values(totals);
  const earlier = sums.map((one) => one?.compared_with);
  const parts = [...sums, ...earlier, pending?.data, checks.data, books?.data];
  return isLacking(parts) ? undefined : { period, totals, pending, checks, books };
}

async function contentOf(
  answers: Answers,
  asked: Asked,
  basis: Basis,
  sentences: readonly string[],
  pen: Pen,
  context: CallContext,
): Promise<Report> {
  const { say, translator } = pen;
  const { period, pending, checks, books, totals } = answers;
  const trade = await askTrade(asked, context);
  const isFilesAlone = basis.files?.isAlone === true;
  const warnings = sentences.filter((one) => one.startsWith('⚠')).map(withoutMark);
  const plain = sentences.filter((one) => !one.startsWith('⚠'));
  const moment = translator.moment(basis.as_of ?? new Date(context.company.now()).toISOString());
  const sections = numbered([
    ...(trade === undefined ? [] : tradeSections(trade, pen)),
    servicesSection(await askServices(asked, context), pen),
    taxesSection(await askTaxes(asked, context), pen),
    pending && pendingSection(pending, pen),
    findingsSection(checks, pen),
    reconciliationSection(books, pen),
    incompleteSection(answers, warnings, { isFilesAlone }, pen),
    await sourcesSection(answers, { sentences: plain, made: `docfiscal-mcp ${version}` }, pen, context),
  ]);
  const tasks = tasksOf(answers, sections, pen);
  const title = titleOf(period, pen);
  const name = pen.name((await basis.archive.partyNames([asked.company])).get(asked.company));
  const id = maskTaxId(asked.company);
  const { purchases, sales } = totals;
  const figures = figuresOf(answers, pen);
  const answer = figures.map(({ label, value }) => `${label} ${value}`).join('; ');
  const incomplete = sections.find((one) => one.id === 'incomplete')?.number ?? 0;
  return {
    language: translator.language,
    answer: [title, name ?? id, ...(purchases === undefined && sales === undefined ? [] : [answer])].join(
      ' · ',
    ),
    company: { name, id },
    title,
    summary: summaryOf(answers, pen),
    warnings: warningsOf(answers, { isFilesAlone, section: incomplete }, pen),
    figures,
    sections: [
      {
        id: 'tasks',
        title: say('section.tasks'),
        blocks: [
          tasks.length > 0 ? { kind: 'tasks', items: tasks } : { kind: 'note', text: say('tasks.none') },
        ],
      },
      ...sections,
    ],
    signatures: [
      { label: say('prepared'), hint: say('prepared_hint') },
      { label: say('reviewed'), hint: say('reviewed_hint') },
    ],
    // Without the zone, which the sources name.
    foot: say('foot', { company: name ?? id, title, at: moment.replace(/ \([^()]{1,60}\)$/, '') }),
    pageOf: say('page', { page: '{page}', pages: '{pages}' }),
  };
}

/** Draws the report and saves it. */
async function saveReport(report: Report, args: ReportArguments, name: string, context: CallContext) {
  const ending = args.pdf ? 'pdf' : 'html';
  const date = new Date(context.company.now());
  const bytes = args.pdf
    ? await (await import('../../report/pdf.ts')).reportPdf(report, date)
    : Buffer.from((await import('../../report/html.ts')).reportHtml(report));
  return saveExport(name, context, async ({ folder, signal }) => {
    const saved = await writeNewFile({ folder, name, ending }, [bytes], signal);
    return { ...saved, rows: 1 };
  });
}

/** The month closing of a company as one file: what the tools answer about the period, put together. */
export async function exportReport(args: ReportArguments, context: CallContext) {
  const { translator } = context;
  const pen = createPen(translator);
  const document = args.document ?? everyKind;
  const given = { ...args, document, cnpj: args.cnpj, pdf: args.pdf, reconcile_files: args.reconcile_files };
  const question = await openQuestion(given, { whole: () => checkWhole(args, pen) }, context);
  const { days, companies, company, areas, query, place, since } = question;
  if (days.from > todayOf(context)) throw new BadArguments([pen.say('not_begun')]);
  const fetched = await fetchParts({ companies, areas, ...days, by: 'issue' }, context, { since });
  const [first, ...others] = fetched;
  const basis = jointBasis([first.basis, ...others.map((part) => part.basis)]);
  let total = 0;
  const left_out: LeftOut[] = [];
  for (const { selection } of fetched) {
    const counted = await basis.archive.list({ ...selection, limit: 1 });
    total += counted.total;
    left_out.push(...counted.left_out);
  }
  const sentences = basisSentences(basis, total, left_out, context);
  const asked: Asked = { company, areas, ...days };
  const answers =
    basis.pending.length > 0
      ? undefined
      : await answersOf(asked, reportPeriod(days, context), args.reconcile_files, context);
  const name = ['fechamento', company, days.from, days.to].join('-');
  const file =
    answers &&
    (await saveReport(await contentOf(answers, asked, basis, sentences, pen, context), args, name, context));
  const { path, link } = await placeOf(file, [name, total].join(' '), context);
  const nextCursor =
    file === undefined
      ? await cursorTo({ offset: 0, total: place.total, asOf: since?.toISOString() }, query)
      : undefined;
  const shown = file && (context.links === undefined ? file.path : basename(file.path));
  return {
    structured: {
      company,
      ...days,
      documents: total,
      ...basisOutput(basis, left_out, context),
      path,
      url: link?.url,
      rows: file === undefined ? 0 : total,
      bytes: file?.bytes ?? 0,
      next_cursor: nextCursor,
    },
    text: [
      subjectLine(areas, company, days, translator),
      ...sentences,
      file === undefined
        ? pen.say('reading')
        : pen.say(args.pdf ? 'saved_pdf' : 'saved', { path: shown ?? '', bytes: file.bytes }),
      ...(link === undefined ? [] : [linkSentence(link, translator)]),
      ...(nextCursor === undefined ? [] : [translator.say('cover.next', { cursor: nextCursor })]),
    ],
  };
}
