import type { AccessKey } from '../identity/keys.ts';
import type { Problem } from '../problems.ts';

export interface Justification {
  readonly text: string;
  readonly isChanged: boolean;
  /** Empty if the text can be sent. */
  readonly problems: readonly Problem[];
}

/** Length limits of a justification. Source: `xJust` of the event schemas e210220 and e210240. */
const justificationLength = { least: 15, most: 255 } as const;

const CHARACTERS_NAMED = 5;
/** Longer texts are not normalised: no amount of chat formatting makes 255 characters this long. */
const LONGEST_WRITTEN = 10_000;

const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/** Quotes, dashes, ellipses, line breaks and blanks from chats, with their permitted equivalents. */
const corrections: readonly (readonly [RegExp, string])[] = [
  [/[\u2018-\u201b\u2032\u2039\u203a]/g, "'"],
  [/[\u201c-\u201f\u2033]/g, '"'],
  [/[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g, '-'],
  [/\u2026/g, '...'],
  [/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' '],
  [/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g, ' '],
  [/ {2,}/g, ' '],
];

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return /[\p{C}\p{M}]/u.test(character) ? name : `${character} (${name})`;
}

function lengthProblem(length: number): Problem {
  return { code: 'justification_length', values: { length: String(length) } };
}

function problemsOf(text: string): Problem[] {
  const characters = [...text];
  const foreign = [...new Set(characters.filter((one) => !/[\x20-\x7e\xa0-\xff]/.test(one)))];
  if (foreign.length > 0) {
    const named = foreign.slice(0, CHARACTERS_NAMED).map(nameOf).join(', ');
    const found = foreign.length > CHARACTERS_NAMED ? `${named}, …` : named;
    return [{ code: 'justification_characters', values: { found } }];
  }
  const { length } = characters;
  const { least, most } = justificationLength;
  return length >= least && length <= most ? [] : [lengthProblem(length)];
}

/**
 * Converts chat text to the characters an event accepts. Keeps everything visible: a character without a plain
 * equivalent, such as an emoji or a control, is reported as a problem. Source: `xJust` of the event schemas (only
 * U+0020 to U+00FF, no blank at the edges), docs/fiscal/events.md.
 */
export function normalizeJustification(written: string): Justification {
  if (written.length > LONGEST_WRITTEN) {
    return { text: written, isChanged: false, problems: [lengthProblem(written.length)] };
  }
  const visible = written.replace(INVISIBLE, '').normalize('NFC');
  const text = corrections
    .reduce((corrected, [wrong, right]) => corrected.replace(wrong, right), visible)
    .trim();
  return { text, isChanged: text !== written, problems: problemsOf(text) };
}

export const eventNames = ['ciencia', 'confirmacao', 'desconhecimento', 'nao_realizada'] as const;

export type EventName = (typeof eventNames)[number];

export interface ManifestationEvent {
  readonly name: EventName;
  /** `tpEvento`. */
  readonly code: '210200' | '210210' | '210220' | '210240';
  /** `descEvento`, exactly as in the schema, without accents. */
  readonly description: string;
  /** True if it settles the recipient's position. Ciência does not: a conclusive event must follow. */
  readonly conclusive: boolean;
  readonly justification: 'none' | 'optional' | 'required';
  /** Calendar days from the authorisation (`dhRecbto`). Fuel, cigarettes and drinks have shorter terms. */
  readonly deadlineDays: 10 | 90;
}

/**
 * The recipient's manifestation events. Codes, names and justifications: schemas e210200, e210210, e210220 and e210240;
 * deadlines: NT 2020.001 v1.60, section 4 (in production since 2026-06-01, after Ajuste SINIEF 14/26). Other software
 * often swaps 210200 and 210210: the lower one is Confirmação. Source: docs/fiscal/events.md.
 */
export const manifestationEvents: Readonly<Record<EventName, ManifestationEvent>> = {
  ciencia: event('ciencia', '210210', 'Ciencia da Operacao', 'none', 10),
  confirmacao: event('confirmacao', '210200', 'Confirmacao da Operacao', 'none', 90),
  desconhecimento: event('desconhecimento', '210220', 'Desconhecimento da Operacao', 'optional', 90),
  nao_realizada: event('nao_realizada', '210240', 'Operacao nao Realizada', 'required', 90),
};

/** All except Ciência are conclusive. */
function event(
  name: EventName,
  code: ManifestationEvent['code'],
  description: string,
  justification: ManifestationEvent['justification'],
  deadlineDays: ManifestationEvent['deadlineDays'],
): ManifestationEvent {
  return { name, code, description, conclusive: name !== 'ciencia', justification, deadlineDays };
}

/** The event with this `tpEvento`; undefined for any other code. */
export function eventByCode(code: string): ManifestationEvent | undefined {
  return Object.values(manifestationEvents).find((event) => event.code === code);
}

export interface ManifestationRequest {
  readonly keys: readonly AccessKey[];
  readonly event: EventName;
  readonly justification: Justification;
  readonly company?: string | undefined;
}

function batchProblems(keys: readonly AccessKey[]): Problem[] {
  if (keys.length === 0) return [{ code: 'batch_empty', values: {} }];
  const times = new Map<string, number>();
  for (const { key } of keys) times.set(key, (times.get(key) ?? 0) + 1);
  return [...times]
    .filter(([, count]) => count > 1)
    .map(([key, count]) => ({ code: 'batch_repeated_key', values: { key, times: String(count) } }));
}

function keyProblems({ model, issuer }: AccessKey, company: string | undefined): Problem[] {
  const problems: Problem[] = [];
  if (model !== '55') problems.push({ code: 'manifestation_model', values: { found: model } });
  if (company === issuer.id) problems.push({ code: 'manifestation_own_note', values: { company } });
  return problems;
}

function justificationProblems(name: EventName, { text, problems }: Justification): readonly Problem[] {
  const rule = manifestationEvents[name].justification;
  if (text !== '' && rule === 'none') return [{ code: 'justification_not_taken', values: { event: name } }];
  if (text === '' && rule === 'required') return [{ code: 'justification_missing', values: { event: name } }];
  return text === '' ? [] : problems;
}

/** Problems detectable before sending: repeated keys, model (only 55), own notes, justification. */
export function checkManifestation({ keys, event, justification, company }: ManifestationRequest): Problem[] {
  return [
    ...batchProblems(keys),
    ...keys.flatMap((key) => keyProblems(key, company)),
    ...justificationProblems(event, justification),
  ];
}
