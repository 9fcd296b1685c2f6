import type { DocumentSummary, Item } from '../summary/summary.ts';
import { natureOf } from '../tables/cfop.ts';
import { tables } from '../tables/sources.ts';
import type { DocumentFacts, RuleContext } from './facts.ts';
import { calendar } from './reform/calendar.ts';
import { about, absent, inEach, kinds, type Rule, type Verdict, verified } from './rule.ts';

const ABROAD = 'EX';
const FORM = /^[123567]\d{3}$/;
/** Fuel sold to someone of another state who fills up here is an internal sale by its own codes. */
const FUEL_AT_THE_PUMP = new Set(['5656', '5667']);
/** Fuel for a ship or an aircraft that uses it abroad (UFCons EX) is sold here. */
const FUEL_USED_ABROAD = new Set(['7651', '7654', '7667']);

/** By first digit: 1 and 5 within the state, 2 and 6 between states, 3 and 7 abroad. */
type Reach = 'state' | 'country' | 'abroad';

const reachOf: Readonly<Record<string, Reach>> = {
  1: 'state',
  2: 'country',
  3: 'abroad',
  5: 'state',
  6: 'country',
  7: 'abroad',
};
/** By idDest. */
const statedReach = new Map<string, Reach>([
  ['1', 'state'],
  ['2', 'country'],
  ['3', 'abroad'],
]);
const inboundDigit: Readonly<Record<Reach, string>> = { state: '1', country: '2', abroad: '3' };
const outboundDigit: Readonly<Record<Reach, string>> = { state: '5', country: '6', abroad: '7' };

function digitFor(reach: Reach, isInbound: boolean): string {
  return (isInbound ? inboundDigit : outboundDigit)[reach];
}

function isInboundCode(cfop: string): boolean {
  return '123'.includes(cfop.charAt(0));
}

type CodedItem = Item & { readonly cfop: string };

function codedItems({ items }: DocumentSummary): CodedItem[] {
  return items.filter((item): item is CodedItem => item.cfop !== undefined);
}

function wellFormed(document: DocumentSummary): CodedItem[] {
  return codedItems(document).filter(({ cfop }) => FORM.test(cfop));
}

/** The first item of each code: a wrong code is reported once, not per item. */
function oncePerCode(items: readonly CodedItem[]): CodedItem[] {
  const codes = items.map(({ cfop }) => cfop);
  return items.filter(({ cfop }, i) => codes.indexOf(cfop) === i);
}

/** Four digits that begin with 1, 2, 3, 5, 6 or 7. */
function checkForm(document: DocumentSummary): Verdict {
  return inEach(oncePerCode(codedItems(document)), ({ cfop, number = '' }) =>
    FORM.test(cfop) ? [] : [{ found: cfop, expected: '1-3, 5-7', values: { item: number } }],
  );
}

/** Well formed, and not in the official table; of a CT-e the one code of the whole document. */
function checkKnown(document: DocumentSummary): Verdict {
  const whole = document.cfop === undefined ? [] : [{ cfop: document.cfop, number: absent }];
  const codes = [...whole.filter(({ cfop }) => FORM.test(cfop)), ...oncePerCode(wellFormed(document))];
  return inEach(codes, ({ cfop, number = absent }) => {
    if (natureOf(cfop) !== undefined) return [];
    return [{ found: cfop, expected: tables.cfop.published_on, values: { item: number } }];
  });
}

/** The issuer's own codes: 1 to 3 where the issuer receives (tpNF 0), 5 to 7 where it sends (tpNF 1). */
function checkFlow(document: DocumentSummary): Verdict {
  const { flow } = document;
  if (flow !== '0' && flow !== '1') return undefined;
  const expected = flow === '0' ? '1-3' : '5-7';
  return inEach(oncePerCode(wellFormed(document)), ({ cfop, number = '' }) =>
    isInboundCode(cfop) === (flow === '0') ? [] : [{ found: cfop, expected, values: { item: number, flow } }],
  );
}

/** At the counter a CPF of another state is common; a note that states its reach has said so. */
function mayBeBoughtHere({ recipient, reach }: DocumentSummary): boolean {
  return reach === undefined && recipient?.id_type !== 'cnpj';
}

function expectedReach({ reach, issuer, recipient }: DocumentSummary): Reach | undefined {
  if (reach !== undefined) return statedReach.get(reach);
  const origin = issuer?.state;
  const destination = recipient?.state;
  if (origin === undefined || destination === undefined) return undefined;
  if (destination === ABROAD) return 'abroad';
  return origin === destination ? 'state' : 'country';
}

/**
 * The code's reach against the one the note states (idDest), which knows of sales at the counter and of places of
 * delivery. Where it states none, as before layout 3.10, against the states of issuer and recipient: then a finding is a
 * thing to look at and not a fault by itself. Source: MOC NF-e, rejections 731, 732 and 733; 520 to 523, 772 and 773.
 */
function checkStates(document: DocumentSummary): Verdict {
  const expected = expectedReach(document);
  if (expected === undefined) return undefined;
  const origin = document.issuer?.state ?? absent;
  const destination = document.recipient?.state ?? absent;
  const reach = document.reach ?? absent;
  const isRight = (cfop: string) => {
    const found = reachOf[cfop.charAt(0)];
    if (found === expected || FUEL_AT_THE_PUMP.has(cfop) || FUEL_USED_ABROAD.has(cfop)) return true;
    return found === 'state' && mayBeBoughtHere(document);
  };
  return inEach(oncePerCode(wellFormed(document)), ({ cfop, number = '' }) => {
    if (isRight(cfop)) return [];
    const likely = digitFor(expected, isInboundCode(cfop)) + cfop.slice(1);
    return [{ found: cfop, expected: likely, values: { item: number, origin, destination, reach } }];
  });
}

/** A CT-e's code against the states where the carriage begins and ends. */
function checkRoute({ cfop, route }: DocumentSummary): Verdict {
  const origin = route?.origin?.state;
  const destination = route?.destination?.state;
  if (cfop === undefined || origin === undefined || destination === undefined) return undefined;
  const touchesAbroad = origin === ABROAD || destination === ABROAD;
  if (touchesAbroad || !/^[56]\d{3}$/.test(cfop)) return undefined;
  const expected = (origin === destination ? '5' : '6') + cfop.slice(1);
  return cfop === expected ? [] : [{ found: cfop, expected, values: { origin, destination } }];
}

/** A supplier's entry note (tpNF 0) about a return, which is easily booked as a purchase. */
function checkDirection(
  { flow, issuer, recipient, operation }: DocumentFacts,
  { company, direction }: RuleContext,
): Verdict {
  const isAnothers = company !== undefined && recipient === company && issuer !== company;
  if (direction !== 'inbound' || !isAnothers || flow === undefined) return undefined;
  if (flow !== '0') return [];
  return [{ found: 'tpNF 0', expected: 'tpNF 1', values: { operation: operation ?? absent } }];
}

const RETURN = '4';

/** Items of a return that don't name the document they go back to (DFeReferenciado). Source: rule VC02-14. */
function checkReturnedItems({ purpose, items }: DocumentSummary): Verdict {
  if (purpose !== RETURN || items.length === 0) return undefined;
  const lacking = items.filter(({ reference }) => reference === undefined);
  if (lacking.length === 0) return [];
  const found = String(items.length - lacking.length);
  return [{ found, expected: String(items.length), values: { item: lacking[0]?.number ?? absent } }];
}

/** NFC-e and CF-e, by the model in their key. */
const CONSUMER_MODELS = new Set(['65', '59']);

/**
 * Keys of consumer documents that an outbound note (tpNF 1) refers to, as a whole or per item. Complementary notes,
 * returns and debit notes of types 03 and 04 may. Source: NT 2026.002 of the NF-e v1.11, rules BA02-35 and VC02-40.
 */
function checkConsumerReferences(document: DocumentSummary): Verdict {
  const { flow, purpose, debit_type, references, items } = document;
  const mayRefer = purpose === '2' || purpose === RETURN || debit_type === '03' || debit_type === '04';
  if (flow !== '1' || mayRefer) return undefined;
  const keys = [...references.map(({ key }) => key), ...items.map(({ reference }) => reference)];
  const given = [...new Set(keys)].filter((key) => key !== undefined);
  return inEach(given, (key) => {
    const model = key.slice(20, 22);
    return CONSUMER_MODELS.has(model) ? [{ found: key, expected: '55', values: { model } }] : [];
  });
}

const cfopBasis = verified('Convênio s/nº de 15/12/1970, Anexo II (CFOP)');
const cfopTableBasis = verified(tables.cfop.source, tables.cfop.verified_on);
const cfopByFlowBasis = verified(
  'Convênio s/nº de 15/12/1970, Anexo II (CFOP); MOC NF-e 7.0, rejeições 518 e 519',
);
const cfopByPlaceBasis = verified(
  'Convênio s/nº de 15/12/1970, Anexo II (CFOP); MOC NF-e 7.0, rejeições 520 a 523, 731 a 733, 772 e 773',
);
const returnsBasis = verified(
  'NT 2025.002-RTC v1.52, regra VC02-14 (03/11/2026 pelo texto; 16/11/2026 pelo aviso do Portal da NF-e de 05/10/2026)',
);
const referencesBasis = verified('NT 2026.002 (NF-e) v1.11, regras BA02-35 e VC02-40, rejeição 679');

/** Rules of this subject. */
export const operationRules: readonly Rule[] = [
  {
    ...about('cfop_form', 'error', kinds.notes, cfopBasis),
    title: ['CFOP fora do formato', 'Malformed CFOP'],
    finding: [
      'item {item}: {found} não é CFOP (quatro algarismos, com início em {expected})',
      'item {item}: {found} is not a CFOP (four digits, beginning with {expected})',
    ],
    todo: [
      'Peça ao emitente o CFOP correto (carta de correção, se couber).',
      'Ask the issuer for the right CFOP (a correction letter, where it may be used).',
    ],
    check: checkForm,
  },
  {
    ...about('cfop_unknown', 'error', kinds.coded, cfopTableBasis),
    title: ['CFOP que não consta da tabela oficial', 'CFOP that is not in the official table'],
    finding: [
      'item {item}: CFOP {found} não consta da tabela de {expected}',
      'item {item}: CFOP {found} is not in the table of {expected}',
    ],
    todo: [
      'Confira na tabela vigente do Portal da NF-e; se o código não existir, peça a correção ao emitente.',
      'Look it up in the table in force on the NF-e portal; if there is no such code, ask the issuer to correct it.',
    ],
    check: checkKnown,
  },
  {
    ...about('cfop_against_flow', 'error', kinds.notes, cfopByFlowBasis),
    title: ['CFOP × entrada ou saída do emitente', 'CFOP × inbound or outbound for the issuer'],
    finding: [
      'item {item}: CFOP {found} em nota com tpNF {flow}; o esperado começa por {expected}',
      'item {item}: CFOP {found} in a note with tpNF {flow}; one beginning with {expected} is expected',
    ],
    todo: [
      'Peça ao emitente a correção: o CFOP da nota é o da operação dele.',
      'Ask the issuer to correct it: the CFOP of a note is that of its own operation.',
    ],
    check: checkFlow,
  },
  {
    ...about('cfop_against_states', 'warning', kinds.nfe, cfopByPlaceBasis),
    title: [
      'CFOP × destino da operação (idDest) ou UF',
      'CFOP × destination of the operation (idDest) or states',
    ],
    finding: [
      'item {item}: CFOP {found}, de {origin} para {destination}, idDest {reach}; o grupo seria o de {expected}',
      'item {item}: CFOP {found}, from {origin} to {destination}, idDest {reach}; the group would be {expected}',
    ],
    todo: [
      'Confira onde a mercadoria foi entregue; sem idDest, pode estar certo em venda presencial ou com entrega ou retirada em outro lugar.',
      'Check where the goods were delivered; without idDest it may be right when sold over the counter, or delivered or collected elsewhere.',
    ],
    check: checkStates,
  },
  {
    ...about('cte_cfop_against_route', 'warning', kinds.cte, cfopBasis),
    title: ['CFOP do CT-e × UF de início e de fim', 'CFOP of the CT-e × states of departure and arrival'],
    finding: [
      'CFOP {found} em transporte de {origin} a {destination}; o grupo seria o de {expected}',
      'CFOP {found} for carriage from {origin} to {destination}; the group would be {expected}',
    ],
    todo: [
      'Confira o trajeto com o transportador antes de aproveitar o crédito de ICMS do frete.',
      'Check the route with the carrier before the ICMS of the freight is taken as credit.',
    ],
    check: checkRoute,
  },
  {
    ...about('flow_against_direction', 'info', kinds.nfe, cfopBasis),
    title: [
      'Nota de entrada do fornecedor entre as recebidas',
      'Supplier’s own entry note among those received',
    ],
    finding: [
      'o emitente registrou a própria entrada ({found}: {operation}), em geral devolução ou retorno',
      'the issuer recorded its own entry ({found}: {operation}), usually a return',
    ],
    todo: ['Confira antes de escriturar como compra.', 'Check it before it is booked as a purchase.'],
    checkFacts: checkDirection,
  },
  {
    ...about('return_without_reference', 'warning', kinds.nfe, returnsBasis, calendar.returnsPerItem),
    title: ['Devolução sem a nota de origem por item', 'Return without its original note per item'],
    finding: [
      'devolução com DFeReferenciado em {found} de {expected} itens; o primeiro sem ele é o {item} (regra VC02-14, rejeição 321)',
      'return with DFeReferenciado in {found} of {expected} items; the first without it is {item} (rule VC02-14, rejection 321)',
    ],
    todo: [
      'Em nota própria, emita a próxima com a chave e o item da nota de origem em cada item; em nota recebida, confirme com o emitente a que compra ela se refere.',
      'In your own next notes give key and item of the original note in each item; for a note received, ask the issuer which purchase it refers to.',
    ],
    check: checkReturnedItems,
  },
  {
    ...about(
      'reference_to_consumer_document',
      'error',
      kinds.nfe,
      referencesBasis,
      calendar.consumerReferences,
    ),
    title: ['NF-e de saída que referencia NFC-e ou CF-e', 'Outbound NF-e that refers to an NFC-e or CF-e'],
    finding: [
      'a nota referencia {found}, de modelo {model}; desde 14/12/2026 só nota complementar, devolução e nota de débito 03 e 04 podem (rejeição 679)',
      'the note refers to {found}, of model {model}; since 14 December 2026 only complementary notes, returns and debit notes 03 and 04 may (rejection 679)',
    ],
    todo: [
      'Confira se a nota foi autorizada; em nota própria, emita-a sem essa referência ou com a finalidade certa.',
      'See whether the note was authorised; issue your own without that reference or with the right purpose.',
    ],
    check: checkConsumerReferences,
  },
];
