import { asWord, oneLine } from '../../documents/untrusted.ts';
import type { Row, Table } from '../../page/page.ts';
import type { Block, Section } from '../../report/model.ts';
import type { FindingOutput } from '../check/check.ts';
import { isWaiting } from '../manifestation/waiting.ts';
import { pendingNotes, pendingTable } from '../pages/pending.ts';
import { reconcileTable } from '../pages/reconcile.ts';
import { column, present } from '../pages/voice.ts';
import { createReconcileWords } from '../reconcile/answer.ts';
import type { Books, Checks, ReportVoice, WaitingNotes } from './asking.ts';

/** Findings of checks that are named. */
const MOST_NAMED = 100;
/** Findings of the reconciliation that are named of each group. */
const MOST_OF_GROUP = 25;

/** The notes that wait for a manifestation today, by deadline. */
export function pendingSection(data: WaitingNotes, today: string, voice: ReportVoice): Section {
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
      ...data.remarks,
      !data.isWhole && report('pending.not_all', { count: notes.length }),
    ),
  };
}

/** Title of a rule in the answer. */
export function titleIn({ by_rule }: Checks, rule: string): string {
  return by_rule.find((one) => one.rule === rule)?.title ?? rule;
}

/** Errors by rule, with how often each was found. */
export function errorsIn({ by_rule }: Checks): readonly { readonly title: string; readonly count: number }[] {
  return by_rule
    .filter(({ severity, count }) => severity === 'error' && count > 0)
    .map(({ title, rule, count }) => ({ title: title ?? rule, count }));
}

const severities = ['error', 'warning', 'info'] as const;
const weight = ({ severity }: FindingOutput): number => severities.indexOf(severity);

function findingsTable(data: Checks, { report, page, tell }: ReportVoice): Table {
  const sorted = data.findings.toSorted(
    (one, other) => weight(one) - weight(other) || one.rule.localeCompare(other.rule),
  );
  const said = sorted.map(({ message, todo }) => `${message}. ${todo}`);
  return {
    layout: 'rows',
    caption: report('section.findings'),
    columns: [
      column('finding', report('heading.finding'), 'text', 'name'),
      column('severity', report('heading.severity'), 'code', 'wide'),
      column('note', report('heading.note'), 'text', 'below'),
      column('amount', page('column.reais', { name: report('heading.amount') }), 'money', 'value'),
      column('key', '', 'key', 'below'),
    ],
    rows: sorted.slice(0, MOST_NAMED).map((one, at): Row => {
      const { rule, severity, key, number = '', issuer = '', issuer_name: name = issuer, amount } = one;
      const finding = titleIn(data, rule);
      // The advice is shown once for consecutive notes with the same finding.
      const isRepeated = said[at] === said[at - 1];
      return {
        cells: { finding, severity: tell(`severity.${severity}`, {}), note: number, amount, key },
        details: { note: name, ...(!isRepeated && { finding: said[at] ?? '' }) },
      };
    }),
  };
}

/** Findings of the rules, the most serious first. */
export function findingsSection(data: Checks, voice: ReportVoice): Section {
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

function filesTable({ files }: Books, voice: ReportVoice): Table {
  const { report, period } = voice;
  const words = createReconcileWords(voice);
  return {
    layout: 'rows',
    caption: report('heading.file'),
    columns: [
      column('file', report('heading.file'), 'text', 'name'),
      column('period', report('heading.period'), 'code', 'below'),
      column('entries', report('heading.entries'), 'number', 'value'),
    ],
    rows: files.map(({ file, kind, layout, from, to, entries, notes }) => {
      const name = kind === undefined ? oneLine(file) : words.kind(kind);
      return {
        cells: {
          file: present(name, layout && asWord(layout)).join(' '),
          period: from === undefined || to === undefined ? '–' : period({ from, to }),
          entries: entries?.toString(),
        },
        details: { file: present(kind && oneLine(file), ...notes).join('; ') },
      };
    }),
  };
}

/** Differences from books and assessment; without files, the statement that nothing was compared. */
export function reconciliationSection(books: Books | undefined, voice: ReportVoice): Section {
  const { report, day } = voice;
  const section = { id: 'reconciliation', title: report('section.reconciliation') };
  if (books === undefined) return { ...section, blocks: [report('reconciliation.not_done')] };
  const { compared, deadlines, by_finding: byFinding, findings, files } = books;
  return {
    ...section,
    intro: compared && report('reconciliation.intro', compared),
    blocks: present<Block>(
      filesTable(books, voice),
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
