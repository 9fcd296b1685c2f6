import { everyStatus } from '../../archive/references.ts';
import type { Book, BookKind, BookProblem } from '../../documents/books/book.ts';
import type { BookFinding, Certainty } from '../../documents/books/findings.ts';
import { quoted } from '../../documents/untrusted.ts';
import { reconcileMessages } from '../../messages/apart/reconcile.ts';
import type { Translator } from '../../messages/index.ts';
import type { Message } from '../../messages/message.ts';
import { sentences } from '../shared/definition.ts';

type Values = Readonly<Record<string, string | number>>;

type Key = keyof typeof reconcileMessages;
type NoteCode<Name> = Name extends `note.${infer Code}` ? Code : never;

export interface FileNote {
  readonly code: NoteCode<Key>;
  readonly values?: Values | undefined;
}

/** A file named by the call: what it holds, or why it is unreadable. */
export interface ReadFile {
  readonly path: string;
  readonly book?: Book | undefined;
  readonly problem?: BookProblem | undefined;
  /** Why it is not compared. */
  readonly passed?: FileNote | undefined;
  readonly tally?: { readonly entries: number; readonly sums?: Readonly<Record<string, string>> } | undefined;
}

const anyOf: Readonly<Record<string, Message>> = reconcileMessages;

export function createReconcileWords({ textOf, written, tell }: Translator) {
  const say = (key: Key, values: Values = {}) => textOf(reconcileMessages[key], values);
  /** Words of a finding's variant, or those that all of its variants share. */
  const about = (prefix: '' | 'todo.', { finding, variant }: BookFinding, values: Values = {}) => {
    const message = anyOf[`${prefix}${finding}.${variant}`] ?? anyOf[`${prefix}${finding}`];
    return message === undefined ? finding : textOf(message, values);
  };
  return {
    written,
    say,
    kind: (name: BookKind) => say(`kind.${name}`),
    left(reason: string) {
      const message = anyOf[`left.${reason}`];
      return message === undefined ? reason : textOf(message, {});
    },
    certainty: (name: Certainty) => say(`certainty.${name}`),
    deadlines: (days: { readonly presented_by: string; readonly adjust_until: string }) =>
      say('text.deadlines', { presented: days.presented_by, adjust: days.adjust_until }),
    message(found: BookFinding) {
      const { field = '', ours = '–', theirs = '–' } = found;
      const status = everyStatus.find((one) => one === ours);
      return about('', found, { field, ours: status ? tell(`status.${status}`, {}) : ours, theirs });
    },
    todo: (found: BookFinding) => about('todo.', found),
    notes({ book, problem, passed }: ReadFile) {
      const notes = [passed ?? [], book?.notes ?? []].flat();
      return sentences(
        problem && say(`refused.${problem}`),
        notes.map(({ code, values }) => say(`note.${code}`, values)),
      );
    },
    problem: ({ path, problem }: ReadFile) => `${quoted(path)} ${problem && say(`refused.${problem}`)}`,
  };
}

export type ReconcileWords = ReturnType<typeof createReconcileWords>;
