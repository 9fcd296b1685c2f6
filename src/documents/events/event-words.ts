import { CORRECTION_LETTER, cancellationEvents } from './event-names.ts';
import { manifestationEvents } from './manifestation.ts';

const manifestationCodes = Object.values(manifestationEvents).map(({ code }) => code);

/**
 * Words by which events are asked for, and the codes that each stands for, the usual one first. `none` is not among
 * them: it asks for documents without any manifestation. Source: docs/fiscal/events.md.
 */
const codesByWord = {
  correction_letter: [CORRECTION_LETTER],
  ciencia: [manifestationEvents.ciencia.code],
  confirmacao: [manifestationEvents.confirmacao.code],
  desconhecimento: [manifestationEvents.desconhecimento.code],
  nao_realizada: [manifestationEvents.nao_realizada.code],
  cancellation: [...cancellationEvents],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type EventWord = keyof typeof codesByWord;

export const eventWords = Object.keys(codesByWord) as EventWord[];

function isWord(text: string): text is EventWord {
  return Object.hasOwn(codesByWord, text);
}

/** Codes (`tpEvento`) that a word or a code stands for; of `none` those of the four manifestations. */
export function codesOfEvent(asked: string): readonly string[] {
  if (asked === 'none') return manifestationCodes;
  return isWord(asked) ? codesByWord[asked] : [asked];
}

/** Whether only NF-e have these events. */
export function isOfManifestation(asked: string): boolean {
  return codesOfEvent(asked).some((code) => manifestationCodes.some((one) => one === code));
}

/** Whether the question is about cancelled documents. */
export function isOfCancellation(asked: string): boolean {
  return codesOfEvent(asked).some((code) => cancellationEvents.has(code));
}

/** Between the events of one document. */
export const BETWEEN_EVENTS = '+';

/** Codes in order, with blanks between, in the words of a question: `110110 210200` as `correction_letter+confirmacao`. */
export function wordsOfEvents(codes: string): string {
  const wordOf = (code: string) => eventWords.find((word) => codesByWord[word][0] === code) ?? code;
  return codes.split(' ').map(wordOf).join(BETWEEN_EVENTS);
}
