import { addDecimals, isDecimal, sameDecimal } from '../decimals.ts';
import { appendedCancellation, appendedEvents } from '../events/event-history.ts';
import { statusByCode } from '../events/statuses.ts';
import { checkEnvironment, checkKey, checkParties, checkStatus, type Unchecked } from '../summary/checks.ts';
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
import { commonParts, keyFromId, party, withWarnings } from './common-parts.ts';
import { appendedEventFields, protocolFields } from './events.ts';
import { checkNfeAmounts, NOT_IN_TOTAL, sharesOf } from './nfe-amounts.ts';

const header: FieldTable = {
  fields: {
    '@Id': 'clue.id',
    '@versao': 'clue.version',
    'ide/cUF': 'clue.state_code',
    'ide/mod': 'document.model',
    'ide/serie': 'document.series',
    'ide/nNF': 'document.number',
    'ide/dhEmi': 'document.issued_at',
    'ide/dEmi': 'document.issued_at',
    'ide/dhSaiEnt': 'document.moved_at',
    'ide/dSaiEnt': 'document.moved_at',
    'ide/natOp': 'document.operation',
    'ide/tpNF': 'document.flow',
    'ide/idDest': 'document.reach',
    'ide/finNFe': 'document.purpose',
    'ide/tpNFCredito': 'document.credit_type',
    'ide/tpNFDebito': 'document.debit_type',
    'ide/dPrevEntrega': 'document.expected_delivery',
    'ide/tpAmb': 'clue.environment',
    'ide/NFref/refNFe': 'references.key',
    'ide/NFref/refNFeSig': 'references.key',
    'ide/NFref/refCTe': 'references.key',
    'ide/NFref/refNF/mod': 'references.model',
    'ide/NFref/refNF/serie': 'references.series',
    'ide/NFref/refNF/nNF': 'references.number',
    'ide/NFref/refNF/CNPJ': 'references.issuer',
    'ide/NFref/refNFP/mod': 'references.model',
    'ide/NFref/refNFP/serie': 'references.series',
    'ide/NFref/refNFP/nNF': 'references.number',
    'ide/NFref/refNFP/CNPJ': 'references.issuer',
    'ide/NFref/refNFP/CPF': 'references.issuer',
    'ide/NFref/refECF/mod': 'references.model',
    'ide/NFref/refECF/nCOO': 'references.number',
    'ide/gPagAntecipado/refNFe': 'references.key',
    'ide/gCompraGov/tpEnteGov': 'clue.government',
    'emit/CRT': 'issuer.tax_regime',
    'emit/IM': 'issuer.municipal_registration',
    'dest/idEstrangeiro': 'recipient.foreign',
    'gPgtoVinc/gPgto/@nPag': 'payment_links.number',
    'gPgtoVinc/gPgto/@idTransacao': 'payment_links.transaction',
    'gPgtoVinc/gPgto/tpMeioPgto': 'payment_links.method',
    'gPgtoVinc/gPgto/CNPJReceb': 'payment_links.payee',
    'gPgtoVinc/gPgto/CNPJBasePSP': 'payment_links.provider',
    'infAdic/infCpl': 'notes.issuer',
    'infAdic/infAdFisco': 'notes.tax_office',
  },
  lists: {
    'ide/NFref': ['references'],
    'ide/gPagAntecipado/refNFe': ['references'],
    'gPgtoVinc/gPgto': ['payment_links'],
  },
};

const item: FieldTable = {
  fields: {
    '@nItem': 'items.number',
    'prod/cProd': 'items.code',
    'prod/xProd': 'items.description',
    'prod/NCM': 'items.ncm',
    'prod/CEST': 'items.cest',
    'prod/CFOP': 'items.cfop',
    'prod/uCom': 'items.unit',
    'prod/qCom': 'items.quantity',
    'prod/vUnCom': 'items.unit_value',
    'prod/vProd': 'items.total',
    'prod/vProdLiq': 'items.products_net',
    'prod/vDesc': 'items.discount',
    'prod/vFrete': 'items.freight',
    'prod/vSeg': 'items.insurance',
    'prod/vOutro': 'items.other',
    'prod/indTot': 'items.in_total',
    'prod/DI/nDI': 'declarations.number',
    'prod/xPed': 'items.order',
    'prod/nItemPed': 'items.order_line',
    'prod/veicProd/tpOp': 'items.vehicle_operation',
    infAdProd: 'items.notes',
    vItem: 'items.share',
    'prod/comb/cProdANP': 'items.fuel',
    'DFeReferenciado/chaveAcesso': 'items.reference',
    'imposto/ICMS/*/orig': 'items.origin',
    'imposto/ICMS/*/CST': 'items.cst',
    'imposto/ICMS/*/CSOSN': 'items.cst',
    'imposto/ICMS/*/vBC': 'taxes.icms_base',
    'imposto/ICMS/*/pICMS': 'taxes.icms_rate',
    'imposto/ICMS/*/vICMS': 'taxes.icms',
    'imposto/ICMS/*/vICMSDeson': 'taxes.icms_relieved',
    'imposto/ICMS/*/indDeduzDeson': 'item_clues.icms_relief_deducted',
    'imposto/ICMS/*/vBCST': 'taxes.icms_st_base',
    'imposto/ICMS/*/vICMSST': 'taxes.icms_st',
    'imposto/ICMS/*/vCredICMSSN': 'taxes.icms_credit',
    'imposto/ICMS/*/vICMSMono': 'taxes.icms_mono',
    'imposto/ICMS/*/vICMSMonoReten': 'item_clues.icms_mono_beside',
    'imposto/ICMS/*/vICMSMonoRet': 'item_clues.icms_mono_before',
    'imposto/ICMS/*/vFCP': 'taxes.fcp',
    'imposto/ICMS/*/vFCPST': 'taxes.fcp_st',
    'imposto/IPI/IPITrib/CST': 'taxes.ipi_cst',
    'imposto/IPI/IPITrib/vIPI': 'taxes.ipi',
    'imposto/IPI/IPINT/CST': 'taxes.ipi_cst',
    'imposto/PIS/*/CST': 'taxes.pis_cst',
    'imposto/PIS/*/vPIS': 'taxes.pis',
    'imposto/COFINS/*/CST': 'taxes.cofins_cst',
    'imposto/COFINS/*/vCOFINS': 'taxes.cofins',
    'imposto/PISST/vPIS': 'items.pis_st',
    'imposto/PISST/indSomaPISST': 'item_clues.pis_st_counts',
    'imposto/COFINSST/vCOFINS': 'items.cofins_st',
    'imposto/COFINSST/indSomaCOFINSST': 'item_clues.cofins_st_counts',
    'imposto/ICMSUFDest/vICMSUFDest': 'taxes.difal',
    'imposto/II/vII': 'taxes.import_duty',
    'impostoDevol/IPI/vIPIDevol': 'item_clues.ipi_returned',
    'imposto/ISSQN/vBC': 'taxes.iss_base',
    'imposto/ISSQN/vAliq': 'taxes.iss_rate',
    'imposto/ISSQN/vISSQN': 'taxes.iss',
    'imposto/IS/vIS': 'taxes.is',
    'imposto/IBSCBS/CST': 'taxes.ibs_cbs_cst',
    'imposto/IBSCBS/cClassTrib': 'taxes.class_trib',
    'imposto/IBSCBS/gIBSCBS/vBC': 'taxes.ibs_cbs_base',
    'imposto/IBSCBS/gIBSCBS/gIBSUF/pIBSUF': 'taxes.ibs_state_rate',
    'imposto/IBSCBS/gIBSCBS/gIBSMun/pIBSMun': 'taxes.ibs_city_rate',
    'imposto/IBSCBS/gIBSCBS/gCBS/pCBS': 'taxes.cbs_rate',
    'imposto/IBSCBS/gIBSCBS/gIBSUF/vIBSUF': 'item_clues.ibs_state',
    'imposto/IBSCBS/gIBSCBS/gIBSMun/vIBSMun': 'item_clues.ibs_city',
    'imposto/IBSCBS/gIBSCBS/vIBS': 'taxes.ibs',
    'imposto/IBSCBS/gIBSCBS/gCBS/vCBS': 'taxes.cbs',
    'imposto/IBSCBS/gIBSCBSMono/vTotIBSMonoItem': 'taxes.ibs_mono',
    'imposto/IBSCBS/gIBSCBSMono/vTotCBSMonoItem': 'taxes.cbs_mono',
  },
  lists: { '': ['items', 'taxes', 'item_clues'], 'prod/DI': ['declarations'] },
};

const totals: FieldTable = {
  fields: {
    'ICMSTot/vNF': 'totals.total',
    'ICMSTot/vProd': 'totals.products',
    'ICMSTot/vProdLiqTot': 'informative.products_net',
    vProdLiqTot: 'informative.products_net',
    'ICMSTot/vBC': 'totals.icms_base',
    'ICMSTot/vICMS': 'totals.icms',
    'ICMSTot/vICMSDeson': 'totals.icms_relieved',
    'ICMSTot/vICMSMono': 'totals.icms_mono',
    'ICMSTot/vICMSMonoReten': 'clue.icms_mono_beside',
    'ICMSTot/vICMSMonoRet': 'clue.icms_mono_before',
    'ICMSTot/vFCP': 'totals.fcp',
    'ICMSTot/vICMSUFDest': 'informative.difal',
    'ICMSTot/vST': 'totals.icms_st',
    'ICMSTot/vFCPST': 'totals.fcp_st',
    'ICMSTot/vII': 'totals.import_duty',
    'ICMSTot/vIPI': 'totals.ipi',
    'ICMSTot/vIPIDevol': 'totals.ipi_returned',
    'ICMSTot/vPIS': 'totals.pis',
    'ICMSTot/vCOFINS': 'totals.cofins',
    'ICMSTot/vFrete': 'totals.freight',
    'ICMSTot/vSeg': 'totals.insurance',
    'ICMSTot/vDesc': 'totals.discount',
    'ICMSTot/vOutro': 'totals.other',
    'ISSQNtot/vServ': 'totals.services',
    'ISSQNtot/vBC': 'totals.iss_base',
    'ISSQNtot/vISS': 'totals.iss',
    'ISSQNtot/vISSRet': 'withheld.iss',
    'retTrib/vRetPIS': 'withheld.pis',
    'retTrib/vRetCOFINS': 'withheld.cofins',
    'retTrib/vRetCSLL': 'withheld.csll',
    'retTrib/vIRRF': 'withheld.income_tax',
    'retTrib/vRetPrev': 'withheld.inss',
    'ISTot/vIS': 'totals.is',
    'IBSCBSTot/vBCIBSCBS': 'totals.ibs_cbs_base',
    'IBSCBSTot/gIBS/gIBSUF/vIBSUF': 'clue.ibs_state',
    'IBSCBSTot/gIBS/gIBSMun/vIBSMun': 'clue.ibs_city',
    'IBSCBSTot/gIBS/vIBS': 'totals.ibs',
    'IBSCBSTot/gCBS/vCBS': 'totals.cbs',
    'IBSCBSTot/gMono/vIBSMono': 'totals.ibs_mono',
    'IBSCBSTot/gMono/vCBSMono': 'totals.cbs_mono',
    vNFTot: 'totals.total_with_ibs_cbs',
  },
};

const delivery: FieldTable = {
  fields: {
    'pag/detPag/indPag': 'payments.timing',
    'pag/detPag/tPag': 'payments.method',
    'pag/detPag/xPag': 'payments.description',
    'pag/detPag/vPag': 'payments.amount',
    'pag/tPag': 'payments.method',
    'pag/vPag': 'payments.amount',
    'cobr/dup/nDup': 'installments.number',
    'cobr/dup/dVenc': 'installments.due',
    'cobr/dup/vDup': 'installments.amount',
    'transp/modFrete': 'transport.mode',
    'transp/transporta/CNPJ': 'carrier.cnpj',
    'transp/transporta/CPF': 'carrier.cpf',
    'transp/transporta/xNome': 'carrier.name',
    'transp/transporta/IE': 'carrier.state_registration',
    'transp/transporta/xMun': 'carrier.city',
    'transp/transporta/UF': 'carrier.state',
    'transp/veicTransp/placa': 'transport.plate',
    'transp/vol/qVol': 'volumes.count',
    'transp/vol/pesoL': 'volumes.net_weight',
    'transp/vol/pesoB': 'volumes.gross_weight',
  },
  lists: {
    'pag/detPag': ['payments'],
    'pag/tPag': ['payments'],
    'cobr/dup': ['installments'],
    'transp/vol': ['volumes'],
  },
};

const CONSUMER_MODEL = '65';

/** IBS of an item: the sum of the state's and the city's share if the file omits it. */
function addIbs({ lists }: Collected): void {
  lists.taxes.forEach((taxes, i) => {
    if (taxes.ibs !== undefined) return;
    const { ibs_state, ibs_city } = lists.item_clues[i] ?? {};
    const sum = addDecimals([ibs_state, ibs_city]);
    if (sum !== undefined) taxes.ibs = sum;
  });
}

/**
 * ICMS charged once on fuels is one amount: on the operation itself, beside it (CST 15) and before it (CST 61), of which
 * the layout has vICMSMono, vICMSMonoReten and vICMSMonoRet.
 */
function addSinglePhase({ sections: { totals, clue }, lists: { taxes, item_clues } }: Collected): void {
  const whole = [
    totals.icms_mono ?? addDecimals(taxes.map(({ icms_mono }) => icms_mono)),
    clue.icms_mono_beside ?? addDecimals(item_clues.map(({ icms_mono_beside }) => icms_mono_beside)),
    clue.icms_mono_before ?? addDecimals(item_clues.map(({ icms_mono_before }) => icms_mono_before)),
  ];
  const add = (amounts: { icms_mono?: string }, parts: readonly (string | undefined)[]) => {
    const sum = addDecimals(parts);
    if (sum !== undefined) amounts.icms_mono = sum;
  };
  add(totals, whole);
  taxes.forEach((own, i) => {
    const { icms_mono_beside, icms_mono_before } = item_clues[i] ?? {};
    add(own, [own.icms_mono, icms_mono_beside, icms_mono_before]);
  });
}

/** Fields that few items have: an object that begins with the common ones takes a third less memory. */
const rareItemFields = [
  'products_net',
  'discount',
  'freight',
  'insurance',
  'other',
  'order',
  'order_line',
  'notes',
  'fuel',
  'vehicle_operation',
  'pis_st',
  'cofins_st',
  'reference',
] as const;

function itemFrom(found: ListRecords['items'], taxes: ListRecords['taxes'], share: string | undefined): Item {
  const { number, code, description, ncm, cest, cfop, cst, origin, quantity, unit, unit_value, total } =
    found;
  const item: ListRecords['items'] & Pick<Item, 'taxes'> = {
    number,
    code,
    description,
    ncm,
    cest,
    cfop,
    cst,
    origin,
    quantity,
    unit,
    unit_value,
    total,
    taxes,
  };
  if (share !== undefined && !sameDecimal(share, total ?? '')) item.share = share;
  if (found.in_total === NOT_IN_TOTAL) item.in_total = NOT_IN_TOTAL;
  for (const field of rareItemFields) if (found[field] !== undefined) item[field] = found[field];
  return item;
}

/** Adds the documents that items refer to to the note's references, each once. */
function addItemReferences({ lists }: Collected): void {
  const known = new Set(lists.references.map(({ key }) => key));
  for (const { reference } of lists.items) {
    if (reference === undefined || known.has(reference)) continue;
    known.add(reference);
    lists.references.push({ key: reference });
  }
}

function itemsFrom(collected: Collected): Item[] {
  const { items, taxes } = collected.lists;
  const shares = sharesOf(collected);
  return items.map((item, i) => itemFrom(item, taxes[i] ?? {}, shares[i]));
}

/** Sums of the volumes. */
function volumesFrom({ lists: { volumes } }: Collected): Transport {
  const sum = (name: keyof ListRecords['volumes']) => {
    const given = volumes.flatMap((one) => one[name] ?? []);
    return given.length === 1 ? given[0] : addDecimals(given);
  };
  const found = { volumes: sum('count'), net_weight: sum('net_weight'), gross_weight: sum('gross_weight') };
  return Object.fromEntries(Object.entries(found).filter(([, text]) => text !== undefined));
}

function transportFrom(collected: Collected): Transport | undefined {
  const { sections } = collected;
  const carrier = partyFrom(sections.carrier);
  return unlessEmpty({ ...sections.transport, ...volumesFrom(collected), ...(carrier && { carrier }) });
}

/** Numbers of the import declarations, each once. */
function declarationsFrom({ lists }: Collected): string[] {
  return [...new Set(lists.declarations.flatMap(({ number }) => number ?? []))];
}

/** A note with services has the ISS that its taker withholds (vISSRet), or no such field. */
function isIssWithheld({ sections }: Collected): boolean | undefined {
  const { withheld, totals } = sections;
  totals.iss_withheld = withheld.iss;
  return withheld.iss !== undefined && isDecimal(withheld.iss) && Number(withheld.iss) > 0 ? true : undefined;
}

/** Summarizes an NF-e or NFC-e; undefined without a key and a number. */
function summarizeNfe(collected: Collected): DocumentSummary | undefined {
  const { clue, document: header, protocol } = collected.sections;
  const key = keyFromId(clue.id) ?? protocol.key;
  if (key === undefined && header.number === undefined) return undefined;
  addIbs(collected);
  addSinglePhase(collected);
  addItemReferences(collected);
  const event = appendedCancellation(collected, key);
  const parts = commonParts(collected, {
    kind: header.model === CONSUMER_MODEL ? 'nfce' : 'nfe',
    layout: `nfe ${clue.version ?? ''}`.trimEnd(),
    status: event === undefined ? statusByCode(protocol.code) : 'cancelled',
  });
  const import_declarations = declarationsFrom(collected);
  const document: Unchecked = Object.assign(parts, {
    key,
    ...(import_declarations.length > 0 ? { import_declarations } : {}),
    items: itemsFrom(collected),
    item_count: collected.lists.items.length,
    transport: transportFrom(collected),
    iss_withheld: isIssWithheld(collected),
    is_to_government: clue.government === undefined ? undefined : true,
    event,
    events: appendedEvents(collected, key),
  });
  return withWarnings(document, [
    ...checkEnvironment(document),
    ...checkStatus(document, collected),
    ...checkKey(document, collected),
    ...checkParties(document),
    ...checkNfeAmounts(document, collected),
  ]);
}

/**
 * NF-e and NFC-e, layouts 2.00 to 4.00, also with an appended cancellation. Source: docs/fiscal/layouts.md.
 */
export const nfe: DocumentLayout = {
  fields: together(
    below('NFe/infNFe', together(header, below('det', item), below('total', totals), delivery)),
    below('NFe/infNFe/emit', party('issuer', 'enderEmit')),
    below('NFe/infNFe/dest', party('recipient', 'enderDest')),
    below('protNFe/infProt', protocolFields),
    appendedEventFields,
  ),
  summarize: summarizeNfe,
};
