import { addDecimals, isDecimal } from '../decimals.ts';
import type { Problem } from '../problems.ts';
import type { Unchecked } from '../summary/checks.ts';
import { type Collected, type FieldTable, partyFields, type Texts } from '../summary/fields.ts';
import { partyFrom, unlessEmpty } from '../summary/parties.ts';
import type { DocumentSummary, TotalName, Totals } from '../summary/summary.ts';
import { cleanText, longest } from '../untrusted.ts';

/** tpAmb: 1 production, 2 test. */
export function environmentFrom(code: string | undefined): DocumentSummary['environment'] {
  return code === '1' ? 'production' : code === '2' ? 'test' : undefined;
}

/** IBS: the sum of the state's and the city's share if the file omits it. */
function ibsFrom({ sections }: Collected): string | undefined {
  const { ibs_state, ibs_city } = sections.clue;
  return sections.totals.ibs ?? addDecimals([ibs_state, ibs_city]);
}

function add(totals: Texts<TotalName>, name: TotalName, amount: string | undefined): void {
  if (amount !== undefined && isDecimal(amount)) totals[name] = amount;
}

function totalsFrom(collected: Collected): Totals {
  const { totals, withheld, informative } = collected.sections;
  totals.ibs = ibsFrom(collected);
  totals.withheld ??= addDecimals(Object.values(withheld));
  for (const name in informative)
    add(totals, name as TotalName, informative[name as keyof typeof informative]);
  add(totals, 'irrf', withheld.income_tax);
  add(totals, 'inss', withheld.inss);
  add(totals, 'csll', withheld.csll);
  add(totals, 'pis_withheld', withheld.pis);
  add(totals, 'cofins_withheld', withheld.cofins);
  return totals;
}

function notesFrom({ issuer, tax_office }: Collected['sections']['notes']): string | undefined {
  if (issuer === undefined || tax_office === undefined) return issuer ?? tax_office;
  return cleanText(`${issuer}\n${tax_office}`, longest.notes);
}

/** The key in an XML Id, which carries a prefix in most files (`NFe`, `CTeOS`, `NFS`) and none in some. */
export function keyFromId(id: string | undefined): string | undefined {
  return id?.replace(/^[A-Za-z]+(?=\d)/, '');
}

const none: readonly never[] = Object.freeze([]);

/** Copy trimmed to size: a list that has grown keeps spare room, and most are empty. */
function kept<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? none : list.slice();
}

/** The fields that all layouts share, in reading order. */
export function commonParts(
  collected: Collected,
  { kind, layout, status }: Pick<Unchecked, 'kind' | 'layout' | 'status'>,
): Unchecked {
  const { sections, lists } = collected;
  const { number, code, at } = sections.protocol;
  const { document } = sections;
  return {
    kind,
    layout,
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
    environment: environmentFrom(sections.clue.environment),
    status,
    protocol: unlessEmpty(sections.protocol) && { number, code, at },
    issuer: partyFrom(sections.issuer),
    recipient: partyFrom(sections.recipient),
    sender: undefined,
    payer: undefined,
    totals: totalsFrom(collected),
    iss_withheld: undefined,
    service: undefined,
    items: [],
    item_count: 0,
    payments: kept(lists.payments),
    installments: kept(lists.installments),
    references: kept(lists.references),
    ...(lists.payment_links.length > 0 ? { payment_links: kept(lists.payment_links) } : {}),
    transport: undefined,
    route: undefined,
    event: undefined,
    linked_keys: kept(lists.linked.flatMap(({ key }) => key ?? [])),
    taxation: unlessEmpty(sections.taxation),
    notes: notesFrom(sections.notes),
  };
}

/** The summary with the findings of its checks. */
export function withWarnings(document: Unchecked, warnings: readonly Problem[]): DocumentSummary {
  return Object.assign(document, { warnings: kept(warnings) });
}

/** A party of an NF-e or CT-e; `address` is the element that holds its address. */
export function party(section: Parameters<typeof partyFields>[0], address: string): FieldTable {
  return partyFields(section, {
    CNPJ: 'cnpj',
    CPF: 'cpf',
    xNome: 'name',
    IE: 'state_registration',
    [`${address}/UF`]: 'state',
    [`${address}/xMun`]: 'city',
    [`${address}/cMun`]: 'city_code',
  });
}
