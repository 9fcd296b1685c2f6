import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { configure } from '../../config/configure.ts';
import type { setupMessages } from '../../messages/apart/setup.ts';
import type { MessageKey, Translator } from '../../messages/index.ts';
import type { Words } from '../../messages/message.ts';
import { describeProblem } from '../standard-error.ts';

/** Ctrl+C or the end of input. */
export class Interrupted extends Error {
  constructor() {
    super('interrupted');
    this.name = 'Interrupted';
  }
}

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

/** The words of this command in the person's language. */
export type Say = Words<typeof setupMessages>;

export interface Dialogue {
  readonly terminal: Terminal;
  readonly translator: Translator;
  readonly say: Say;
}

/** Where questions are asked and in which words. */
type Asking = Pick<Dialogue, 'terminal' | 'say'>;

/** Asks until a number of the list is typed; Enter takes the default. */
export async function choose<T>(
  { terminal, say }: Asking,
  question: string,
  choices: readonly { readonly value: T; readonly words: string }[],
  usual = 0,
): Promise<T> {
  terminal.say('', question, ...choices.map(({ words }, at) => `  ${at + 1}) ${words}`));
  for (;;) {
    const answer = await terminal.ask(`> [${usual + 1}] `);
    const chosen = choices[answer === '' ? usual : /^\d{1,2}$/.test(answer) ? Number(answer) - 1 : -1];
    if (chosen !== undefined) return chosen.value;
    terminal.say(say('answer_number', { most: choices.length }));
  }
}

/** Asks for a yes; Enter means no. */
export async function agree({ terminal, say }: Asking, question: string): Promise<boolean> {
  for (;;) {
    const answer = (await terminal.ask(`${question} ${say('yes_no')} `)).trim().toLowerCase();
    if (say('yes_words').split(', ').includes(answer)) return true;
    if (answer === '' || say('no_words').split(', ').includes(answer)) return false;
    terminal.say(say('answer_yes_no'));
  }
}

/**
 * Asks until a text is valid.
 * @param usual what Enter stands for; empty where nothing is an answer too, undefined where one is needed
 * @param problemOf why a text won't do, in words
 */
export async function askText(
  { terminal, say }: Asking,
  question: string,
  usual: string | undefined,
  problemOf: (text: string) => Promise<string | undefined> | string | undefined,
): Promise<string> {
  const hint = usual === '' ? ` (${say('or_nothing')})` : usual === undefined ? '' : ` [${usual}]`;
  for (;;) {
    const text = (await terminal.ask(`${question}${hint}: `)) || (usual ?? '');
    const problem = text === '' ? undefined : await problemOf(text);
    if (problem === undefined && (text !== '' || usual === '')) return text;
    terminal.say(problem ?? say('answer_needed'));
  }
}

/** Explains why a text is invalid for a setting, without the setting's name. */
export function problemOfSetting(variable: string, text: string, translator: Translator): string | undefined {
  const configured = configure(new Map([[variable, text]]), {});
  const [problem] = configured.ok ? [] : configured.problems;
  if (problem?.expected === undefined) return problem && describeProblem(problem, translator);
  return translator.tell(`config.expected.${problem.expected.kind}` as MessageKey, problem.expected.values);
}

/** An address typed without a scheme is meant over https. */
export function withScheme(text: string): string {
  return text === '' || /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`;
}

export function askSetting(
  dialogue: Dialogue,
  variable: string,
  question: string,
  usual: string | undefined,
  complete = (text: string) => text,
): Promise<string> {
  const problemOf = (text: string) => problemOfSetting(variable, complete(text), dialogue.translator);
  return askText(dialogue, question, usual, problemOf).then(complete);
}

/** Asks for a secret, without echo, until there is one. */
export async function askSecret({ terminal, say }: Asking, question: string): Promise<string> {
  for (;;) {
    const text = await terminal.askHidden(`${question}: `);
    if (text !== '') return text;
    terminal.say(say('answer_needed'));
  }
}
