import type { Judgement } from '../../../documents/rules/index.ts';

type Facts = Judgement['facts'];

/** What the row of the document has too, in the same words. */
export type FactsOfRow = Pick<Facts, 'kind' | 'key' | 'number' | 'issued_at' | 'purpose' | 'status'>;
type OtherFacts = Omit<Facts, keyof FactsOfRow>;

/** The others, in the order in which they are kept; without names, since there is one for every document. */
const names = [
  'linked_keys',
  'issuer',
  'issuer_name',
  'recipient',
  'total',
  'model',
  'series',
  'authorized_at',
  'flow',
  'payer',
  'sender',
  'verification_code',
  'operation',
  'event',
  'freight',
] as const satisfies readonly (keyof OtherFacts)[];

/** Where each of them is. */
const places = Object.fromEntries(names.map((name, place) => [name, place])) as Readonly<
  Record<(typeof names)[number], number>
>;

/** What is judged of a document, as it is kept beside its row. */
export function judgementText({ facts, events, found }: Judgement): string {
  const values: unknown[] = names.map((name) => facts[name] ?? null);
  while (values.at(-1) === null) values.pop();
  return JSON.stringify([events, found, ...values]);
}

/** Before them are the events and what was found. */
const start = 2;
type Value<Name extends keyof OtherFacts> = OtherFacts[Name] | undefined;

/** Gives for equal texts one and the same, so that the names of a few parties are not held once for each document. */
export type Same = <Text extends string | undefined>(text: Text) => Text;

/** @returns a `Same` for as long as documents are read together */
export function sameTexts(): Same {
  const known = new Map<string, string>();
  return <Text extends string | undefined>(text: Text): Text => {
    if (text === undefined) return text;
    const before = known.get(text);
    if (before !== undefined) return before as Text;
    known.set(text, text);
    return text;
  };
}

const noKeys: readonly string[] = Object.freeze([]);

/**
 * The judgement that was kept so, with what the document's row has. The facts are written out, so that those of a hundred
 * thousand documents, which a check holds at once, are small objects of one shape.
 */
export function judgementFrom(text: string, row: FactsOfRow, same: Same): Judgement {
  const kept = JSON.parse(text) as unknown[];
  const told = <Name extends keyof OtherFacts>(name: Name) =>
    (kept[start + places[name]] ?? undefined) as Value<Name>;
  const { kind, key, number, issued_at, purpose, status } = row;
  const linked = told('linked_keys') ?? noKeys;
  const facts: Facts = {
    kind: same(kind),
    key,
    number,
    issued_at,
    purpose: same(purpose),
    status,
    linked_keys: linked.length === 0 ? noKeys : linked,
    issuer: same(told('issuer')),
    issuer_name: same(told('issuer_name')),
    recipient: same(told('recipient')),
    total: told('total'),
    model: same(told('model')),
    series: same(told('series')),
    authorized_at: told('authorized_at'),
    flow: same(told('flow')),
    payer: same(told('payer')),
    sender: same(told('sender')),
    verification_code: told('verification_code'),
    operation: same(told('operation')),
    event: told('event'),
    freight: told('freight'),
  };
  return { facts, events: kept[0] as Judgement['events'], found: kept[1] as Judgement['found'] };
}
