import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** The person pressed Ctrl+C or ended the input. */
export class Interrupted extends Error {
  constructor() {
    super('interrupted');
    this.name = 'Interrupted';
  }
}

/** Where questions are asked and answered, a line at a time. */
export interface Terminal {
  say(...lines: readonly string[]): void;
  /** The answer, without blanks around it. @throws Interrupted */
  ask(question: string): Promise<string>;
  /** The same without showing what is typed; blanks belong to it. @throws Interrupted */
  askHidden(question: string): Promise<string>;
}

/** Passes on what is written until it is told to hide it. */
function output(): { stream: Writable; hide(): void } {
  let isHidden = false;
  const stream = new Writable({
    write(chunk, _encoding, done) {
      if (!isHidden) process.stdout.write(chunk);
      done();
    },
  });
  return {
    stream: Object.assign(stream, { columns: process.stdout.columns }),
    hide: () => {
      isHidden = true;
    },
  };
}

/** Asks once; between questions the terminal is the system's again, so that Ctrl+C ends the program as usual. */
function askOnce(question: string, isHidden: boolean): Promise<string> {
  const { stream, hide } = output();
  const lines = createInterface({ input: process.stdin, output: stream, terminal: true, historySize: 0 });
  return new Promise((resolve, reject) => {
    lines.once('SIGINT', () => lines.close());
    // After an answer this changes nothing any more.
    lines.once('close', () => {
      stream.destroy();
      reject(new Interrupted());
    });
    lines.question(question, (answer) => {
      resolve(answer);
      lines.close();
      if (isHidden) process.stdout.write('\n');
    });
    if (isHidden) hide();
  });
}

/** The terminal that the program was started in. */
export function ownTerminal(): Terminal {
  return {
    say: (...lines) => void process.stdout.write(lines.map((line) => `${line}\n`).join('')),
    ask: async (question) => (await askOnce(question, false)).trim(),
    askHidden: (question) => askOnce(question, true),
  };
}
