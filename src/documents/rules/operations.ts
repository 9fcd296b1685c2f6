import { ABROAD } from '../identity/keys.ts';
import type { DocumentSummary } from '../summary/summary.ts';
import { natureOf } from '../tables/cfop.ts';
import { tables } from '../tables/sources.ts';
import { absent, inEach, kinds, rule, verified } from './rule.ts';

const FORM = /^[123567]\d{3}$/;
/**
 * Codes of internal sales whatever the buyer's state: fuel sold to a buyer from another state who fills up here, and
 * fuel for a ship or aircraft that uses it abroad (UFCons EX).
 */
const soldHere = new Set(['5656', '5667', '7651', '7654', '7667']);
/** By idDest, the first digit of inbound and outbound codes: within the state, other states, abroad. */
const digitsOf = new Map(Object.entries({ 1: ['1', '5'], 2: ['2', '6'], 3: ['3', '7'] } as const));

function isInboundCode(cfop: string): boolean {
  return '123'.includes(cfop.charAt(0));
}

/** Distinct CFOPs with the first item of each: a wrong code is reported once, not per item. */
function codesOf({ items }: DocumentSummary, form = FORM): [cfop: string, item: string][] {
  const firsts = new Map<string, string>();
  for (const { cfop, number = absent } of items)
    if (cfop !== undefined && form.test(cfop) && !firsts.has(cfop)) firsts.set(cfop, number);
  return [...firsts];
}

/** idDest, or its equivalent by the states of issuer and recipient. */
function reachOf({ reach, issuer, recipient }: DocumentSummary): string | undefined {
  const [origin, destination] = [issuer?.state, recipient?.state];
  if (reach !== undefined) return reach;
  if (origin === undefined || destination === undefined) return undefined;
  if (destination === ABROAD) return '3';
  return origin === destination ? '1' : '2';
}

const RETURN = '4';
const consumerModels = new Set(['65', '59']);

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

export const operationRules = [
  rule('cfop_form', 'error', kinds.notes, cfopBasis, {
    title: ['CFOP fora do formato', 'Malformed CFOP'],
    finding: [
      'item {item}: {found} não é CFOP (quatro algarismos, com início em {expected})',
      'item {item}: {found} is not a CFOP (four digits, beginning with {expected})',
    ],
    todo: [
      'Peça ao emitente o CFOP correto (carta de correção, se couber).',
      'Ask the issuer for the right CFOP (a correction letter, where it may be used).',
    ],
    check: (document) =>
      inEach(codesOf(document, /^/), ([found, item]) =>
        FORM.test(found) ? [] : [{ found, expected: '1-3, 5-7', values: { item } }],
      ),
  }),
  rule('cfop_unknown', 'error', kinds.coded, cfopTableBasis, {
    title: ['CFOP que não consta da tabela oficial', 'CFOP that is not in the official table'],
    finding: [
      'item {item}: CFOP {found} não consta da tabela de {expected}',
      'item {item}: CFOP {found} is not in the table of {expected}',
    ],
    todo: [
      'Confira na tabela vigente do Portal da NF-e; se o código não existir, peça a correção ao emitente.',
      'Look it up in the table in force on the NF-e portal; if there is no such code, ask the issuer to correct it.',
    ],
    /** A CT-e has one code for the whole document. */
    check(document) {
      const { cfop = '' } = document;
      const whole: [string, string][] = FORM.test(cfop) ? [[cfop, absent]] : [];
      return inEach([...whole, ...codesOf(document)], ([found, item]) => {
        if (natureOf(found) !== undefined) return [];
        return [{ found, expected: tables.cfop.published_on, values: { item } }];
      });
    },
  }),
  rule('cfop_against_flow', 'error', kinds.notes, cfopByFlowBasis, {
    title: ['CFOP × entrada ou saída do emitente', 'CFOP × inbound or outbound for the issuer'],
    finding: [
      'item {item}: CFOP {found} em nota com tpNF {flow}; o esperado começa por {expected}',
      'item {item}: CFOP {found} in a note with tpNF {flow}; one beginning with {expected} is expected',
    ],
    todo: [
      'Peça ao emitente a correção: o CFOP da nota é o da operação dele.',
      'Ask the issuer to correct it: the CFOP of a note is that of its own operation.',
    ],
    /** Codes from the issuer's view: 1 to 3 if it receives (tpNF 0), 5 to 7 if it sends (tpNF 1). */
    check(document) {
      const { flow } = document;
      if (flow !== '0' && flow !== '1') return undefined;
      const expected = flow === '0' ? '1-3' : '5-7';
      return inEach(codesOf(document), ([found, item]) =>
        isInboundCode(found) === (flow === '0') ? [] : [{ found, expected, values: { item, flow } }],
      );
    },
  }),
  rule('cfop_against_states', 'warning', kinds.nfe, cfopByPlaceBasis, {
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
    /**
     * Compares the code's reach with idDest, which accounts for counter sales and places of delivery. Without idDest,
     * as before layout 3.10, the states decide: a finding is then only a hint, and a CPF of another state is common at
     * the counter. Source: MOC NF-e, rejections 731, 732 and 733; 520 to 523, 772 and 773.
     */
    check(document) {
      const digits: readonly string[] | undefined = digitsOf.get(reachOf(document) ?? '');
      if (digits === undefined) return undefined;
      const { reach = absent, issuer, recipient } = document;
      const [origin, destination] = [issuer?.state ?? absent, recipient?.state ?? absent];
      const mayBeBoughtHere = document.reach === undefined && recipient?.id_type !== 'cnpj';
      return inEach(codesOf(document), ([found, item]) => {
        const digit = found.charAt(0);
        const isHere = soldHere.has(found) || (mayBeBoughtHere && '15'.includes(digit));
        if (isHere || digits.includes(digit)) return [];
        const expected = digits[isInboundCode(found) ? 0 : 1] + found.slice(1);
        return [{ found, expected, values: { item, origin, destination, reach } }];
      });
    },
  }),
  rule('cte_cfop_against_route', 'warning', kinds.cte, cfopBasis, {
    title: ['CFOP do CT-e × UF de início e de fim', 'CFOP of the CT-e × states of departure and arrival'],
    finding: [
      'CFOP {found} em transporte de {origin} a {destination}; o grupo seria o de {expected}',
      'CFOP {found} for carriage from {origin} to {destination}; the group would be {expected}',
    ],
    todo: [
      'Confira o trajeto com o transportador antes de aproveitar o crédito de ICMS do frete.',
      'Check the route with the carrier before the ICMS of the freight is taken as credit.',
    ],
    check({ cfop = '', route }) {
      const [origin, destination] = [route?.origin?.state, route?.destination?.state];
      if (origin === undefined || destination === undefined || !/^[56]\d{3}$/.test(cfop)) return undefined;
      if (origin === ABROAD || destination === ABROAD) return undefined;
      const expected = (origin === destination ? '5' : '6') + cfop.slice(1);
      return cfop === expected ? [] : [{ found: cfop, expected, values: { origin, destination } }];
    },
  }),
  rule('flow_against_direction', 'info', kinds.nfe, cfopBasis, {
    title: [
      'Nota de entrada do fornecedor entre as recebidas',
      'Supplier’s own entry note among those received',
    ],
    finding: [
      'o emitente registrou a própria entrada ({found}: {operation}), em geral devolução ou retorno',
      'the issuer recorded its own entry ({found}: {operation}), usually a return',
    ],
    todo: ['Confira antes de escriturar como compra.', 'Check it before it is booked as a purchase.'],
    /** A supplier's entry note (tpNF 0) for a return is easily booked as a purchase. */
    checkFacts({ flow, issuer, recipient, operation = absent }, { company, direction }) {
      const isAnothers = company !== undefined && recipient === company && issuer !== company;
      if (direction !== 'inbound' || !isAnothers || flow === undefined) return undefined;
      return flow === '0' ? [{ found: 'tpNF 0', expected: 'tpNF 1', values: { operation } }] : [];
    },
  }),
  rule('return_without_reference', 'warning', kinds.nfe, returnsBasis, {
    // Rule VC02-14 of NT 2025.002-RTC v1.52: 2026-11-03 by its text, moved by the portal's notice of 2026-10-05.
    valid: { from: '2026-11-16' },
    title: ['Devolução sem a nota de origem por item', 'Return without its original note per item'],
    finding: [
      'devolução com DFeReferenciado em {found} de {expected} itens; o primeiro sem ele é o {item} (regra VC02-14, rejeição 321)',
      'return with DFeReferenciado in {found} of {expected} items; the first without it is {item} (rule VC02-14, rejection 321)',
    ],
    todo: [
      'Em nota própria, emita a próxima com a chave e o item da nota de origem em cada item; em nota recebida, confirme com o emitente a que compra ela se refere.',
      'In your own next notes give key and item of the original note in each item; for a note received, ask the issuer which purchase it refers to.',
    ],
    check({ purpose, items }) {
      if (purpose !== RETURN || items.length === 0) return undefined;
      const lacking = items.filter(({ reference }) => reference === undefined);
      if (lacking.length === 0) return [];
      const found = String(items.length - lacking.length);
      return [{ found, expected: String(items.length), values: { item: lacking[0]?.number ?? absent } }];
    },
  }),
  rule('reference_to_consumer_document', 'error', kinds.nfe, referencesBasis, {
    valid: { from: '2026-12-14' },
    title: ['NF-e de saída que referencia NFC-e ou CF-e', 'Outbound NF-e that refers to an NFC-e or CF-e'],
    finding: [
      'a nota referencia {found}, de modelo {model}; desde 14/12/2026 só nota complementar, devolução e nota de débito 03 e 04 podem (rejeição 679)',
      'the note refers to {found}, of model {model}; since 14 December 2026 only complementary notes, returns and debit notes 03 and 04 may (rejection 679)',
    ],
    todo: [
      'Confira se a nota foi autorizada; em nota própria, emita-a sem essa referência ou com a finalidade certa.',
      'See whether the note was authorised; issue your own without that reference or with the right purpose.',
    ],
    /**
     * Documents referenced by an outbound note or its items; complements, returns and some debit notes may refer to
     * them.
     */
    check({ flow, purpose = '', debit_type = '', references, items }) {
      const mayRefer = ['2', RETURN].includes(purpose) || ['03', '04'].includes(debit_type);
      if (flow !== '1' || mayRefer) return undefined;
      const keys = [...references.map(({ key }) => key), ...items.map(({ reference }) => reference)];
      const given = [...new Set(keys)].filter((key) => key !== undefined);
      return inEach(given, (found) => {
        const model = found.slice(20, 22);
        return consumerModels.has(model) ? [{ found, expected: '55', values: { model } }] : [];
      });
    },
  }),
];
