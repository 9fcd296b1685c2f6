import { referenceOfKey } from '../../archive/references.ts';
import type { CallContext } from '../../company/call-context.ts';
import type { BookFinding } from '../../documents/books/findings.ts';
import { reportMessages } from '../../messages/apart/report.ts';
import { wordsOf } from '../../messages/message.ts';
import type { Figure, Notice, Page, Row, Table } from '../../page/page.ts';
import type { ReconcileOutput } from '../reconcile/answer.ts';
import { createReconcileWords } from '../reconcile/words.ts';
import { type About, pageOfAnswer, surroundings, withoutDays } from './asked.ts';
import { column, periodName, present, type Voice } from './voice.ts';

/** An answer of `reconcile`, with its findings before words were made of them. */
type AnsweredReconcile = Omit<ReconcileOutput, 'findings'> & { readonly found: readonly BookFinding[] };

/** Findings that a page has; all are counted and added up. */
const MOST_FINDINGS = 500;
/** Findings of a group that are shown at once. */
const SHOWN = 5;

type Finding = Omit<ReconcileOutput['findings'][number], 'line' | 'file'>;

function rowOf({ key, number, issuer = '', issuer_name: name, amount, message }: Finding): Row {
  const note = number ?? key?.slice(25, 34).replace(/^0+/, '') ?? '–';
  const reference = key === undefined ? undefined : referenceOfKey(key);
  return {
    cells: { note, what: message, amount, key },
    details: { note: name ?? issuer },
    opens: reference && { tool: 'get_document', args: { ...reference } },
  };
}

/**
 * Findings in groups by finding and certainty, each with its sum and so many of it at once; undefined where nothing was
 * found.
 */
export function reconcileTable(
  groups: ReconcileOutput['by_finding'],
  found: readonly Finding[],
  shown: number,
  voice: Voice,
): Table | undefined {
  const { page } = voice;
  const words = createReconcileWords(voice);
  const name = wordsOf(reportMessages, voice.language);
  if (groups.length === 0) return undefined;
  return {
    layout: 'rows',
    caption: page('reconcile.caption'),
    columns: [
      column('note', page('reconcile.note'), 'text', 'name'),
      column('what', page('reconcile.what'), 'text', 'below'),
      column('amount', page('column.reais', { name: name('heading.amount') }), 'money', 'value'),
      column('key', voice.name('column', 'key'), 'key', 'wide'),
    ],
    groups: groups.map(({ finding, certainty, count, amount }) => {
      const own = found.filter((one) => one.finding === finding && one.certainty === certainty);
      // Variants of a finding ask for different things.
      const [todo, ...others] = new Set(own.map((one) => one.todo));
      return {
        heading: `${name(`finding.${finding}`)}, ${words.certainty(certainty)}`,
        note: others.length === 0 ? todo : undefined,
        tone: certainty === 'certain' ? 'bad' : 'soon',
        sum: amount,
        total: count,
        count: page('reconcile.count', { count }),
        rows: own.map(rowOf),
        shown,
      };
    }),
    rows: [],
  };
}

function figuresOf({ compared, total, deadlines }: AnsweredReconcile, { page, shortDay }: Voice): Figure[] {
  if (compared === undefined) return [];
  const { entries, documents, agree } = compared;
  return [
    { value: page('reconcile.count', { count: total }), note: '', leads: true },
    { value: String(entries), note: page('reconcile.entries') },
    { value: String(documents), note: page('reconcile.documents') },
    deadlines === undefined
      ? { value: String(agree), note: page('reconcile.agree') }
      : { value: shortDay(deadlines.adjust_until), note: page('reconcile.adjust') },
  ];
}

/** The page of what `reconcile` found in books, an assessment or a list. */
export function reconcilePage(answer: AnsweredReconcile, about: About, context: CallContext): Promise<Page> {
  const { files, total, not_compared: left, by_finding: groups } = answer;
  return pageOfAnswer(answer, about, context, (asked) => {
    const { voice, subject } = asked;
    const { page } = voice;
    const words = createReconcileWords(voice);
    const found = answer.found
      .slice(0, MOST_FINDINGS)
      .map((one) => ({ ...one, message: words.message(one), todo: words.todo(one) }));
    const around = surroundings(answer, asked);
    const name = page('reconcile.heading', { period: periodName(subject, voice) });
    const heading = `${name}${withoutDays(answer, voice)}`;
    return {
      ...around,
      heading,
      answer: `${heading} · ${page('reconcile.count', { count: total })}`,
      figures: figuresOf(answer, voice),
      notices: present<Notice>(
        ...around.notices,
        ...files.map(({ file, whole }) => whole === false && { strong: page('reconcile.cut', { file }) }),
        left.length > 0 && {
          strong: words.say('text.not_compared'),
          text: left.map(({ reason, count }) => `${count} ${words.left(reason)}`).join('; '),
        },
      ),
      ...(total === 0 && { reasons: [page('reconcile.none')] }),
      tables: present(reconcileTable(groups, found, SHOWN, voice)),
      notes: files.map(({ file, kind, company = '', entries = 0 }) =>
        page('reconcile.file', { file, kind: kind === undefined ? '–' : words.kind(kind), company, entries }),
      ),
    };
  });
}
