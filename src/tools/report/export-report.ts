import type { LeftOut } from '../../archive/archive.ts';
import { firstDay, monthOf } from '../../archive/days.ts';
import type { ExportOptions } from '../../archive/export/table.ts';
import type { DocumentArea } from '../../archive/references.ts';
import type { CallContext } from '../../company/call-context.ts';
import { BadArguments } from '../../company/failures.ts';
import { writeNewFile } from '../../disk/new-file.ts';
import { maskTaxId } from '../../documents/identity/tax-ids.ts';
import { kindName } from '../../documents/summary/summary.ts';
import { longest, oneLine } from '../../documents/untrusted.ts';
import type { Report, Section } from '../../report/model.ts';
import { present } from '../pages/voice.ts';
import { basisOutput, basisSentences, subjectLine } from '../shared/basis.ts';
import { saveExport } from '../shared/exported-file.ts';
import { type Basis, fetchParts, jointBasis } from '../shared/fetching.ts';
import { cursorTo } from '../shared/paging.ts';
import { todayOf } from '../shared/period.ts';
import { openQuestion } from '../shared/question.ts';
import { findingsSection, pendingSection, reconciliationSection } from './findings.ts';
import {
  type Asked,
  askBooks,
  askChecks,
  askPending,
  askServices,
  askTaxes,
  askTotals,
  askTrade,
  isUnderWay,
  withoutMark,
} from './questions.ts';
import { incompleteSection, sourcesSection } from './sources.ts';
import { type Answers, figuresOf, summaryOf, tasksSection } from './summary.ts';
import { servicesSection, taxesSection, tradeSections } from './tables.ts';
import { createReportVoice, type ReportVoice } from './words.ts';

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
function checkWhole(args: ReportArguments, { report }: ReportVoice): void {
  const { direction, issuer, recipient, payer, status, by, rows } = args;
  const filters = { direction, issuer, recipient, payer, status };
  const given = Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : name));
  const others = [...(by === 'issue' ? [] : ['by']), ...(rows === 'documents' ? [] : ['rows'])];
  const reasons = [...given, ...others].map((argument) => report('whole_period', { argument }));
  if ((args.cnpj?.length ?? 0) > 1) reasons.push(report('one_company'));
  if (reasons.length > 0) throw new BadArguments(reasons);
}

/** A single month, whole or up to today, by its name; else the days. */
function titleOf(asked: Asked, { report, language, day, period }: ReportVoice): string {
  const { from, to } = asked;
  const isMonth = from === firstDay(monthOf(from)) && monthOf(from) === monthOf(to);
  const format = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const title = isMonth
    ? report('title', { month: format.format(new Date(from)) })
    : report('title_days', { days: period({ from, to }) });
  return isUnderWay(asked) ? report('title_under_way', { title, day: day(asked.today) }) : title;
}

/** What rises above the figures because it changes how they are read. */
function warningsOf(
  { asked, totals, isFilesAlone }: Answers,
  section: number,
  { report, day }: ReportVoice,
): string[] {
  if (isFilesAlone) return [report('files_warning')];
  const { purchases, services, freight } = totals;
  const kinds = present(
    purchases?.complete === false && kindName('nfe'),
    services?.complete === false && kindName('nfse'),
    freight?.complete === false && kindName('cte'),
  );
  return present(
    kinds.length > 0 && report('at_least_warning', { kinds: kinds.join(', '), section }),
    isUnderWay(asked) && report('under_way', { at: day(asked.today) }),
  );
}

/** Asks all that the report says. Undefined where days are still to be read. */
async function answersOf(
  asked: Asked,
  files: readonly string[] | undefined,
  isFilesAlone: boolean,
  context: CallContext,
): Promise<Answers | undefined> {
  const totals = await askTotals(asked, context);
  const pending = await askPending(asked, context);
  const checks = await askChecks(asked, context);
  const books = await askBooks(files, asked, context);
  const sums = Object.values(totals);
  const earlier = sums.map((one) => one?.compared_with);
  const parts = [...sums, ...earlier, pending?.data, checks.data, books?.data];
  const isLacking = parts.some((one) => (one?.not_fetched_yet?.length ?? 0) > 0);
  return isLacking ? undefined : { asked, totals, pending, checks, books, isFilesAlone };
}

async function contentOf(
  answers: Answers,
  basis: Basis,
  sentences: readonly string[],
  voice: ReportVoice,
  context: CallContext,
): Promise<Report> {
  const { report, language, moment } = voice;
  const { asked, pending, checks, books, totals } = answers;
  const trade = await askTrade(asked, context);
  const warnings = sentences.filter((one) => one.startsWith('⚠')).map(withoutMark);
  const plain = sentences.filter((one) => !one.startsWith('⚠'));
  const at = moment(basis.as_of ?? new Date(context.company.now()).toISOString());
  const sections = present<Section>(
    ...(trade === undefined ? [] : tradeSections(trade, voice)),
    servicesSection(await askServices(asked, context), voice),
    taxesSection(await askTaxes(asked, context), voice),
    pending && pendingSection(pending, asked.today, voice),
    findingsSection(checks, voice),
    reconciliationSection(books, voice),
    incompleteSection(answers, warnings, voice),
    await sourcesSection(answers, plain, voice, context),
  ).map((section, place) => ({ ...section, number: place + 1 }));
  const title = titleOf(asked, voice);
  const found = (await basis.archive.partyNames([asked.company])).get(asked.company);
  const name = found === undefined ? undefined : oneLine(found, longest.name);
  const company = name ?? maskTaxId(asked.company);
  const figures = figuresOf(answers, voice);
  const hasTrade = totals.purchases !== undefined || totals.sales !== undefined;
  const answer = figures.map(({ label, value }) => `${label} ${value}`).join('; ');
  const incomplete = sections.find(({ id }) => id === 'incomplete')?.number ?? 0;
  return {
    language,
    answer: present(title, company, hasTrade && answer).join(' · '),
    company: { name, id: maskTaxId(asked.company) },
    title,
    summary: summaryOf(answers, voice),
    warnings: warningsOf(answers, incomplete, voice),
    figures,
    sections: [tasksSection(answers, sections, voice), ...sections],
    signatures: [
      { label: report('prepared'), hint: report('prepared_hint') },
      { label: report('reviewed'), hint: report('reviewed_hint') },
    ],
    // Without the zone, which the sources name.
    foot: report('foot', { company, title, at: at.replace(/ \([^()]{1,60}\)$/, '') }),
    pageOf: report('page', { page: '{page}', pages: '{pages}' }),
    more: report('rest', { count: '{count}' }),
  };
}

/** Draws the report and saves it. */
async function saveReport(
  report: Report,
  args: ReportArguments,
  name: string,
  context: CallContext,
  holds: string,
) {
  const ending = args.pdf ? 'pdf' : 'html';
  const date = new Date(context.company.now());
  const bytes = args.pdf
    ? await (await import('../../report/pdf.ts')).reportPdf(report, date)
    : Buffer.from((await import('../../report/html.ts')).reportHtml(report));
  const write = async ({ folder, signal }: ExportOptions) => {
    const saved = await writeNewFile({ folder, name, ending }, [bytes], signal);
    return { ...saved, rows: 1 };
  };
  return saveExport(name, context, write, () => holds);
}

/** The month closing of a company as one file: what the tools answer about the period, put together. */
export async function exportReport(args: ReportArguments, context: CallContext) {
  const { translator } = context;
  const voice = createReportVoice(context);
  const today = todayOf(context);
  const document = args.document ?? everyKind;
  const given = { ...args, document, cnpj: args.cnpj, pdf: args.pdf, reconcile_files: args.reconcile_files };
  const question = await openQuestion(given, { whole: () => checkWhole(args, voice) }, context);
  const { days, companies, company, areas, query, place, since } = question;
  if (days.from > today) throw new BadArguments([voice.report('not_begun')]);
  const fetched = await fetchParts({ companies, areas, ...days, by: 'issue' }, context, { since });
  const basis = jointBasis(fetched);
  let total = 0;
  const left_out: LeftOut[] = [];
  for (const { selection } of fetched) {
    const counted = await basis.archive.list({ ...selection, limit: 1 });
    total += counted.total;
    left_out.push(...counted.left_out);
  }
  const sentences = basisSentences(basis, total, left_out, context);
  const asked: Asked = { company, areas, ...days, today };
  const isFilesAlone = basis.files?.isAlone === true;
  const answers =
    basis.pending.length > 0
      ? undefined
      : await answersOf(asked, args.reconcile_files, isFilesAlone, context);
  const name = ['fechamento', company, days.from, days.to].join('-');
  const saved =
    answers &&
    (await saveReport(
      await contentOf(answers, basis, sentences, voice, context),
      args,
      name,
      context,
      [name, total].join(' '),
    ));
  const nextCursor =
    saved === undefined
      ? await cursorTo({ offset: 0, total: place.total, asOf: since?.toISOString() }, query)
      : undefined;
  const bytes = saved?.file.bytes ?? 0;
  return {
    structured: {
      company,
      ...days,
      documents: total,
      ...basisOutput(basis, left_out, context),
      ...saved?.place,
      rows: saved === undefined ? 0 : total,
      bytes,
      next_cursor: nextCursor,
    },
    text: [
      subjectLine(areas, company, days, translator),
      ...sentences,
      saved === undefined
        ? voice.report('reading')
        : voice.report(args.pdf ? 'saved_pdf' : 'saved', { path: saved.shown, bytes }),
      ...(saved?.linkSentences ?? []),
      ...(nextCursor === undefined ? [] : [translator.say('cover.next', { cursor: nextCursor })]),
    ],
  };
}
