import { addDecimals, isDecimal, multiplyDecimals, withoutEndingZeros } from '../decimals.ts';
import { appendedEvents } from '../events/event-history.ts';
import { checkClassification, checkKey, type Unchecked } from '../summary/checks.ts';
import { below, type Collected, type DocumentLayout, type FieldTable, together } from '../summary/fields.ts';
import { partyFrom, unlessEmpty } from '../summary/parties.ts';
import type { DocumentSummary, Party } from '../summary/summary.ts';
import { keyedParts, party, withWarnings } from './common-parts.ts';
import { appendedEventFields, protocolFields } from './events.ts';

const header: FieldTable = {
  raw: [
    { id: '@Id', version: '@versao', taker: 'ide/toma3/toma ide/toma03/toma' },
    { in: 'ide', state_code: 'cUF', environment: 'tpAmb' },
  ],
  document: [
    { in: 'ide', model: 'mod', series: 'serie', number: 'nCT', issued_at: 'dhEmi', cfop: 'CFOP' },
    { in: 'ide', operation: 'natOp', modal: 'modal', purpose: 'tpCTe' },
  ],
  origin: { in: 'ide', city: 'cMunIni', name: 'xMunIni', state: 'UFIni' },
  destination: { in: 'ide', city: 'cMunFim', name: 'xMunFim', state: 'UFFim' },
  notes: { issuer: 'compl/xObs' },
  issuer: { tax_regime: 'emit/CRT' },
};

const values: FieldTable = {
  totals: [
    { in: 'vPrest', total: 'vTPrest', receivable: 'vRec' },
    { in: 'imp/ICMS/*', icms_base: 'vBC vBCOutraUF', icms: 'vICMS vICMSOutraUF' },
    { in: 'imp/infTribFed', pis: 'vPIS', cofins: 'vCOFINS' },
    { in: 'imp/IBSCBS/gIBSCBS', ibs_cbs_base: 'vBC', ibs: 'vIBS', cbs: 'gCBS/vCBS' },
    { total_with_ibs_cbs: 'imp/vTotDFe' },
  ],
  components: { each: 'vPrest/Comp', name: 'xNome', amount: 'vComp' },
  taxation: { in: 'imp', cst: 'ICMS/*/CST', ibs_cbs_cst: 'IBSCBS/CST', class_trib: 'IBSCBS/cClassTrib' },
  raw: { in: 'imp/IBSCBS/gIBSCBS', ibs_state: 'gIBSUF/vIBSUF', ibs_city: 'gIBSMun/vIBSMun' },
};

const carriage: FieldTable = {
  totals: { cargo: 'infCTeNorm/infCarga/vCarga infCTeNorm/infCarga/vMerc infCarga/vCarga' },
  cargo: { each: 'infCTeNorm/infCarga/infQ infCarga/infQ', unit: 'cUnid', name: 'tpMed', amount: 'qCarga' },
  linked: { each: 'infCTeNorm/infDoc/infNFe rem/infNFe', key: 'chave' },
  references: [
    { each: 'infCTeNorm/docAnt/emiDocAnt/idDocAnt/idDocAntEle', key: 'chCTe chave' },
    { each: 'infCTeNorm/infCteSub', key: 'chCte chCTe' },
    { each: 'infCteComp', key: 'chCTe chave' },
    { each: 'infCteAnu', key: 'chCte' },
  ],
  installments: { each: 'infCTeNorm/cobr/dup', number: 'nDup', due: 'dVenc', amount: 'vDup' },
};

const deliveries: FieldTable = {
  origin: { in: 'det', city: 'cMunIni', name: 'xMunIni' },
  destination: { in: 'det', city: 'cMunFim', name: 'xMunFim' },
  parts: { each: 'det', total: 'vPrest', receivable: 'vRec' },
  components: { each: 'det/Comp', name: 'xNome', amount: 'vComp' },
  linked: { each: 'det/infNFe det/infDocAnt/infNFeTranspParcial', key: 'chNFe' },
  references: [
    { each: 'det/infDocAnt', key: 'chCTe' },
    { each: 'infCteSub', key: 'chCte' },
  ],
  raw: { taker: 'toma/toma' },
  totals: { in: 'total', total: 'vTPrest', receivable: 'vTRec', total_with_ibs_cbs: 'vTotDFe' },
};

const document: FieldTable = together(
  header,
  party('issuer', 'emit', 'enderEmit'),
  party('sender', 'rem', 'enderReme'),
  party('dispatcher', 'exped', 'enderExped'),
  party('receiver', 'receb', 'enderReceb'),
  party('recipient', 'dest', 'enderDest'),
  party('taker', 'ide/toma4 toma', 'enderToma'),
  values,
  carriage,
  deliveries,
);

const OTHER_SERVICES_MODEL = '67';

/** A party selected by number, else the payer's own group. Source: MOC CT-e 4.00 (toma3, toma4, toma). */
function payerFrom(collected: Collected, sender?: Party, recipient?: Party): Party | undefined {
  const { raw, dispatcher, receiver, taker } = collected;
  const parties = [sender, partyFrom(dispatcher), partyFrom(receiver), recipient];
  const numbered = /^[0-3]$/.test(raw.taker ?? '') ? parties[Number(raw.taker)] : undefined;
  return numbered ?? partyFrom(taker);
}

/**
 * Gross weight in kilograms (cUnid 01, or 02 for tonnes); undefined for none or several. Source: MOC CT-e 4.00, infQ.
 */
function grossWeightFrom({ cargo }: Collected): string | undefined {
  const gross = cargo.filter(({ unit = '', name = '' }) => /^0[12]$/.test(unit) && /\bbruto\b/i.test(name));
  const [{ unit, amount = '' } = {}, ...others] = gross;
  if (others.length > 0 || !isDecimal(amount)) return undefined;
  return unit === '01' ? amount : withoutEndingZeros(multiplyDecimals(amount, '1000'));
}

function summarizeCte(collected: Collected): DocumentSummary | undefined {
  const { document: header, totals, taxation, components } = collected;
  // A simplified CT-e may omit the totals of its deliveries.
  totals.total ??= addDecimals(collected.parts.map(({ total }) => total ?? ''));
  totals.receivable ??= addDecimals(collected.parts.map(({ receivable }) => receivable ?? ''));
  const parts = keyedParts(collected, 'cte', header.model === OTHER_SERVICES_MODEL ? 'cteos' : 'cte');
  if (parts === undefined) return undefined;
  const sender = partyFrom(collected.sender);
  const [origin, destination] = [unlessEmpty(collected.origin), unlessEmpty(collected.destination)];
  const gross_weight = grossWeightFrom(collected);
  const document: Unchecked = Object.assign(parts, {
    sender,
    payer: payerFrom(collected, sender, parts.recipient),
    route: origin || destination ? { origin, destination } : undefined,
    transport: gross_weight === undefined ? undefined : { gross_weight },
    ...(components.length > 0 ? { components: components.slice() } : {}),
    events: appendedEvents(collected, parts.key),
  });
  const ofClassification = checkClassification(taxation.ibs_cbs_cst, taxation.class_trib);
  return withWarnings(document, collected, checkKey(document, collected), ofClassification);
}

/** CT-e, CT-e OS and simplified CT-e, layouts 2.00 to 4.00. Source: docs/fiscal/layouts.md. */
export const cte: DocumentLayout = {
  fields: together(
    below('CTe/infCte CTeOS/infCte CTeSimp/infCte', document),
    below('protCTe/infProt', protocolFields),
    appendedEventFields,
  ),
  summarize: summarizeCte,
};
