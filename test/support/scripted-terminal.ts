import { Interrupted, type Terminal } from '../../src/cli/setup/asking.ts';

/** Typed text, Ctrl+C, or an action that happens before the person types. */
export type Typed = string | typeof ctrlC | (() => string);

export const ctrlC = Symbol('Ctrl+C');

export interface ScriptedTerminal extends Terminal {
  /** Everything shown on the screen; hidden input is not. */
  screen(): string;
  /** Questions asked so far. */
  asked(): readonly string[];
  /** Answers that nobody asked for. */
  left(): readonly Typed[];
}

/** A terminal at which these things are typed, one for each question; then Ctrl+C. */
export function scriptedTerminal(typed: readonly Typed[]): ScriptedTerminal {
  const rest = [...typed];
  const questions: string[] = [];
  let screen = '';
  const answer = (question: string, isHidden: boolean): string => {
    const typing = rest.shift() ?? ctrlC;
    const next = typeof typing === 'function' ? typing() : typing;
    questions.push(question);
    screen += `${question}${next === ctrlC ? '^C' : isHidden ? '' : next}\n`;
    if (next === ctrlC) throw new Interrupted();
    return next;
  };
  return {
    say: (...lines) => {
      screen += lines.map((line) => `${line}\n`).join('');
    },
    ask: async (question) => answer(question, false).trim(),
    askHidden: async (question) => answer(question, true),
    screen: () => screen,
    asked: () => questions,
    left: () => rest,
  };
}
