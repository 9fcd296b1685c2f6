import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { everyArea } from '../../archive/references.ts';
import type { CallContext } from '../../company/call-context.ts';
import { BadArguments } from '../../company/failures.ts';
import { version } from '../../config/version.ts';
import { firstDay, monthOf } from '../../documents/days.ts';
import { maskTaxId } from '../../documents/identity/tax-ids.ts';
import { kindName } from '../../documents/summary/summary.ts';
import { longest, oneLine } from '../../documents/untrusted.ts';
import { reportMessages } from '../../messages/apart/report.ts';
import { wordsOf } from '../../messages/message.ts';
import type { Row } from '../../page/page.ts';
import type { Report, Section } from '../../report/model.ts';
import { narrowing, type Whole } from '../export-arguments.ts';
import { column, createVoice, present } from '../pages/voice.ts';
import { createReconcileWords } from '../reconcile/words.ts';
import { basisSentences } from '../shared/basis.ts';
import { savedSentences, saveExport } from '../shared/exported-file.ts';
import { countParts, fetchExport } from '../shared/exporting.ts';
import type { Basis } from '../shared/fetching.ts';
import { todayOf } from '../shared/period.ts';
import { openQuestion } from '../shared/question.ts';
import {
  type Answers,
  askTools,
  figuresOf,
  leadingSums,
  type ReportVoice,
  rowsOr,
  type Sums,
  sectionOf,
  summaryOf,
  tasksSection,
  withoutMark,
} from './answers.ts';
import {
  findingsSection,
  pendingSection,
  reconciliationSection,
  servicesSection,
  taxesSection,
  tradeSections,
} from './sections.ts';

/** @throws BadArguments for arguments that would restrict the report to a part of the period */
function checkWhole(args: Whole, { report }: ReportVoice): void {
  const names = [...(args.direction === undefined ? [] : ['direction']), ...narrowing(args)];
  const reasons = present(
    ...names.map((argument) => report('whole_period', { argument })),
    (args.cnpj?.length ?? 0) > 1 && report('one_company'),
  );
  if (reasons.length > 0) throw new BadArguments(reasons);
}

/** A single month, whole or up to today, by its name; else the days. */
function titleOf({ from, to, today, isUnderWay }: Answers, voice: ReportVoice): string {
  const { report, language, day, period } = voice;
  const isMonth = from === firstDay(monthOf(from)) && monthOf(from) === monthOf(to);
  const format = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const title = isMonth
    ? report('title', { month: format.format(new Date(from)) })
    : report('title_days', { days: period({ from, to }) });
  return isUnderWay ? report('title_under_way', { title, day: day(today) }) : title;
}

function warningsOf(
  { sides, isFilesAlone, isUnderWay, today }: Answers,
  section: number,
  { report, day }: ReportVoice,
): string[] {
  if (isFilesAlone) return [report('files_warning')];
  const kinds = everyArea.filter((area) => sides[area]?.inbound.complete === false).map(kindName);
  return present(
    kinds.length > 0 && report('at_least_warning', { kinds: kinds.join(', '), section }),
    isUnderWay && report('under_way', { at: day(today) }),
  );
}

/** The SHA-256 of a file that was reconciled; undefined where it is no longer there. */
async function digestOf(path: string, { company, signal }: CallContext): Promise<string | undefined> {
  const { findWithin } = await import('../../archive/files/folders.ts');
  const place = findWithin(await company.listFolders(), path);
  if (place === undefined) return undefined;
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(place, { signal })) hash.update(chunk);
  return `sha256 ${hash.digest('hex')}`;
}

function labelled(id: 'incomplete' | 'sources', rows: readonly Row[], voice: ReportVoice): Section {
  const { report } = voice;
  const columns = [column('about', '', 'code', 'name'), column('text', '', 'text', 'below')];
  return sectionOf(id, voice, [rowsOr(report('incomplete.none'), report(`section.${id}`), columns, rows)]);
}

/** Caveats that the figures don't show. */
function incompleteSection(answers: Answers, basisWarnings: readonly string[], voice: ReportVoice): Section {
  const { isUnderWay, today, sides, pending, checks, books, isFilesAlone } = answers;
  const { report, say, day, period } = voice;
  const words = createReconcileWords(voice);
  const others = (remarks: readonly string[] = []) => remarks.filter((one) => !basisWarnings.includes(one));
  const compared = leadingSums(sides).flatMap((one) => (one.complete ? (one.compared_with ?? []) : []));
  const [before] = compared;
  const lacksBefore = compared.some(({ complete }) => !complete);
  const texts: readonly (readonly [label: string, texts: readonly string[]])[] = [
    [
      say('export.period'),
      present(
        isUnderWay && report('under_way', { at: day(today) }),
        isFilesAlone && report('files_warning'),
        ...basisWarnings,
      ),
    ],
    [
      report('incomplete.comparison'),
      present(lacksBefore && before && report('incomplete.not_compared', { before: period(before) })),
    ],
    [report('incomplete.manifestation'), others(pending?.remarks)],
    [report('incomplete.checks'), others(checks.remarks)],
    [
      report('section.reconciliation'),
      books === undefined
        ? [report('reconciliation.not_done')]
        : [
            ...others(books.remarks),
            ...books.not_compared.map(({ reason, count }) => `${count} ${words.left(reason)}`),
          ],
    ],
  ];
  const rows = texts.flatMap(([label, own]) =>
    own.map((text): Row => ({ cells: { about: `${label}:`, text } })),
  );
  return labelled('incomplete', rows, voice);
}

async function sourcesSection(
  { sides: { nfe }, books }: Answers,
  sentences: readonly string[],
  voice: ReportVoice,
  context: CallContext,
): Promise<Section> {
  const { report, page, money, day, period } = voice;
  const row = (about: string, text: string, digest?: string): Row => ({
    cells: { about, text },
    ...(digest !== undefined && { details: { text: digest } }),
  });
  const files = await Promise.all(
    (books?.files ?? []).map(async ({ file, generated_at: at }) => {
      const generated = at === undefined ? '' : `, ${day(at.slice(0, 10))}`;
      return row(report('sources.file'), `${oneLine(file)}${generated}`, await digestOf(file, context));
    }),
  );
  const earlier = nfe?.inbound.compared_with;
  const previous = ({ sums: [sum] }: Sums) => {
    const total = sum?.previous?.total;
    return total === undefined ? '–' : money(total);
  };
  const before = nfe &&
    earlier?.complete && {
      days: period(earlier),
      purchases: previous(nfe.inbound),
      sales: previous(nfe.outbound),
    };
  const rows = present<Row>(
    row(page('column.documents'), sentences.join(' ')),
    ...files,
    before && row(report('incomplete.comparison'), report('sources.before_text', before)),
    row(report('sources.made'), `docfiscal-mcp ${version}`),
  );
  return labelled('sources', rows, voice);
}

async function contentOf(
  answers: Answers,
  basis: Basis,
  sentences: readonly string[],
  voice: ReportVoice,
  context: CallContext,
): Promise<Report> {
  const { report, language, moment } = voice;
  const { company: id, today, pending, sides } = answers;
  const warnings = sentences.filter((one) => one.startsWith('⚠')).map(withoutMark);
  const plain = sentences.filter((one) => !one.startsWith('⚠'));
  const at = moment(basis.as_of ?? new Date(context.company.now()).toISOString());
  const sections = present<Section>(
    ...(await tradeSections(answers, voice)),
    await servicesSection(answers, voice),
    taxesSection(answers, voice),
    pending && pendingSection(pending, today, voice),
    findingsSection(answers, voice),
    reconciliationSection(answers, voice),
    incompleteSection(answers, warnings, voice),
    await sourcesSection(answers, plain, voice, context),
  ).map((section, place) => ({ ...section, number: place + 1 }));
  const title = titleOf(answers, voice);
  const found = (await basis.archive.partyNames([id])).get(id);
  const name = found === undefined ? undefined : oneLine(found, longest.name);
  const company = { name, id: maskTaxId(id) };
  const figures = figuresOf(answers, voice);
  const answer = figures.map(({ label, value }) => `${label} ${value}`).join('; ');
  const incomplete = sections.find(({ id }) => id === 'incomplete')?.number ?? 0;
  const named = name ?? company.id;
  return {
    language,
    answer: present(title, named, sides.nfe && answer).join(' · '),
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

async function saveReport(
  report: Report,
  { pdf }: Whole,
  name: string,
  documents: number,
  context: CallContext,
) {
  const bytes = pdf
    ? await (await import('../../report/pdf.ts')).reportPdf(report, new Date(context.company.now()))
    : Buffer.from((await import('../../report/html.ts')).reportHtml(report));
  const file = { name, ending: pdf ? 'pdf' : 'html' };
  return saveExport(file, [bytes], () => `${name} ${documents}`, context);
}

/** Saves the month closing of a company, the tools' answers about the period, as one file. */
export async function exportReport(given: Whole, context: CallContext) {
  const { translator } = context;
  const { language } = translator;
  const voice = { ...createVoice(translator, context), report: wordsOf(reportMessages, language) };
  const today = todayOf(context);
  const args = { ...given, document: given.document ?? [...everyArea] };
  const question = await openQuestion(args, { whole: () => checkWhole(given, voice) }, context);
  const { days, company, areas, place } = question;
  if (days.from > today) throw new BadArguments([voice.report('not_begun')]);
  const { fetched, basis, cursorAt, answer } = await fetchExport(question, {}, context);
  const { total: documents, leftOut } = await countParts(fetched, {});
  const basisWords = basisSentences(basis, documents, leftOut, context);
  const isFilesAlone = basis.files?.isAlone === true;
  const asked = { company, areas, ...days, today, files: args.reconcile_files, isFilesAlone };
  const answers = basis.pending.length > 0 ? undefined : await askTools(asked, context);
  const content = answers && (await contentOf(answers, basis, basisWords, voice, context));
  const name = ['fechamento', company, days.from, days.to].join('-');
  const saved = content && (await saveReport(content, args, name, documents, context));
  const rows = saved === undefined ? 0 : documents;
  const nextCursor = saved === undefined ? await cursorAt(0, place.total) : undefined;
  return answer({ documents, leftOut, saved, rows, nextCursor }, {}, [
    basisWords,
    savedSentences(saved, context),
  ]);
}
