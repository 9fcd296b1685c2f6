import type { LeftOut } from '../../archive/archive.ts';
import { firstDay, monthOf } from '../../archive/days.ts';
import type { ExportOptions } from '../../archive/export/table.ts';
import { everyArea } from '../../archive/references.ts';
import type { CallContext } from '../../company/call-context.ts';
import { BadArguments } from '../../company/failures.ts';
import { writeNewFile } from '../../disk/files.ts';
import { maskTaxId } from '../../documents/identity/tax-ids.ts';
import { kindName } from '../../documents/summary/summary.ts';
import { longest, oneLine } from '../../documents/untrusted.ts';
import { reportMessages } from '../../messages/apart/report.ts';
import { wordsOf } from '../../messages/message.ts';
import type { Report, Section } from '../../report/model.ts';
import type { Whole } from '../export-arguments.ts';
import { createVoice, present } from '../pages/voice.ts';
import { basisOutput, basisSentences, subjectLine } from '../shared/basis.ts';
import { saveExport } from '../shared/exported-file.ts';
import { type Basis, fetchParts, jointBasis } from '../shared/fetching.ts';
import { cursorTo } from '../shared/paging.ts';
import { todayOf } from '../shared/period.ts';
import { openQuestion } from '../shared/question.ts';
import {
  type Asked,
  type Asking,
  createAsking,
  isUnderWay,
  type ReportVoice,
  withoutMark,
} from './asking.ts';
import { findingsSection, pendingSection, reconciliationSection } from './findings.ts';
import { incompleteSection, sourcesSection } from './sources.ts';
import { type Answers, askTotals, figuresOf, summaryOf, tasksSection } from './summary.ts';
import { servicesSection, taxesSection, tradeSections } from './sums.ts';

/** @throws BadArguments for arguments that would restrict the report to a part of the period */
function checkWhole(args: Whole, { report }: ReportVoice): void {
  const { direction, issuer, recipient, payer, status } = args;
  const by = args.by === 'issue' ? undefined : args.by;
  const rows = args.rows === 'documents' ? undefined : args.rows;
  const filters = Object.entries({ direction, issuer, recipient, payer, status, by, rows });
  const reasons = present(
    ...filters.map(([argument, value]) => value !== undefined && report('whole_period', { argument })),
    (args.cnpj?.length ?? 0) > 1 && report('one_company'),
  );
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

/** Warnings shown above the figures. */
function warningsOf(
  { asked, totals: { purchases, services, freight }, isFilesAlone }: Answers,
  section: number,
  { report, day }: ReportVoice,
): string[] {
  if (isFilesAlone) return [report('files_warning')];
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

/** Asks for the report's answers; undefined while days remain to be fetched. */
async function answersOf(
  asking: Asking,
  files: readonly string[] | undefined,
  isFilesAlone: boolean,
): Promise<Answers | undefined> {
  const { asked } = asking;
  const totals = await askTotals(asking);
  const pending = asked.areas.includes('nfe') ? await asking.pending() : undefined;
  const checks = await asking.checks();
  const books = files && (await asking.books(files));
  const sums = Object.values(totals);
  const parts = [...sums, ...sums.map((one) => one.compared_with), pending, checks, books];
  const isLacking = parts.some((one) => (one?.not_fetched_yet?.length ?? 0) > 0);
  return isLacking ? undefined : { asked, totals, pending, checks, books, isFilesAlone };
}

async function contentOf(
  answers: Answers,
  asking: Asking,
  basis: Basis,
  sentences: readonly string[],
  voice: ReportVoice,
  context: CallContext,
): Promise<Report> {
  const { report, language, moment } = voice;
  const { asked, pending, checks, books, totals } = answers;
  const warnings = sentences.filter((one) => one.startsWith('⚠')).map(withoutMark);
  const plain = sentences.filter((one) => !one.startsWith('⚠'));
  const at = moment(basis.as_of ?? new Date(context.company.now()).toISOString());
  const sections = present<Section>(
    ...(await tradeSections(asking, voice)),
    await servicesSection(asking, voice),
    await taxesSection(asking, voice),
    pending && pendingSection(pending, asked.today, voice),
    findingsSection(checks, voice),
    reconciliationSection(books, voice),
    incompleteSection(answers, warnings, voice),
    await sourcesSection(answers, plain, voice, context),
  ).map((section, place) => ({ ...section, number: place + 1 }));
  const title = titleOf(asked, voice);
  const found = (await basis.archive.partyNames([asked.company])).get(asked.company);
  const name = found === undefined ? undefined : oneLine(found, longest.name);
  const company = { name, id: maskTaxId(asked.company) };
  const figures = figuresOf(answers, voice);
  const hasTrade = totals.purchases !== undefined || totals.sales !== undefined;
  const answer = figures.map(({ label, value }) => `${label} ${value}`).join('; ');
  const incomplete = sections.find(({ id }) => id === 'incomplete')?.number ?? 0;
  const named = name ?? company.id;
  return {
    language,
    answer: present(title, named, hasTrade && answer).join(' · '),
    company,
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
    foot: report('foot', { company: named, title, at: at.replace(/ \([^()]{1,60}\)$/, '') }),
    pageOf: report('page', { page: '{page}', pages: '{pages}' }),
    more: report('rest', { count: '{count}' }),
  };
}

/** Draws the report and saves it. */
function saveReport(report: Report, { pdf }: Whole, name: string, documents: number, context: CallContext) {
  const write = async ({ folder, signal }: ExportOptions) => {
    const bytes = pdf
      ? await (await import('../../report/pdf.ts')).reportPdf(report, new Date(context.company.now()))
      : Buffer.from((await import('../../report/html.ts')).reportHtml(report));
    const saved = await writeNewFile({ folder, name, ending: pdf ? 'pdf' : 'html' }, [bytes], signal);
    return { ...saved, rows: 1 };
  };
  return saveExport(name, context, write, () => `${name} ${documents}`);
}

/** Saves the month closing of a company, the tools' answers about the period, as one file. */
export async function exportReport(given: Whole, context: CallContext) {
  const { translator } = context;
  const { language } = translator;
  const voice = { ...createVoice(translator, context), report: wordsOf(reportMessages, language) };
  const today = todayOf(context);
  const args = { ...given, document: given.document ?? [...everyArea] };
  const question = await openQuestion(args, { whole: () => checkWhole(given, voice) }, context);
  const { days, companies, company, areas, query, place, since } = question;
  if (days.from > today) throw new BadArguments([voice.report('not_begun')]);
  const fetched = await fetchParts({ companies, areas, ...days, by: 'issue' }, context, { since });
  const basis = jointBasis(fetched);
  let documents = 0;
  const left_out: LeftOut[] = [];
  for (const { selection } of fetched) {
    const counted = await basis.archive.list({ ...selection, limit: 1 });
    documents += counted.total;
    left_out.push(...counted.left_out);
  }
  const sentences = basisSentences(basis, documents, left_out, context);
  const asking = createAsking({ company, areas, ...days, today }, context);
  const answers =
    basis.pending.length > 0
      ? undefined
      : await answersOf(asking, args.reconcile_files, basis.files?.isAlone === true);
  const content = answers && (await contentOf(answers, asking, basis, sentences, voice, context));
  const name = ['fechamento', company, days.from, days.to].join('-');
  const saved = content && (await saveReport(content, args, name, documents, context));
  const nextCursor =
    saved === undefined
      ? await cursorTo({ offset: 0, total: place.total, asOf: since?.toISOString() }, query)
      : undefined;
  const bytes = saved?.file.bytes ?? 0;
  return {
    structured: {
      company,
      ...days,
      documents,
      ...basisOutput(basis, left_out, context),
      ...saved?.place,
      rows: saved === undefined ? 0 : documents,
      bytes,
      next_cursor: nextCursor,
    },
    text: present(
      subjectLine(areas, company, days, translator),
      ...sentences,
      saved === undefined
        ? voice.report('reading')
        : voice.report(args.pdf ? 'saved_pdf' : 'saved', { path: saved.shown, bytes }),
      ...(saved?.linkSentences ?? []),
      nextCursor !== undefined && translator.say('cover.next', { cursor: nextCursor }),
    ),
  };
}
