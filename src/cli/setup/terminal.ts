import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** Ctrl+C or the end of input. */
export class Interrupted extends Error {
  constructor() {
    super('interrupted');
    this.name = 'Interrupted';
  }
}

/** A line-based terminal. */
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

/** The process's terminal. */
export const ownTerminal: Terminal = {
  say: (...lines) => void process.stdout.write(lines.map((line) => `${line}\n`).join('')),
  ask: async (question) => (await askOnce(question, false)).trim(),
  askHidden: (question) => askOnce(question, true),
};
