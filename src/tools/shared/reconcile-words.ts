import { everyStatus } from '../../archive/references.ts';
import type { Book, BookNote, BookProblem } from '../../documents/books/book.ts';
import type { BookFinding } from '../../documents/books/findings.ts';
import { quoted } from '../../documents/untrusted.ts';
import { reconcileMessages } from '../../messages/apart/reconcile.ts';
import type { Translator } from '../../messages/index.ts';
import { fill, type Message, textIn } from '../../messages/message.ts';

/** Why a readable file is not compared. */
type Passed = 'replaced' | 'other_company' | 'not_allowed' | 'other_kind' | 'other_period';

export interface FileNote {
  readonly code: BookNote['code'] | Passed | 'not_asked' | 'before_2027' | 'silence';
  readonly values?: Readonly<Record<string, string | number>> | undefined;
}

/** A file named by the call: its content, or why it is unreadable. */
export interface ReadFile {
  readonly path: string;
  readonly book?: Book;
  readonly problem?: BookProblem;
}

const messages: Readonly<Record<string, Message>> = reconcileMessages;

type Values = Readonly<Record<string, string | number>>;

/** Translates the words of `reconcile`. */
export function createReconcileWords(translator: Translator) {
  const { language } = translator;
  /** Words of the first name in the catalogue. */
  const say = (names: readonly string[], values: Values = {}): string => {
    const message = names.map((name) => messages[name]).find((one) => one !== undefined);
    const shown = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        typeof value === 'number' ? value : translator.written(value),
      ]),
    );
    return message === undefined ? (names[0] ?? '') : fill(textIn(message, language), shown);
  };
  const variants = (prefix: string, { finding, variant }: BookFinding) => [
    ...(variant === undefined ? [] : [`${prefix}${finding}.${variant}`]),
    `${prefix}${finding}`,
  ];
  const fileNote = ({ code, values = {} }: FileNote) => say([`note.${code}`], values);
  return {
    written: translator.written,
    say: (name: keyof typeof reconcileMessages, values?: Values) => say([name], values),
    left: (reason: string) => say([`left.${reason}`]),
    certainty: (certainty: string) => say([`certainty.${certainty}`]),
    kind: (kind: string) => say([`kind.${kind}`]),
    message: (finding: BookFinding) => {
      const { field = '', ours = '–', theirs = '–' } = finding;
      const status = everyStatus.find((one) => one === ours);
      const shown = status === undefined ? ours : translator.tell(`status.${status}`, {});
      return say(variants('', finding), { field, ours: shown, theirs });
    },
    todo: (finding: BookFinding) => say(variants('todo.', finding)),
    notes: ({ book, problem }: ReadFile, passed: FileNote | undefined) => [
      ...(problem === undefined ? [] : [say([`refused.${problem}`])]),
      ...(passed === undefined ? [] : [fileNote(passed)]),
      ...(book?.notes ?? []).map(fileNote),
    ],
    problem: ({ path, problem }: ReadFile) => `${quoted(path)} ${say([`refused.${problem}`])}`,
  };
}

export type ReconcileWords = ReturnType<typeof createReconcileWords>;
