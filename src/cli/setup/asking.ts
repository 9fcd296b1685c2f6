import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { readSetting } from '../../config/configure.ts';
import { type Settings, settings } from '../../config/settings.ts';
import { setupMessages } from '../../messages/apart/setup.ts';
import { createTranslator } from '../../messages/index.ts';
import { wordsOf } from '../../messages/message.ts';
import { describeProblem, expectedForm } from '../standard-error.ts';

/** Ctrl+C or the end of input. */
export class Interrupted extends Error {}

export interface Terminal {
  say(...lines: readonly string[]): void;
  /** The trimmed answer. @throws Interrupted */
  ask(question: string): Promise<string>;
  /** An answer without echo, untrimmed. @throws Interrupted */
  askHidden(question: string): Promise<string>;
}

/** Asks once and releases the terminal, so that Ctrl+C between questions ends the program. */
function askOnce(question: string, isHidden: boolean): Promise<string> {
  let isEchoing = true;
  const write: Writable['_write'] = (chunk, _encoding, done) => {
    if (isEchoing) process.stdout.write(chunk);
    done();
  };
  const output = Object.assign(new Writable({ write }), { columns: process.stdout.columns });
  const lines = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
  return new Promise((resolve, reject) => {
    lines.once('SIGINT', () => lines.close());
    // No effect after an answer.
    lines.once('close', () => reject(new Interrupted()));
    lines.question(question, (answer) => {
      resolve(answer);
      lines.close();
      if (isHidden) process.stdout.write('\n');
    });
    isEchoing = !isHidden;
  });
}

export const ownTerminal: Terminal = {
  say: (...lines) => void process.stdout.write(lines.map((line) => `${line}\n`).join('')),
  ask: async (question) => (await askOnce(question, false)).trim(),
  askHidden: (question) => askOnce(question, true),
};

/** An address typed without a scheme is meant over https. */
export function withScheme(text: string): string {
  return text === '' || /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`;
}

export type Dialogue = ReturnType<typeof createDialogue>;

/** Asks in a language until answers are valid. Every question throws `Interrupted` on Ctrl+C. */
export function createDialogue(
  terminal: Terminal,
  { language, timeZone }: Pick<Settings, 'language' | 'timeZone'>,
) {
  const say = wordsOf(setupMessages, language);
  const translator = createTranslator(language, timeZone);

  /** Asks until `read` finds a value, and says the reason for refusing an answer. */
  const until = async <T>(
    ask: () => Promise<string>,
    read: (answer: string) => { readonly value: T } | string,
  ): Promise<T> => {
    for (;;) {
      const found = read(await ask());
      if (typeof found !== 'string') return found.value;
      terminal.say(found);
    }
  };

  /** Explains why a text is invalid for a setting, without the setting's name. */
  const problemOfSetting = (variable: string, text: string): string | undefined => {
    const setting = settings.find((one) => one.variable === variable);
    const problem = setting && readSetting(setting, text).problem;
    if (problem?.expected === undefined) return problem && describeProblem(problem, translator);
    return expectedForm(problem.expected, translator);
  };

  /**
   * @param usual the answer of Enter; empty for an optional answer, undefined for a required one
   * @param problemOf the reason for refusing a text, in words
   */
  const text = (
    question: string,
    usual: string | undefined,
    problemOf: (text: string) => string | undefined,
  ): Promise<string> => {
    const hint = usual === '' ? ` (${say('or_nothing')})` : usual === undefined ? '' : ` [${usual}]`;
    return until(
      () => terminal.ask(`${question}${hint}: `),
      (answer) => {
        const value = answer || usual;
        if (value === undefined) return say('answer_needed');
        return (value === '' ? undefined : problemOf(value)) ?? { value };
      },
    );
  };

  return {
    say,
    translator,
    print: terminal.say,
    problemOfSetting,
    text,
    /** Enter takes the default. */
    choose<T>(question: string, choices: readonly (readonly [value: T, words: string])[], usual = 0) {
      terminal.say('', question, ...choices.map(([, words], at) => `  ${at + 1}) ${words}`));
      return until(
        () => terminal.ask(`> [${usual + 1}] `),
        (answer) => {
          const at = answer === '' ? usual : /^\d{1,2}$/.test(answer) ? Number(answer) - 1 : -1;
          const choice = choices[at];
          return choice ? { value: choice[0] } : say('answer_number', { most: choices.length });
        },
      );
    },
    /** Enter means no. */
    agree: (question: string): Promise<boolean> =>
      until(
        () => terminal.ask(`${question} ${say('yes_no')} `),
        (typed) => {
          const answer = typed.toLowerCase();
          if (say('yes_words').split(', ').includes(answer)) return { value: true };
          const isNo = answer === '' || say('no_words').split(', ').includes(answer);
          return isNo ? { value: false } : say('answer_yes_no');
        },
      ),
    /** A valid text for a setting, completed by `complete`. */
    async setting(variable: string, question: string, usual?: string, complete = (typed: string) => typed) {
      return complete(await text(question, usual, (typed) => problemOfSetting(variable, complete(typed))));
    },
    /** Without echo, until there is one. */
    secret: (question: string): Promise<string> =>
      until(
        () => terminal.askHidden(`${question}: `),
        (value) => (value === '' ? say('answer_needed') : { value }),
      ),
  };
}
