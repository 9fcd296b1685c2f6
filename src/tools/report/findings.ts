import { asWord, oneLine } from '../../documents/untrusted.ts';
import type { Block, Section } from '../../report/model.ts';
import { createReconcileWords } from '../shared/reconcile-words.ts';
import type { Answered, Books, CheckFinding, Checks } from './questions.ts';
import { noteCell } from './waiting.ts';
import { cell, type Pen } from './words.ts';

const MOST_NAMED = 100;

const severities = ['error', 'warning', 'info'] as const;

const weight = ({ severity }: CheckFinding): number => severities.indexOf(severity);

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

/** What the rules found, the most serious first. */
export function findingsSection({ data }: Answered<Checks>, pen: Pen): Section {
  const { say, amount, translator } = pen;
  const { documents, by_rule, total } = data;
  const sorted = [...data.findings].sort(
    (one, other) => weight(one) - weight(other) || one.rule.localeCompare(other.rule),
  );
  const said = sorted.map(({ message, todo }) => `${message}. ${todo}`);
  const rows = sorted.slice(0, MOST_NAMED).map((finding, at) => [
    {
      text: titleIn(data, finding.rule),
      detail: `(${translator.tell(`severity.${finding.severity}`, {})})`,
      // What is to be done is said once for notes of which the same was found.
      below: said[at] === said[at - 1] ? undefined : said[at],
    },
    noteCell(finding, pen),
    cell(amount(finding.amount)),
  ]);
  const more = total - rows.length;
  const note = (text: string): Block => ({ kind: 'note', text });
  return {
    id: 'findings',
    title: say('section.findings'),
    intro: say('findings.intro', { documents, rules: by_rule.length, total }),
    blocks: [
      rows.length === 0
        ? note(say('findings.none'))
        : {
            kind: 'table',
            columns: [
              { heading: say('heading.finding'), form: 'text' },
              { heading: say('heading.note'), form: 'text' },
              { heading: say('heading.amount_reais'), form: 'number' },
            ],
            rows,
          },
      ...(more > 0 ? [note(say('findings.more', { count: more }))] : []),
    ],
  };
}

function filesTable(books: Books, pen: Pen): Block {
  const { say, translator } = pen;
  const words = createReconcileWords(translator);
  return {
    kind: 'table',
    columns: [
      { heading: say('heading.file'), form: 'text' },
      { heading: say('heading.period'), form: 'text' },
      { heading: say('heading.entries'), form: 'number' },
    ],
    rows: books.files.map(({ file, kind, layout, from, to, entries, notes }) => [
      {
        text: kind === undefined ? oneLine(file) : words.kind(kind),
        detail: layout === undefined ? undefined : asWord(layout),
        below: [kind === undefined ? '' : oneLine(file), ...notes].filter((one) => one !== '').join('; '),
      },
      cell(from === undefined || to === undefined ? '–' : translator.period({ from, to })),
      cell(entries === undefined ? '–' : String(entries)),
    ]),
  };
}

function booksTables(books: Books, pen: Pen): Block[] {
  const { say, amount, translator } = pen;
  const words = createReconcileWords(translator);
  const { by_finding, findings, total } = books;
  if (total === 0) return [{ kind: 'note', text: say('reconciliation.agree') }];
  const shown = findings.slice(0, MOST_NAMED);
  const more = total - shown.length;
  return [
    {
      kind: 'table',
      caption: say('reconciliation.summary'),
      remark: say('reais'),
      columns: [
        { heading: say('heading.finding'), form: 'text' },
        { heading: say('heading.certainty'), form: 'id' },
        { heading: say('heading.count'), form: 'number' },
        { heading: say('heading.at_stake'), form: 'number' },
      ],
      rows: by_finding.map(({ finding, certainty, count, amount: stake }) => [
        cell(say(`finding.${finding}`)),
        cell(words.certainty(certainty)),
        cell(String(count)),
        cell(amount(stake)),
      ]),
    },
    {
      kind: 'table',
      caption: say('reconciliation.findings'),
      remark: say('reais'),
      columns: [
        { heading: say('heading.finding'), form: 'text' },
        { heading: say('heading.note'), form: 'text' },
        { heading: say('heading.certainty'), form: 'id' },
        { heading: say('heading.at_stake'), form: 'number' },
      ],
      rows: shown.map((one) => [
        { text: one.message, below: `${one.todo} (${oneLine(one.file)})` },
        noteCell(one, pen),
        cell(words.certainty(one.certainty)),
        cell(amount(one.amount)),
      ]),
    },
    ...(more > 0 ? [{ kind: 'note' as const, text: say('reconciliation.more', { count: more }) }] : []),
  ];
}

/** What differs from books and assessment; without files, that nothing was compared. */
export function reconciliationSection(books: Answered<Books> | undefined, pen: Pen): Section {
  const { say, day } = pen;
  const section = { id: 'reconciliation', title: say('section.reconciliation') };
  if (books === undefined) {
    return { ...section, blocks: [{ kind: 'note', text: say('reconciliation.not_done') }] };
  }
  const { data } = books;
  const { compared, deadlines } = data;
  return {
    ...section,
    intro: compared && say('reconciliation.intro', compared),
    blocks: [
      filesTable(data, pen),
      ...booksTables(data, pen),
      ...(data.files.length > 1 ? [{ kind: 'note' as const, text: say('reconciliation.several') }] : []),
      ...(deadlines === undefined
        ? []
        : [
            {
              kind: 'note' as const,
              text: say('reconciliation.deadlines', {
                presented: day(deadlines.presented_by),
                adjust: day(deadlines.adjust_until),
              }),
            },
          ]),
    ],
  };
}
