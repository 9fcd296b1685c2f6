import { asWord, oneLine } from '../../documents/untrusted.ts';
import type { Column, Row, Table } from '../../page/page.ts';
import type { Block, Section } from '../../report/model.ts';
import { isWaiting } from '../manifestation/waiting.ts';
import { pendingNotes, pendingTable } from '../pages/pending.ts';
import { reconcileTable } from '../pages/reconcile.ts';
import { present } from '../pages/voice.ts';
import { createReconcileWords } from '../reconcile/answer.ts';
import type { Answered, Books, CheckFinding, Checks, WaitingNotes } from './questions.ts';
import type { ReportVoice } from './words.ts';

/** Findings of checks that are named. */
const MOST_NAMED = 100;
/** Findings of the reconciliation that are named of each group. */
const MOST_OF_GROUP = 25;

const severities = ['error', 'warning', 'info'] as const;

const weight = ({ severity }: CheckFinding): number => severities.indexOf(severity);

/** The notes that wait for a manifestation today, by deadline. */
export function pendingSection(
  { data, warnings, isWhole }: Answered<WaitingNotes>,
  today: string,
  voice: ReportVoice,
): Section {
  const { report, day } = voice;
  const notes = data.pending.filter(isWaiting);
  const days = { from: day(data.from), to: day(data.to) };
  const table = pendingTable(notes, today, voice);
  const caption = report('pending.caption', { count: notes.length });
  return {
    id: 'pending',
    title: report('section.pending'),
    intro: table && report('pending.intro', days),
    blocks: present<Block>(
      table === undefined ? report('pending.none', days) : { ...table, caption, hasHeading: true },
      data.tacitly_confirmed > 0 && report('pending.tacit', { count: data.tacitly_confirmed }),
      ...pendingNotes(notes, voice),
      ...warnings,
      !isWhole && report('pending.not_all', { count: notes.length }),
    ),
  };
}

/** What a rule is called in the answer. */
export function titleIn({ by_rule }: Checks, rule: string): string {
  return by_rule.find((one) => one.rule === rule)?.title ?? rule;
}

/** Errors by rule, with how often each was found. */
export function errorsIn({ by_rule }: Checks): readonly { readonly title: string; readonly count: number }[] {
  return by_rule
    .filter(({ severity, count }) => severity === 'error' && count > 0)
    .map(({ title, rule, count }) => ({ title: title ?? rule, count }));
}

function findingsTable(data: Checks, { report, page, tell }: ReportVoice): Table {
  const sorted = data.findings.toSorted(
    (one, other) => weight(one) - weight(other) || one.rule.localeCompare(other.rule),
  );
  const said = sorted.map(({ message, todo }) => `${message}. ${todo}`);
  const column = (
    name: string,
    heading: string,
    kind: Column['kind'],
    place: Column['place'] = 'below',
  ): Column => ({ name, heading, kind, place });
  return {
    layout: 'rows',
    caption: report('section.findings'),
    columns: [
      column('finding', report('heading.finding'), 'text', 'name'),
      column('severity', report('heading.severity'), 'code', 'wide'),
      column('note', report('heading.note'), 'text'),
      column('amount', page('column.reais', { name: report('heading.amount') }), 'money', 'value'),
      column('key', '', 'key'),
    ],
    rows: sorted.slice(0, MOST_NAMED).map((one, at): Row => {
      const { rule, severity, key, number, issuer = '', issuer_name: name = issuer, amount } = one;
      // What is to be done is said once for notes of which the same was found.
      const isRepeated = said[at] === said[at - 1];
      return {
        cells: {
          finding: titleIn(data, rule),
          severity: tell(`severity.${severity}`, {}),
          note: number ?? '',
          amount,
          key,
        },
        details: { note: name, ...(!isRepeated && { finding: said[at] ?? '' }) },
      };
    }),
  };
}

/** What the rules found, the most serious first. */
export function findingsSection({ data }: Answered<Checks>, voice: ReportVoice): Section {
  const { report } = voice;
  const { documents, by_rule, total, findings } = data;
  const more = total - Math.min(MOST_NAMED, findings.length);
  return {
    id: 'findings',
    title: report('section.findings'),
    intro: report('findings.intro', { documents, rules: by_rule.length, total }),
    blocks: present<Block>(
      findings.length === 0 ? report('findings.none') : findingsTable(data, voice),
      more > 0 && report('findings.more', { count: more }),
    ),
  };
}

function filesTable(books: Books, voice: ReportVoice): Table {
  const { report, period } = voice;
  const words = createReconcileWords(voice);
  return {
    layout: 'rows',
    caption: report('heading.file'),
    columns: [
      { name: 'file', heading: report('heading.file'), kind: 'text', place: 'name' },
      { name: 'period', heading: report('heading.period'), kind: 'code', place: 'below' },
      { name: 'entries', heading: report('heading.entries'), kind: 'number', place: 'value' },
    ],
    rows: books.files.map(({ file, kind, layout, from, to, entries, notes }) => ({
      cells: {
        file: present(kind === undefined ? oneLine(file) : words.kind(kind), layout && asWord(layout)).join(
          ' ',
        ),
        period: from === undefined || to === undefined ? '–' : period({ from, to }),
        entries: entries?.toString(),
      },
      details: { file: present(kind && oneLine(file), ...notes).join('; ') },
    })),
  };
}

/** What differs from books and assessment; without files, that nothing was compared. */
export function reconciliationSection(books: Answered<Books> | undefined, voice: ReportVoice): Section {
  const { report, day } = voice;
  const section = { id: 'reconciliation', title: report('section.reconciliation') };
  if (books === undefined) return { ...section, blocks: [report('reconciliation.not_done')] };
  const { compared, deadlines, by_finding: byFinding, findings, files } = books.data;
  return {
    ...section,
    intro: compared && report('reconciliation.intro', compared),
    blocks: present<Block>(
      filesTable(books.data, voice),
      reconcileTable(byFinding, findings, MOST_OF_GROUP, voice) ?? report('reconciliation.agree'),
      files.length > 1 && report('reconciliation.several'),
      deadlines &&
        report('reconciliation.deadlines', {
          presented: day(deadlines.presented_by),
          adjust: day(deadlines.adjust_until),
        }),
    ),
  };
}
