import type { BookFinding } from '../../documents/books/findings.ts';
import { reportMessages } from '../../messages/apart/report.ts';
import { type Words, wordsOf } from '../../messages/message.ts';
import type { Call, Column, Figure, Group, Page, Row } from '../../views/page.ts';
import type { ReconcileOutput } from '../shared/reconcile-output.ts';
import { createReconcileWords } from '../shared/reconcile-words.ts';
import { type Answered, type Asked, companyOf, surroundings, withoutDays } from './answered.ts';
import { periodName } from './headings.ts';
import type { Voice } from './voice.ts';

/** An answer of `reconcile`, with its findings before words were made of them. */
export interface AnsweredReconcile extends Answered {
  readonly files: ReconcileOutput['files'];
  readonly compared?: ReconcileOutput['compared'];
  readonly by_finding: ReconcileOutput['by_finding'];
  readonly not_compared: ReconcileOutput['not_compared'];
  readonly deadlines?: ReconcileOutput['deadlines'];
  readonly total: number;
  readonly found: readonly BookFinding[];
}

/** Findings that a page has; all are counted and added up. */
const MOST_FINDINGS = 500;
/** Findings of a group that are shown at once. */
const SHOWN = 5;

/** What of a finding can be opened: the document by its key. */
function documentCall(key: string | undefined): Call | undefined {
  const document = { '55': 'nfe', '65': 'nfe', '57': 'cte', '67': 'cte' }[key?.slice(20, 22) ?? ''];
  return key?.length === 44 && document ? { tool: 'get_document', args: { document, key } } : undefined;
}

const reportWords = ({ language }: Voice): Words<typeof reportMessages> => wordsOf(reportMessages, language);

function rowOf(found: BookFinding, { speak }: Asked): Row {
  const { key, number, issuer, issuer_name: name, amount } = found;
  return {
    cells: {
      note: number ?? key?.slice(25, 34).replace(/^0+/, '') ?? '–',
      what: speak((voice) => createReconcileWords(voice).message(found)),
      amount,
      key,
    },
    details: { note: name ?? issuer ?? '' },
    opens: documentCall(key),
  };
}

function columnsOf({ speak }: Asked): Column[] {
  const heading = (name: 'note' | 'what' | 'amount' | 'key') =>
    speak(({ page }) => page(`reconcile.${name}`));
  return [
    { name: 'note', heading: heading('note'), kind: 'text', place: 'name' },
    { name: 'what', heading: heading('what'), kind: 'text', place: 'below' },
    { name: 'amount', heading: heading('amount'), kind: 'money', place: 'value' },
    { name: 'key', heading: heading('key'), kind: 'key', place: 'wide' },
  ];
}

/** One group for each finding and certainty, in the order of the answer. */
function groupsOf({ by_finding: groups, found }: AnsweredReconcile, asked: Asked): Group[] {
  const { speak } = asked;
  return groups.map(({ finding, certainty, count, amount }) => {
    const own = found
      .slice(0, MOST_FINDINGS)
      .filter((one) => one.finding === finding && one.certainty === certainty);
    const [first] = own;
    const isAlike = own.every(({ variant }) => variant === first?.variant);
    return {
      heading: speak(
        (voice) =>
          `${reportWords(voice)(`finding.${finding}`)}, ${createReconcileWords(voice).certainty(certainty)}`,
      ),
      // Variants of a finding ask for different things.
      note: isAlike && first ? speak((voice) => createReconcileWords(voice).todo(first)) : undefined,
      tone: certainty === 'certain' ? ('bad' as const) : ('soon' as const),
      sum: amount,
      count: speak(({ page }) => page('reconcile.count', { count })),
      rows: own.map((one) => rowOf(one, asked)),
      shown: SHOWN,
    };
  });
}

function figuresOf({ compared, total, deadlines }: AnsweredReconcile, { speak }: Asked): Figure[] {
  if (compared === undefined) return [];
  const { entries, documents, agree } = compared;
  return [
    { value: speak(({ page }) => page('reconcile.count', { count: total })), note: '', leads: true },
    { value: String(entries), note: speak(({ page }) => page('reconcile.entries')) },
    { value: String(documents), note: speak(({ page }) => page('reconcile.documents')) },
    deadlines === undefined
      ? { value: String(agree), note: speak(({ page }) => page('reconcile.agree')) }
      : {
          value: speak(({ shortDay }) => shortDay(deadlines.adjust_until)),
          note: speak(({ page }) => page('reconcile.adjust')),
        },
  ];
}

/** The page of what `reconcile` found in books, an assessment or a list. */
export async function reconcilePage(answer: AnsweredReconcile, asked: Asked): Promise<Page> {
  const { speak, subject, archive } = asked;
  const { files, total, not_compared: left } = answer;
  const around = surroundings(answer, asked);
  const headingIn = (voice: Voice) =>
    `${voice.page('reconcile.heading', { period: periodName(subject, voice) })}${withoutDays(answer, voice)}`;
  const groups = groupsOf(answer, asked);
  const parts = files.filter(({ whole }) => whole === false);
  return {
    company: await companyOf(answer.company, archive),
    heading: speak(headingIn),
    answer: speak((voice) => `${headingIn(voice)} · ${voice.page('reconcile.count', { count: total })}`),
    figures: figuresOf(answer, asked),
    ...around,
    notices: [
      ...around.notices,
      ...parts.map(({ file }) => ({ strong: speak(({ page }) => page('reconcile.cut', { file })) })),
      ...(left.length === 0
        ? []
        : [
            {
              strong: speak(({ page }) => page('reconcile.left')),
              text: speak((voice) =>
                left
                  .map(({ reason, count }) => `${count} ${createReconcileWords(voice).left(reason)}`)
                  .join('; '),
              ),
            },
          ]),
    ],
    ...(total === 0 && { reasons: [speak(({ page }) => page('reconcile.none'))] }),
    tables:
      groups.length === 0
        ? []
        : [
            {
              layout: 'rows',
              caption: speak(({ page }) => page('reconcile.caption')),
              columns: columnsOf(asked),
              groups,
              rows: [],
            },
          ],
    notes: files.map(({ file, kind, company = '', entries = 0 }) =>
      speak((voice) =>
        voice.page('reconcile.file', {
          file,
          kind: kind === undefined ? '–' : createReconcileWords(voice).kind(kind),
          company,
          entries,
        }),
      ),
    ),
  };
}
