import { checkAccessKey, normalizeKey } from '../identity/keys.ts';
import { checkTaxId } from '../identity/tax-ids.ts';
import type { Problem } from '../problems.ts';
import { normalizeJustification } from './justification.ts';

/** The names by which people call the four events. */
export const eventNames = ['ciencia', 'confirmacao', 'desconhecimento', 'nao_realizada'] as const;

export type EventName = (typeof eventNames)[number];

/** What the rules say of one manifestation event. */
export interface ManifestationEvent {
  readonly name: EventName;
  /** `tpEvento`. */
  readonly code: '210200' | '210210' | '210220' | '210240';
  /** `descEvento`, to the letter: without accents, as the schema has it. */
  readonly description: string;
  /** Whether it settles the recipient's position. Ciência does not: a conclusive event is due after it. */
  readonly conclusive: boolean;
  readonly justification: 'none' | 'optional' | 'required';
  /**
   * Calendar days from the note's authorisation (`dhRecbto`) within which it can be registered; `deadlineOf` says which
   * day that is for a note. Fuel, cigarettes and drinks have shorter terms.
   */
  readonly deadlineDays: 10 | 90;
}

/**
 * The recipient's manifestation events. Codes, names and justifications are those of the schemas e210200, e210210,
 * e210220 and e210240; deadlines those of NT 2020.001 v1.60, section 4 (in production since 2026-06-01, after Ajuste
 * SINIEF 14/26). Codes 210200 and 210210 are often swapped in other software: the lower one is Confirmação.
 * Source: docs/fiscal/events.md.
 */
export const manifestationEvents: Readonly<Record<EventName, ManifestationEvent>> = {
  ciencia: {
    name: 'ciencia',
    code: '210210',
    description: 'Ciencia da Operacao',
    conclusive: false,
    justification: 'none',
    deadlineDays: 10,
  },
  confirmacao: {
    name: 'confirmacao',
    code: '210200',
    description: 'Confirmacao da Operacao',
    conclusive: true,
    justification: 'none',
    deadlineDays: 90,
  },
  desconhecimento: {
    name: 'desconhecimento',
    code: '210220',
    description: 'Desconhecimento da Operacao',
    conclusive: true,
    justification: 'optional',
    deadlineDays: 90,
  },
  nao_realizada: {
    name: 'nao_realizada',
    code: '210240',
    description: 'Operacao nao Realizada',
    conclusive: true,
    justification: 'required',
    deadlineDays: 90,
  },
};

/** The event with a `tpEvento` code, undefined for every other event. */
export function eventByCode(code: string): ManifestationEvent | undefined {
  return Object.values(manifestationEvents).find((event) => event.code === code);
}

/** A manifestation as it was asked for. */
export interface ManifestationRequest {
  readonly key: string;
  readonly event: EventName;
  /** As the person wrote it; only blanks count as none. */
  readonly justification?: string | undefined;
  /** The tax id of the company that manifests, masked or not. */
  readonly company?: string | undefined;
}

function keyProblems(text: string, company: string | undefined): Problem[] {
  const key = checkAccessKey(text);
  if (!key.ok) return [key.problem];
  const { model, issuer } = key.value;
  const problems: Problem[] = [];
  if (model !== '55') problems.push({ code: 'manifestation_model', values: { found: model } });
  if (company === undefined) return problems;
  const manifesting = checkTaxId(company);
  if (!manifesting.ok) problems.push(manifesting.problem);
  else if (manifesting.value.id === issuer.id) {
    problems.push({ code: 'manifestation_own_note', values: { company: issuer.id } });
  }
  return problems;
}

function justificationProblems(name: EventName, written: string): Problem[] {
  const rule = manifestationEvents[name].justification;
  const { text, problems } = normalizeJustification(written);
  if (text !== '' && rule === 'none') return [{ code: 'justification_not_taken', values: { event: name } }];
  if (text === '' && rule === 'required') return [{ code: 'justification_missing', values: { event: name } }];
  return text === '' ? [] : [...problems];
}

/**
 * Everything that can be known to be wrong with a manifestation before it is sent: the key's form and check digit,
 * its model (only NF-e, 55, takes a manifestation; NFC-e, 65, does not), a note issued by the manifesting company
 * itself, and the justification. An empty list says only that the form is right, not that it will be accepted.
 */
export function checkManifestation(request: ManifestationRequest): readonly Problem[] {
  return [
    ...keyProblems(request.key, request.company),
    ...justificationProblems(request.event, request.justification ?? ''),
  ];
}

/** What is wrong with the keys of a batch taken together: none at all, or one that appears twice. */
export function checkBatch(keys: readonly string[]): readonly Problem[] {
  if (keys.length === 0) return [{ code: 'batch_empty', values: {} }];
  const times = new Map<string, number>();
  for (const key of keys.map(normalizeKey)) times.set(key, (times.get(key) ?? 0) + 1);
  return [...times]
    .filter(([, count]) => count > 1)
    .map(([key, count]) => ({ code: 'batch_repeated_key', values: { key, times: String(count) } }));
}
