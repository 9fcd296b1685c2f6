import { Unreadable } from './unreadable.ts';

/** Takes a text in pieces cut anywhere. Both functions throw `Unreadable` for what is not of the expected form. */
export interface TextSink {
  write(text: string): void;
  /** The text is whole: throws where it was cut. */
  end(): void;
}

/** Gathers a text of at most so many characters. */
export function createCollector(limit: number, done: (text: string) => void): TextSink {
  let gathered = '';
  return {
    write(text) {
      gathered += text;
      if (gathered.length > limit) throw new Unreadable('too large');
    },
    end: () => done(gathered),
  };
}
