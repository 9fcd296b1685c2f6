import type { Translator } from './index.ts';

/** Warnings that a text shows; all of them are in the structured content. */
const SHOWN = 20;

/** Warnings as lines of a text, the first of them where they are many. */
export function warningLines(warnings: readonly string[], translator: Translator): string[] {
  const more = warnings.length - SHOWN;
  return [
    ...warnings.slice(0, SHOWN).map((warning) => `⚠ ${warning}`),
    ...(more > 0 ? [`⚠ ${translator.say('answer.more_warnings', { count: more })}`] : []),
  ];
}
