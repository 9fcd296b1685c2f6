import { Interrupted, type Terminal } from '../../src/cli/setup/asking.ts';

/** What a person types, that they press Ctrl+C, or what happens meanwhile before they type. */
export type Typed = string | typeof ctrlC | (() => string);

export const ctrlC = Symbol('Ctrl+C');

export interface ScriptedTerminal extends Terminal {
  /** All that stood on the screen; what is typed hidden isn't there. */
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
