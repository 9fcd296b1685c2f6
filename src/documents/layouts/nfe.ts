import { addDecimals, isDecimal, sameDecimal } from '../decimals.ts';
import { appendedEvents } from '../events/event-history.ts';
import { checkKey, type Unchecked } from '../summary/checks.ts';
import {
  below,
  type Collected,
  type DocumentLayout,
  type FieldTable,
  type ListRecords,
  together,
} from '../summary/fields.ts';
import { partyFrom, unlessEmpty } from '../summary/parties.ts';
import type { DocumentSummary, Item, Transport } from '../summary/summary.ts';
import { keyedParts, party, withWarnings } from './common-parts.ts';
import { appendedEventFields, protocolFields } from './events.ts';
import { checkNfeAmounts, NOT_IN_TOTAL, sharesOf } from './nfe-amounts.ts';

const header: FieldTable = {
  raw: [
    { id: '@Id', version: '@versao', government: 'ide/gCompraGov/tpEnteGov' },
    { in: 'ide', state_code: 'cUF', environment: 'tpAmb' },
  ],
  document: [
    { in: 'ide', model: 'mod', series: 'serie', number: 'nNF', issued_at: 'dhEmi dEmi' },
    { in: 'ide', moved_at: 'dhSaiEnt dSaiEnt', operation: 'natOp', flow: 'tpNF', reach: 'idDest' },
    { in: 'ide', purpose: 'finNFe', credit_type: 'tpNFCredito', debit_type: 'tpNFDebito' },
    { in: 'ide', expected_delivery: 'dPrevEntrega' },
  ],
  references: [
    { each: 'ide/NFref', key: 'refNFe refNFeSig refCTe', model: 'refNF/mod refNFP/mod refECF/mod' },
    { in: 'ide/NFref', series: 'refNF/serie refNFP/serie', number: 'refNF/nNF refNFP/nNF refECF/nCOO' },
    { in: 'ide/NFref', issuer: 'refNF/CNPJ refNFP/CNPJ refNFP/CPF' },
    { each: 'ide/gPagAntecipado/refNFe', key: '.' },
  ],
  issuer: { in: 'emit', tax_regime: 'CRT', municipal_registration: 'IM' },
  recipient: { foreign: 'dest/idEstrangeiro' },
  payment_links: [
    { each: 'gPgtoVinc/gPgto', number: '@nPag', transaction: '@idTransacao', method: 'tpMeioPgto' },
    { in: 'gPgtoVinc/gPgto', payee: 'CNPJReceb', provider: 'CNPJBasePSP' },
  ],
  notes: { in: 'infAdic', issuer: 'infCpl', tax_office: 'infAdFisco' },
};

const item: FieldTable = {
  items: [
    { each: '', number: '@nItem', share: 'vItem', reference: 'DFeReferenciado/chaveAcesso' },
    { in: 'prod', code: 'cProd', description: 'xProd', ncm: 'NCM', cest: 'CEST', cfop: 'CFOP', unit: 'uCom' },
    { in: 'prod', quantity: 'qCom', unit_value: 'vUnCom', total: 'vProd', products_net: 'vProdLiq' },
    { in: 'prod', discount: 'vDesc', freight: 'vFrete', insurance: 'vSeg', other: 'vOutro' },
    { in: 'prod', in_total: 'indTot', order: 'xPed', order_line: 'nItemPed' },
    { notes: 'infAdProd', fuel: 'prod/comb/cProdANP', vehicle_operation: 'prod/veicProd/tpOp' },
    { in: 'imposto', origin: 'ICMS/*/orig', cst: 'ICMS/*/CST ICMS/*/CSOSN' },
    { in: 'imposto', pis_st: 'PISST/vPIS', cofins_st: 'COFINSST/vCOFINS' },
  ],
  declarations: { each: 'prod/DI', number: 'nDI' },
  taxes: [
    { each: '' },
    { in: 'imposto/ICMS/*', icms_base: 'vBC', icms_rate: 'pICMS', icms: 'vICMS', icms_mono: 'vICMSMono' },
    { in: 'imposto/ICMS/*', icms_st_base: 'vBCST', icms_st: 'vICMSST', fcp: 'vFCP', fcp_st: 'vFCPST' },
    { in: 'imposto/ICMS/*', icms_relieved: 'vICMSDeson', icms_credit: 'vCredICMSSN' },
    { in: 'imposto/IPI', ipi_cst: 'IPITrib/CST IPINT/CST', ipi: 'IPITrib/vIPI' },
    { in: 'imposto/PIS/*', pis_cst: 'CST', pis: 'vPIS' },
    { in: 'imposto/COFINS/*', cofins_cst: 'CST', cofins: 'vCOFINS' },
    { in: 'imposto/ISSQN', iss_base: 'vBC', iss_rate: 'vAliq', iss: 'vISSQN' },
    { in: 'imposto', difal: 'ICMSUFDest/vICMSUFDest', import_duty: 'II/vII', is: 'IS/vIS' },
    { in: 'imposto/IBSCBS', ibs_cbs_cst: 'CST', class_trib: 'cClassTrib', ibs_cbs_base: 'gIBSCBS/vBC' },
    { in: 'imposto/IBSCBS/gIBSCBS', ibs: 'vIBS', cbs: 'gCBS/vCBS', cbs_rate: 'gCBS/pCBS' },
    { in: 'imposto/IBSCBS/gIBSCBS', ibs_state_rate: 'gIBSUF/pIBSUF', ibs_city_rate: 'gIBSMun/pIBSMun' },
    { in: 'imposto/IBSCBS/gIBSCBSMono', ibs_mono: 'vTotIBSMonoItem', cbs_mono: 'vTotCBSMonoItem' },
  ],
  raw_items: [
    { each: '', ipi_returned: 'impostoDevol/IPI/vIPIDevol' },
    { in: 'imposto', pis_st_counts: 'PISST/indSomaPISST', cofins_st_counts: 'COFINSST/indSomaCOFINSST' },
    { in: 'imposto/IBSCBS/gIBSCBS', ibs_state: 'gIBSUF/vIBSUF', ibs_city: 'gIBSMun/vIBSMun' },
    { in: 'imposto/ICMS/*', icms_mono_beside: 'vICMSMonoReten', icms_mono_before: 'vICMSMonoRet' },
    { in: 'imposto/ICMS/*', icms_relief_deducted: 'indDeduzDeson' },
  ],
};

const totals: FieldTable = {
  totals: [
    { in: 'ICMSTot', total: 'vNF', products: 'vProd', icms_base: 'vBC', icms: 'vICMS' },
    { in: 'ICMSTot', icms_relieved: 'vICMSDeson', icms_mono: 'vICMSMono', fcp: 'vFCP', icms_st: 'vST' },
    { in: 'ICMSTot', fcp_st: 'vFCPST', import_duty: 'vII', ipi: 'vIPI', ipi_returned: 'vIPIDevol' },
    { in: 'ICMSTot', pis: 'vPIS', cofins: 'vCOFINS', freight: 'vFrete', insurance: 'vSeg' },
    { in: 'ICMSTot', discount: 'vDesc', other: 'vOutro' },
    { in: 'ISSQNtot', services: 'vServ', iss_base: 'vBC', iss: 'vISS' },
    { in: 'IBSCBSTot', ibs_cbs_base: 'vBCIBSCBS', ibs: 'gIBS/vIBS', cbs: 'gCBS/vCBS' },
    { in: 'IBSCBSTot/gMono', ibs_mono: 'vIBSMono', cbs_mono: 'vCBSMono' },
    { is: 'ISTot/vIS', total_with_ibs_cbs: 'vNFTot' },
  ],
  informative: { products_net: 'ICMSTot/vProdLiqTot vProdLiqTot', difal: 'ICMSTot/vICMSUFDest' },
  raw: [
    { in: 'ICMSTot', icms_mono_beside: 'vICMSMonoReten', icms_mono_before: 'vICMSMonoRet' },
    { ibs_state: 'IBSCBSTot/gIBS/gIBSUF/vIBSUF', ibs_city: 'IBSCBSTot/gIBS/gIBSMun/vIBSMun' },
  ],
  withheld: [
    { in: 'retTrib', pis: 'vRetPIS', cofins: 'vRetCOFINS', csll: 'vRetCSLL', income_tax: 'vIRRF' },
    { inss: 'retTrib/vRetPrev', iss: 'ISSQNtot/vISSRet' },
  ],
};

const delivery: FieldTable = {
  payments: [
    { each: 'pag/detPag', timing: 'indPag', method: 'tPag', description: 'xPag', amount: 'vPag' },
    { each: 'pag/tPag', method: '.' },
    { in: 'pag', amount: 'vPag' },
  ],
  installments: { each: 'cobr/dup', number: 'nDup', due: 'dVenc', amount: 'vDup' },
  transport: { mode: 'transp/modFrete', plate: 'transp/veicTransp/placa' },
  carrier: [
    { in: 'transp/transporta', cnpj: 'CNPJ', cpf: 'CPF', name: 'xNome', state_registration: 'IE' },
    { in: 'transp/transporta', city: 'xMun', state: 'UF' },
  ],
  volumes: { each: 'transp/vol', count: 'qVol', net_weight: 'pesoL', gross_weight: 'pesoB' },
};

const CONSUMER_MODEL = '65';

/**
 * Completes taxes that a file gives in parts: IBS from the state's and the city's share; single-phase ICMS on fuels,
 * due on the operation itself (vICMSMono), in addition (vICMSMonoReten, CST 15) or earlier (vICMSMonoRet, CST 61).
 */
function addParts({ totals, raw, taxes, raw_items }: Collected): void {
  const whole = addDecimals([
    totals.icms_mono ?? addDecimals(taxes.map(({ icms_mono }) => icms_mono)),
    raw.icms_mono_beside ?? addDecimals(raw_items.map(({ icms_mono_beside }) => icms_mono_beside)),
    raw.icms_mono_before ?? addDecimals(raw_items.map(({ icms_mono_before }) => icms_mono_before)),
  ]);
  if (whole !== undefined) totals.icms_mono = whole;
  for (const [i, own] of taxes.entries()) {
    const { ibs_state, ibs_city, icms_mono_beside, icms_mono_before } = raw_items[i] ?? {};
    const ibs = own.ibs ?? addDecimals([ibs_state, ibs_city]);
    const icms_mono = addDecimals([own.icms_mono, icms_mono_beside, icms_mono_before]);
    if (ibs !== undefined) own.ibs = ibs;
    if (icms_mono !== undefined) own.icms_mono = icms_mono;
  }
}

/** Rare fields: an object that begins with the common ones takes a third less memory. */
const rareItemFields = [
  ...(['products_net', 'discount', 'freight', 'insurance', 'other', 'order', 'order_line', 'notes'] as const),
  ...(['fuel', 'vehicle_operation', 'pis_st', 'cofins_st', 'reference'] as const),
];

function itemFrom(found: ListRecords['items'], taxes: ListRecords['taxes'], share: string | undefined): Item {
  const item: ListRecords['items'] & Pick<Item, 'taxes'> = {
    number: found.number,
    code: found.code,
    description: found.description,
    ncm: found.ncm,
    cest: found.cest,
    cfop: found.cfop,
    cst: found.cst,
    origin: found.origin,
    quantity: found.quantity,
    unit: found.unit,
    unit_value: found.unit_value,
    total: found.total,
    taxes,
  };
  if (share !== undefined && !sameDecimal(share, found.total ?? '')) item.share = share;
  if (found.in_total === NOT_IN_TOTAL) item.in_total = NOT_IN_TOTAL;
  for (const field of rareItemFields) if (found[field] !== undefined) item[field] = found[field];
  return item;
}

function addItemReferences({ items, references }: Collected): void {
  const known = new Set(references.map(({ key }) => key));
  for (const { reference } of items) {
    if (reference === undefined || known.has(reference)) continue;
    known.add(reference);
    references.push({ key: reference });
  }
}

function transportFrom({ transport, volumes, carrier }: Collected): Transport | undefined {
  const sum = (name: keyof ListRecords['volumes']) => {
    const given = volumes.flatMap((one) => one[name] ?? []);
    return given.length === 1 ? given[0] : addDecimals(given);
  };
  return unlessEmpty({
    mode: transport.mode,
    plate: transport.plate,
    volumes: sum('count'),
    net_weight: sum('net_weight'),
    gross_weight: sum('gross_weight'),
    carrier: partyFrom(carrier),
  });
}

function summarizeNfe(collected: Collected): DocumentSummary | undefined {
  const { document: header, raw, totals, withheld, items, taxes } = collected;
  addParts(collected);
  addItemReferences(collected);
  const parts = keyedParts(collected, 'nfe', header.model === CONSUMER_MODEL ? 'nfce' : 'nfe');
  if (parts === undefined) return undefined;
  const shares = sharesOf(collected);
  const import_declarations = [...new Set(collected.declarations.flatMap(({ number }) => number ?? []))];
  // A note with services has the ISS withheld by its service recipient (vISSRet), or no such field.
  totals.iss_withheld = withheld.iss;
  const isIssWithheld = withheld.iss !== undefined && isDecimal(withheld.iss) && Number(withheld.iss) > 0;
  const document: Unchecked = Object.assign(parts, {
    ...(import_declarations.length > 0 ? { import_declarations } : {}),
    items: items.map((item, i) => itemFrom(item, taxes[i] ?? {}, shares[i])),
    item_count: items.length,
    transport: transportFrom(collected),
    iss_withheld: isIssWithheld ? true : undefined,
    is_to_government: raw.government === undefined ? undefined : true,
    events: appendedEvents(collected, parts.key),
  });
  const ofAmounts = checkNfeAmounts(document, collected);
  return withWarnings(document, collected, checkKey(document, collected), ofAmounts);
}

/** NF-e and NFC-e, layouts 2.00 to 4.00, with or without an appended cancellation. Source: docs/fiscal/layouts.md. */
export const nfe: DocumentLayout = {
  fields: together(
    below('NFe/infNFe', together(header, below('det', item), below('total', totals), delivery)),
    below(
      'NFe/infNFe',
      together(party('issuer', 'emit', 'enderEmit'), party('recipient', 'dest', 'enderDest')),
    ),
    below('protNFe/infProt', protocolFields),
    appendedEventFields,
  ),
  summarize: summarizeNfe,
};
