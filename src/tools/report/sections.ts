import { severities } from '../../documents/rules/rule.ts';
import { kindName } from '../../documents/summary/summary.ts';
import { asWord, oneLine } from '../../documents/untrusted.ts';
import type { Column, Row } from '../../page/page.ts';
import type { Block, Section } from '../../report/model.ts';
import type { FindingOutput } from '../check/check.ts';
import { isWaiting } from '../manifestation/waiting.ts';
import { groupTable, kindsOf } from '../pages/groups.ts';
import { pendingNotes, pendingTable } from '../pages/pending.ts';
import { reconcileTable } from '../pages/reconcile.ts';
import { column, present } from '../pages/voice.ts';
import { createReconcileWords } from '../reconcile/words.ts';
import {
  type Answers,
  type ReportVoice,
  rowsOr,
  type Sides,
  type Sums,
  sectionOf,
  sumOf,
  taxes,
  titleIn,
  type WaitingNotes,
} from './answers.ts';

/** Rows of a table; the others follow as one row. */
const largest = { share: true, limit: 25, order_by: '-total' };

const isZero = (amount: unknown): boolean => amount === undefined || /^0(?:\.0+)?$/.test(String(amount));

interface Shape {
  readonly without?: readonly string[];
  readonly headings?: Readonly<Record<string, string>>;
  /** Sentence for an empty answer. */
  readonly none?: string;
}

/** The groups of an answer as in views, without columns of zeros; a sentence for an empty answer. */
function sumsTable(
  sums: Sums,
  caption: string,
  voice: ReportVoice,
  { without = [], headings = {}, none = voice.report('none', { table: caption }) }: Shape = {},
): Block {
  const [kind] = kindsOf(sums, { ...sums.question, voice });
  if (sums.documents === 0 || kind === undefined) return none;
  const table = groupTable(kind);
  const hasValue = ({ name, kind: form, place }: Column) =>
    form !== 'money' || place === 'value' || !isZero(table.total?.cells[name]);
  const columns = table.columns
    .filter((one) => !without.includes(one.name) && hasValue(one))
    .map((one) => ({ ...one, heading: headings[one.name] ?? one.heading }));
  // On narrow screens there is room for the first amount and the last.
  const amounts = columns.filter(({ kind: form }) => form === 'money').slice(1, -1);
  const placed = columns.map((one) => (amounts.includes(one) ? { ...one, place: 'wide' as const } : one));
  return { ...table, caption, hasHeading: true, columns: placed };
}

const trade = [
  ['purchases', 'inbound', 'table.by_supplier', 'table.by_issuer_cfop'],
  ['sales', 'outbound', 'table.by_customer', 'table.by_cfop'],
] as const;

/** Purchases and sales, by counterparty and by CFOP. */
export async function tradeSections({ areas, sums }: Answers, voice: ReportVoice): Promise<Section[]> {
  const { report } = voice;
  const sections: Section[] = [];
  for (const [id, direction, byParty, byCfop] of areas.includes('nfe') ? trade : []) {
    const measures = ['count', 'total', 'icms'];
    const parties = await sums('nfe', direction, { ...largest, group_by: ['counterparty'], measures });
    const codes = await sums('nfe', direction, { ...largest, group_by: ['cfop'], measures: ['total'] });
    const blocks = [
      sumsTable(parties, report(byParty), voice),
      parties.documents > 0 && sumsTable(codes, report(byCfop), voice),
    ];
    sections.push(sectionOf(id, voice, blocks));
  }
  return sections;
}

const withheld = ['iss_withheld', 'irrf', 'csll', 'inss', 'pis_withheld', 'cofins_withheld'];

async function nfseBlocks(
  { sums }: Answers,
  { outbound: issued }: Sides,
  voice: ReportVoice,
): Promise<Block[]> {
  const { report, money, page } = voice;
  const providers = await sums('nfse', 'inbound', {
    ...{ ...largest, group_by: ['counterparty'], order_by: '-services' },
    measures: ['count', 'services', ...withheld, 'total'],
  });
  const { services = '0', iss = '0', iss_withheld: kept = '0' } = sumOf(issued);
  const headings = {
    counterparty: page('party.provider'),
    count: page('column.notes'),
    total: page('column.reais', { name: report('heading.net') }),
  };
  // The columns of withholdings need the room.
  const shape = { without: ['counterparty_id', 'share'], headings };
  const beside = Object.values(providers.beside ?? {}).filter((amount) => !isZero(amount));
  const rendered = { gross: money(services), iss: money(iss), withheld: money(kept) };
  return present<Block>(
    sumsTable(providers, report('table.services'), voice, shape),
    ...beside.map((amount) => report('services.beside', { amount: money(amount) })),
    issued.documents > 0 && report('services.given', { count: issued.documents, ...rendered }),
  );
}

async function cteBlocks(
  { sums }: Answers,
  { outbound: issued }: Sides,
  voice: ReportVoice,
): Promise<Block[]> {
  const { report, money } = voice;
  const byCarrier = { ...largest, group_by: ['issuer'], measures: ['count', 'total', 'icms'] };
  const carriers = await sums('cte', 'inbound', byCarrier);
  const all = await sums('cte', 'inbound', { measures: ['count', 'total'] }, true);
  const headings = { issuer: report('heading.carrier'), count: kindName('cte') };
  const counted = (some: Sums) => ({ count: some.documents, amount: money(sumOf(some).total ?? '0') });
  return present<Block>(
    sumsTable(carriers, report('table.freight'), voice, { headings, none: report('freight.none') }),
    all.documents > carriers.documents && report('freight.all', counted(all)),
    issued.documents > 0 && report('freight.given', counted(issued)),
  );
}

/** Services and freight, for the kinds requested. */
export async function servicesSection(answers: Answers, voice: ReportVoice): Promise<Section | undefined> {
  const { nfse, cte } = answers.sides;
  if (nfse === undefined && cte === undefined) return undefined;
  return sectionOf('services', voice, [
    ...(nfse ? await nfseBlocks(answers, nfse, voice) : []),
    ...(cte ? await cteBlocks(answers, cte, voice) : []),
    voice.report('never_added'),
  ]);
}

/** Taxes shown in documents, a row for each kind of document. */
export function taxesSection({ areas, sides }: Answers, voice: ReportVoice): Section {
  const { report, page, name: named } = voice;
  const rows = taxes.flatMap((name) =>
    areas.flatMap((area): Row[] => {
      const [bought, sold] = [sides[area]?.inbound, sides[area]?.outbound].map(
        (one) => one && sumOf(one)[name],
      );
      if (isZero(bought) && isZero(sold)) return [];
      return [{ cells: { tax: named('column', name), kind: kindName(area), sold, bought } }];
    }),
  );
  const reais = (name: string) => page('column.reais', { name });
  const columns = [
    column('tax', report('heading.tax'), 'text', 'name'),
    column('kind', named('column', 'document'), 'code', 'below'),
    column('sold', reais(report('heading.outbound')), 'money', 'value'),
    column('bought', reais(report('heading.inbound')), 'money', 'below'),
  ];
  const hasFreight = (sides.cte?.inbound.documents ?? 0) > 0;
  const table = rowsOr(report('taxes.none'), report('table.taxes'), columns, rows);
  const blocks = [
    typeof table === 'string' ? table : { ...table, hasHeading: true },
    hasFreight && report('taxes.cte_paid'),
  ];
  return sectionOf('taxes', voice, blocks, report('taxes.intro'));
}

/** The notes that wait for a manifestation today, by deadline. */
export function pendingSection(data: WaitingNotes, today: string, voice: ReportVoice): Section {
  const { report, day } = voice;
  const notes = data.pending.filter(isWaiting);
  const days = { from: day(data.from), to: day(data.to) };
  const table = pendingTable(notes, today, voice);
  const caption = report('pending.caption', { count: notes.length });
  const blocks = [
    table === undefined ? report('pending.none', days) : { ...table, caption, hasHeading: true },
    data.tacitly_confirmed > 0 && report('pending.tacit', { count: data.tacitly_confirmed }),
    ...pendingNotes(notes, voice),
    ...data.remarks,
    !data.isWhole && report('pending.not_all', { count: notes.length }),
  ];
  return sectionOf('pending', voice, blocks, table && report('pending.intro', days));
}

/** Findings of checks that are named. */
const MOST_NAMED = 100;

const weight = ({ severity }: FindingOutput): number => severities.indexOf(severity);

/** Findings of the rules, the most serious first. */
export function findingsSection({ checks }: Answers, voice: ReportVoice): Section {
  const { report, page, tell } = voice;
  const { documents, by_rule, total, findings } = checks;
  const sorted = findings.toSorted(
    (one, other) => weight(one) - weight(other) || one.rule.localeCompare(other.rule),
  );
  const said = sorted.map(({ message, todo }) => `${message}. ${todo}`);
  const rows = sorted.slice(0, MOST_NAMED).map((one, at): Row => {
    const { rule, severity, key, number = '', issuer = '', issuer_name: name = issuer, amount } = one;
    const words = tell(`severity.${severity}`, {});
    // The advice is shown once for consecutive notes with the same finding.
    const isRepeated = said[at] === said[at - 1];
    return {
      cells: { finding: titleIn(checks, rule), severity: words, note: number, amount, key },
      details: { note: name, ...(!isRepeated && { finding: said[at] ?? '' }) },
    };
  });
  const columns = [
    column('finding', page('reconcile.what'), 'text', 'name'),
    column('severity', report('heading.severity'), 'code', 'wide'),
    column('note', page('waiting.note'), 'text', 'below'),
    column('amount', page('column.reais', { name: report('heading.amount') }), 'money', 'value'),
    column('key', '', 'key', 'below'),
  ];
  const more = total - rows.length;
  const blocks = [
    rowsOr(report('findings.none'), report('section.findings'), columns, rows),
    more > 0 && report('findings.more', { count: more }),
  ];
  const intro = report('findings.intro', { documents, rules: by_rule.length, total });
  return sectionOf('findings', voice, blocks, intro);
}

type Books = NonNullable<Answers['books']>;

/** Findings of the reconciliation that are named of each group. */
const MOST_OF_GROUP = 25;

function filesTable({ files }: Books, voice: ReportVoice): Block {
  const { report, period } = voice;
  const words = createReconcileWords(voice);
  const columns = [
    column('file', report('sources.file'), 'text', 'name'),
    column('period', voice.say('export.period'), 'code', 'below'),
    column('entries', report('heading.entries'), 'number', 'value'),
  ];
  const rows = files.map(({ file, kind, layout, from, to, entries, notes }): Row => {
    const name = kind === undefined ? oneLine(file) : words.kind(kind);
    return {
      cells: {
        file: present(name, layout && asWord(layout)).join(' '),
        period: from === undefined || to === undefined ? '–' : period({ from, to }),
        entries: entries?.toString(),
      },
      details: { file: present(kind && oneLine(file), ...notes).join('; ') },
    };
  });
  return rowsOr('', report('sources.file'), columns, rows);
}

/** Differences from books and assessment; without files, the statement that nothing was compared. */
export function reconciliationSection({ books }: Answers, voice: ReportVoice): Section {
  const { report, page } = voice;
  if (books === undefined) return sectionOf('reconciliation', voice, [report('reconciliation.not_done')]);
  const words = createReconcileWords(voice);
  const { compared, deadlines, by_finding: byFinding, findings, files } = books;
  const blocks = [
    filesTable(books, voice),
    reconcileTable(byFinding, findings, MOST_OF_GROUP, voice) ?? page('reconcile.none'),
    files.length > 1 && report('reconciliation.several'),
    deadlines && words.deadlines(deadlines),
  ];
  return sectionOf('reconciliation', voice, blocks, compared && words.say('text.compared', compared));
}
