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

/** What is judged of a document, as it is kept beside its row. */
export function judgementText({ facts, events, found }: Judgement): string {
  const values: unknown[] = names.map((name) => facts[name] ?? null);
  while (values.at(-1) === null) values.pop();
  return JSON.stringify([events, found, ...values]);
}

/** The judgement that was kept so, with what the document's row has. */
export function judgementFrom(text: string, row: FactsOfRow): Judgement {
  const [events, found, ...values] = JSON.parse(text) as [
    Judgement['events'],
    Judgement['found'],
    ...unknown[],
  ];
  const facts: Record<string, unknown> = { ...row };
  for (let i = 0; i < values.length; i++) {
    const name = names[i];
    if (name !== undefined && values[i] !== null) facts[name] = values[i];
  }
  return { facts: facts as unknown as Facts, events, found };
}
