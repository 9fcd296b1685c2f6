import { addDecimals, isDecimal } from '../decimals.ts';
import { appendedCancellation } from '../events/event-history.ts';
import { statusByCode } from '../events/statuses.ts';
import type { Problem } from '../problems.ts';
import { checkEnvironment, checkParties, checkStatus, type Unchecked } from '../summary/checks.ts';
import type { Collected, FieldTable, PartySection } from '../summary/fields.ts';
import { partyFrom, unlessEmpty } from '../summary/parties.ts';
import type { DocumentSummary, TotalName, Totals } from '../summary/summary.ts';
import { cleanText, longest } from '../untrusted.ts';

/** tpAmb: 1 production, 2 test. */
export function environmentFrom(code: string | undefined): DocumentSummary['environment'] {
  return code === '1' ? 'production' : code === '2' ? 'test' : undefined;
}

/** Totals, completed from other groups: IBS as the sum of its shares, withheld taxes. */
function totalsFrom({ raw, totals, withheld, informative }: Collected): Totals {
  const add = (name: TotalName, amount: string | undefined) => {
    if (amount !== undefined && isDecimal(amount)) totals[name] = amount;
  };
  totals.ibs ??= addDecimals([raw.ibs_state, raw.ibs_city]);
  totals.withheld ??= addDecimals(Object.values(withheld));
  add('products_net', informative.products_net);
  add('difal', informative.difal);
  add('irrf', withheld.income_tax);
  add('inss', withheld.inss);
  add('csll', withheld.csll);
  add('pis_withheld', withheld.pis);
  add('cofins_withheld', withheld.cofins);
  return totals;
}

function notesFrom({ issuer, tax_office }: Collected['notes']): string | undefined {
  if (issuer === undefined || tax_office === undefined) return issuer ?? tax_office;
  return cleanText(`${issuer}\n${tax_office}`, longest.notes);
}

/** Key in an XML Id, which has a prefix in most files (`NFe`, `CTeOS`, `NFS`). */
export function keyFromId(id: string | undefined): string | undefined {
  return id?.replace(/^[A-Za-z]+(?=\d)/, '');
}

const none: readonly never[] = Object.freeze([]);

/** Copy trimmed to size: a grown list keeps spare capacity, and most are empty. */
function trimmedCopy<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? none : list.slice();
}

/** Fields common to all layouts, in reading order; `layout` may lack its version. */
export function commonParts(
  collected: Collected,
  { kind, layout, status }: Pick<Unchecked, 'kind' | 'layout' | 'status'>,
): Unchecked {
  const { document, payment_links } = collected;
  const { number, code, at } = collected.protocol;
  return {
    kind,
    layout: layout.trimEnd(),
    key: document.key,
    model: document.model,
    series: document.series,
    number: document.number,
    issued_at: document.issued_at,
    moved_at: document.moved_at,
    competence: document.competence,
    operation: document.operation,
    flow: document.flow,
    reach: document.reach,
    purpose: document.purpose,
    credit_type: document.credit_type,
    debit_type: document.debit_type,
    expected_delivery: document.expected_delivery,
    cfop: document.cfop,
    modal: document.modal,
    verification_code: document.verification_code,
    environment: environmentFrom(collected.raw.environment),
    status,
    protocol: unlessEmpty(collected.protocol) && { number, code, at },
    issuer: partyFrom(collected.issuer),
    recipient: partyFrom(collected.recipient),
    sender: undefined,
    payer: undefined,
    totals: totalsFrom(collected),
    iss_withheld: undefined,
    service: undefined,
    items: [],
    item_count: 0,
    payments: trimmedCopy(collected.payments),
    installments: trimmedCopy(collected.installments),
    references: trimmedCopy(collected.references),
    ...(payment_links.length > 0 ? { payment_links: trimmedCopy(payment_links) } : {}),
    transport: undefined,
    route: undefined,
    event: undefined,
    linked_keys: trimmedCopy(collected.linked.flatMap(({ key }) => key ?? [])),
    taxation: unlessEmpty(collected.taxation),
    notes: notesFrom(collected.notes),
  };
}

/** Common parts of an NF-e or CT-e, with the status by events in its own file; undefined without key and number. */
export function keyedParts(
  collected: Collected,
  family: 'nfe' | 'cte',
  kind: Unchecked['kind'],
): Unchecked | undefined {
  const { raw, document, protocol } = collected;
  const key = keyFromId(raw.id) ?? protocol.key;
  if (key === undefined && document.number === undefined) return undefined;
  const event = appendedCancellation(collected, key);
  const status = event === undefined ? statusByCode(protocol.code) : 'cancelled';
  const layout = `${family} ${raw.version ?? ''}`;
  return Object.assign(commonParts(collected, { kind, layout, status }), { key, event });
}

/** Adds warnings to a summary: the general ones, and those of its key and amounts. */
export function withWarnings(
  document: Unchecked,
  collected: Collected,
  ofKey: readonly Problem[],
  ofAmounts: readonly Problem[] = [],
): DocumentSummary {
  const warnings = [
    ...checkEnvironment(document),
    ...checkStatus(document, collected),
    ...ofKey,
    ...checkParties(document),
    ...ofAmounts,
  ];
  return Object.assign(document, { warnings: trimmedCopy(warnings) });
}

/** Field table for a party of an NF-e or CT-e; `address` is its child element with the address. */
export function party(section: PartySection, elements: string, address: string): FieldTable {
  return {
    [section]: [
      { in: elements, cnpj: 'CNPJ', cpf: 'CPF', name: 'xNome', state_registration: 'IE' },
      { in: elements, state: `${address}/UF`, city: `${address}/xMun`, city_code: `${address}/cMun` },
    ],
  };
}
