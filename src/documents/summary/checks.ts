import { addDecimals, negateDecimal, sameDecimal } from '../decimals.ts';
import {
  checkAccessKey,
  checkNationalNfseKey,
  isAvulsa,
  NATIONAL_KEY_LENGTH,
  stateOfCode,
  withoutLeadingZeros,
} from '../identity/keys.ts';
import { checkCnpj, checkCpf, unmaskTaxId } from '../identity/tax-ids.ts';
import type { Checked, Problem, ProblemCode } from '../problems.ts';
import type { Collected } from './fields.ts';
import type { DocumentSummary, Party } from './summary.ts';

/** A summary before its warnings. Amounts must match exactly: by the schemas, totals are sums of rounded lines. */
export type Unchecked = Omit<DocumentSummary, 'warnings'>;

type Text = string | undefined;

/** Compares two texts that should be equal; skips the comparison if one is absent. */
function against(
  code: ProblemCode,
  found: Text,
  expected: Text,
  areEqual = (one: string, other: string) => one === other,
): Problem[] {
  if (found === undefined || expected === undefined || areEqual(found, expected)) return [];
  return [{ code, values: { found, expected } }];
}

/** Compares two amounts that should be equal; skips the comparison if one is absent. */
export function checkAmount(code: ProblemCode, found: Text, expected: Text): Problem[] {
  return against(code, found, expected, sameDecimal);
}

function problemsOfKey<Parts>(
  key: string | undefined,
  check: (key: string) => Checked<Parts>,
  compare: (parts: Parts) => Problem[] = () => [],
): Problem[] {
  if (key === undefined) return [{ code: 'key_missing', values: {} }];
  const checked = check(key);
  return checked.ok ? [...checked.warnings, ...compare(checked.value)] : [checked.problem];
}

/** Checks the access key on its own, against the document and against its protocol. */
export function checkKey(document: Unchecked, { raw, protocol }: Collected): Problem[] {
  return problemsOfKey(document.key, checkAccessKey, ({ key, state, month, model, series, number }) => {
    const holder = isAvulsa(series) ? undefined : document.issuer?.id?.padStart(14, '0');
    return [
      ...against('key_against_state', state, stateOfCode(raw.state_code)),
      ...against('key_against_month', month, document.issued_at?.slice(0, 7)),
      ...against('key_against_issuer', key.slice(6, 20), holder),
      ...against('key_against_model', model, document.model),
      ...against('key_against_series', series, document.series && withoutLeadingZeros(document.series)),
      ...against('key_against_number', number, document.number && withoutLeadingZeros(document.number)),
      ...against('protocol_against_key', protocol.key, document.key),
    ];
  });
}

/**
 * Checks the key of a national NFS-e on its own and against the note. The key has the id of the emitter, not the
 * provider.
 */
export function checkNationalKey({ key, number }: Unchecked, emitter: Party | undefined): Problem[] {
  return problemsOfKey(key, checkNationalNfseKey, (parts) => [
    ...against('key_against_issuer', parts.issuer.id, emitter?.id),
    ...against('key_against_number', parts.number, number && withoutLeadingZeros(number)),
  ]);
}

/** Checks the key of an event's document. */
export function checkEventKey(key: string | undefined): Problem[] {
  return key?.length === NATIONAL_KEY_LENGTH
    ? problemsOfKey(key, checkNationalNfseKey)
    : problemsOfKey(key, checkAccessKey);
}

function checkParty(code: ProblemCode, party: Party | undefined): Problem[] {
  if (party?.id === undefined || party.id_type === undefined || party.id_type === 'foreign') return [];
  const checked = party.id_type === 'cnpj' ? checkCnpj(party.id) : checkCpf(party.id);
  return checked.ok ? [] : [{ code, values: { found: party.id } }];
}

/** Reports invalid tax ids. The summary keeps them unchanged: files with a CPF of twelve digits exist. */
export function checkParties({ issuer, recipient, sender, payer }: Unchecked): Problem[] {
  return [
    ...checkParty('issuer_id', issuer),
    ...checkParty('recipient_id', recipient),
    ...checkParty('sender_id', sender),
    ...(payer === sender || payer === recipient ? [] : checkParty('payer_id', payer)),
  ];
}

/** A file from the test environment has no fiscal value, however genuine it looks. */
export function checkEnvironment({ environment }: Unchecked): Problem[] {
  return environment === 'test' ? [{ code: 'test_environment', values: {} }] : [];
}

/** Limit of reported alerts: the schema has five. */
const MOST_ALERTS = 20;
/** Authorisations without alerts: their messages are information, such as a campaign of the tax office. */
const withoutAlerts: ReadonlySet<string | undefined> = new Set(['100', '150']);

/** Alerts of an authorisation (cStat 120). The code precedes its message and may be missing. */
function alertsIn({ alerts, protocol }: Collected): Problem[] {
  if (withoutAlerts.has(protocol.code)) return [];
  return alerts
    .flatMap(({ message }, i) => {
      const code = alerts[i - 1]?.code;
      return message === undefined ? [] : [code === undefined ? message : `${code}: ${message}`];
    })
    .slice(0, MOST_ALERTS)
    .map((found) => ({ code: 'authorization_alert', values: { found } }));
}

/** Reports alerts, and an unknown status as stated by the protocol or the city. */
export function checkStatus({ status }: Unchecked, collected: Collected): Problem[] {
  const { protocol, raw } = collected;
  const said = [protocol.code ?? raw.situation ?? raw.situation_code, protocol.message].filter(
    (text) => text !== undefined,
  );
  const isUnknown = status === 'unknown' && said.length > 0;
  return [
    ...(isUnknown ? [{ code: 'status_unknown', values: { found: said.join(' ') } } as const] : []),
    ...alertsIn(collected),
  ];
}

/** The classification's first three digits are the CST. Source: docs/fiscal/reform.md. */
export function checkClassification(
  cst: string | undefined,
  classification: string | undefined,
  item?: string,
): Problem[] {
  if (cst === undefined || classification === undefined || classification.startsWith(cst)) return [];
  const values = { found: classification, expected: cst };
  if (item === undefined) return [{ code: 'class_trib_against_cst', values }];
  return [{ code: 'item_class_trib_against_cst', values: { item, ...values } }];
}

/** Net value: services less withheld taxes and discounts, if every part is known. Deductions don't count. */
export function checkNetValue(
  { totals }: Unchecked,
  withheld: string | undefined,
  discounts: readonly string[],
): Problem[] {
  if (totals.services === undefined || withheld === undefined) return [];
  const parts = [totals.services, ...[withheld, ...discounts].map(negateDecimal)];
  return checkAmount('net_against_parts', totals.total, addDecimals(parts));
}

/** Checks that the company is a party of the document by its own CNPJ: a branch is a separate establishment. */
export function checkAgainstCompany(document: DocumentSummary, cnpj: string): Problem[] {
  const asked = unmaskTaxId(cnpj);
  const parties = [document.issuer, document.recipient, document.sender, document.payer];
  const known = parties.flatMap((party) => (party?.id === undefined ? [] : [unmaskTaxId(party.id)]));
  if (known.length === 0 || known.includes(asked)) return [];
  return [{ code: 'company_not_in_document', values: { company: asked } }];
}

/** Warnings of a document that contradicts its own key or protocol, as in a forged file. */
const CONTRADICTION = /^(?:key_against_|protocol_against_key$)/;

type Score = (summary: DocumentSummary) => number;

const hasOutcome: Score = ({ status }) =>
  Number(status === 'authorized' || status === 'cancelled' || status === 'denied');

function moment(text: string | undefined): number {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? 0 : at;
}

/** Criteria for the preferred of two files of one document, in descending order of weight. */
const scores: readonly Score[] = [
  // The tax office's abridged note has only a few of the fields.
  ({ kind }) => Number(kind !== 'summary'),
  ({ environment }) => Number(environment !== 'test'),
  ({ warnings }) => -warnings.filter(({ code }) => CONTRADICTION.test(code)).length,
  hasOutcome,
  // A file with its own cancellation was saved later than one without.
  ({ status }) => Number(status === 'cancelled'),
  ({ events = [] }) => events.length,
  ({ item_count }) => item_count,
  ({ protocol }) => Number(protocol?.number !== undefined),
  ({ protocol }) => moment(protocol?.at),
];

/** The preferred of two summaries of one document, by the scores above; the later one if all are equal. */
export function preferredVersion(kept: DocumentSummary, arrived: DocumentSummary): DocumentSummary {
  for (const score of scores) {
    const difference = score(arrived) - score(kept);
    if (difference !== 0) return difference > 0 ? arrived : kept;
  }
  return arrived;
}
