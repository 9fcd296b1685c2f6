import { addDecimals, isDecimal, multiplyDecimals, withoutEndingZeros } from '../decimals.ts';
import { appendedCancellation, appendedEvents } from '../events/event-history.ts';
import { statusByCode } from '../events/statuses.ts';
import {
  checkClassification,
  checkEnvironment,
  checkKey,
  checkParties,
  checkStatus,
  type Unchecked,
} from '../summary/checks.ts';
import { below, type Collected, type DocumentLayout, type FieldTable, together } from '../summary/fields.ts';
import { partyFrom, unlessEmpty } from '../summary/parties.ts';
import type { DocumentSummary, Party } from '../summary/summary.ts';
import { commonParts, keyFromId, party, withWarnings } from './common-parts.ts';
import { appendedEventFields, protocolFields } from './events.ts';

const header: FieldTable = {
  fields: {
    '@Id': 'clue.id',
    '@versao': 'clue.version',
    'ide/cUF': 'clue.state_code',
    'ide/mod': 'document.model',
    'ide/serie': 'document.series',
    'ide/nCT': 'document.number',
    'ide/dhEmi': 'document.issued_at',
    'ide/CFOP': 'document.cfop',
    'ide/natOp': 'document.operation',
    'ide/modal': 'document.modal',
    'ide/tpCTe': 'document.purpose',
    'ide/tpAmb': 'clue.environment',
    'ide/cMunIni': 'origin.city',
    'ide/xMunIni': 'origin.name',
    'ide/UFIni': 'origin.state',
    'ide/cMunFim': 'destination.city',
    'ide/xMunFim': 'destination.name',
    'ide/UFFim': 'destination.state',
    'ide/toma3/toma': 'clue.taker',
    'ide/toma03/toma': 'clue.taker',
    'compl/xObs': 'notes.issuer',
    'emit/CRT': 'issuer.tax_regime',
  },
};

const values: FieldTable = {
  fields: {
    'vPrest/vTPrest': 'totals.total',
    'vPrest/vRec': 'totals.receivable',
    'vPrest/Comp/xNome': 'components.name',
    'vPrest/Comp/vComp': 'components.amount',
    'imp/ICMS/*/CST': 'taxation.cst',
    'imp/ICMS/*/vBC': 'totals.icms_base',
    'imp/ICMS/*/vICMS': 'totals.icms',
    'imp/ICMS/*/vBCOutraUF': 'totals.icms_base',
    'imp/ICMS/*/vICMSOutraUF': 'totals.icms',
    'imp/infTribFed/vPIS': 'totals.pis',
    'imp/infTribFed/vCOFINS': 'totals.cofins',
    'imp/IBSCBS/CST': 'taxation.ibs_cbs_cst',
    'imp/IBSCBS/cClassTrib': 'taxation.class_trib',
    'imp/IBSCBS/gIBSCBS/vBC': 'totals.ibs_cbs_base',
    'imp/IBSCBS/gIBSCBS/gIBSUF/vIBSUF': 'clue.ibs_state',
    'imp/IBSCBS/gIBSCBS/gIBSMun/vIBSMun': 'clue.ibs_city',
    'imp/IBSCBS/gIBSCBS/vIBS': 'totals.ibs',
    'imp/IBSCBS/gIBSCBS/gCBS/vCBS': 'totals.cbs',
    'imp/vTotDFe': 'totals.total_with_ibs_cbs',
  },
  lists: { 'vPrest/Comp': ['components'] },
};

/** The cargo, in one unit of measure or several. */
const cargo: FieldTable = {
  fields: {
    'infCarga/infQ/cUnid': 'cargo.unit',
    'infCarga/infQ/tpMed': 'cargo.name',
    'infCarga/infQ/qCarga': 'cargo.amount',
  },
  lists: { 'infCarga/infQ': ['cargo'] },
};

const carriage: FieldTable = {
  fields: {
    'infCTeNorm/infCarga/vCarga': 'totals.cargo',
    'infCTeNorm/infDoc/infNFe/chave': 'linked.key',
    'infCTeNorm/docAnt/emiDocAnt/idDocAnt/idDocAntEle/chCTe': 'references.key',
    'infCTeNorm/docAnt/emiDocAnt/idDocAnt/idDocAntEle/chave': 'references.key',
    'infCTeNorm/infCteSub/chCte': 'references.key',
    'infCTeNorm/infCteSub/chCTe': 'references.key',
    'infCTeNorm/cobr/dup/nDup': 'installments.number',
    'infCTeNorm/cobr/dup/dVenc': 'installments.due',
    'infCTeNorm/cobr/dup/vDup': 'installments.amount',
    'infCteComp/chCTe': 'references.key',
    'infCteComp/chave': 'references.key',
    'infCteAnu/chCte': 'references.key',
    'rem/infNFe/chave': 'linked.key',
  },
  lists: {
    'infCTeNorm/infDoc/infNFe': ['linked'],
    'infCTeNorm/docAnt/emiDocAnt/idDocAnt/idDocAntEle': ['references'],
    'infCTeNorm/infCteSub': ['references'],
    'infCTeNorm/cobr/dup': ['installments'],
    infCteComp: ['references'],
    infCteAnu: ['references'],
    'rem/infNFe': ['linked'],
  },
};

/** The simplified CT-e: one document, several deliveries. */
const deliveries: FieldTable = {
  fields: {
    'det/cMunIni': 'origin.city',
    'det/xMunIni': 'origin.name',
    'det/cMunFim': 'destination.city',
    'det/xMunFim': 'destination.name',
    'det/vPrest': 'parts.total',
    'det/vRec': 'parts.receivable',
    'det/Comp/xNome': 'components.name',
    'det/Comp/vComp': 'components.amount',
    'det/infNFe/chNFe': 'linked.key',
    'det/infDocAnt/chCTe': 'references.key',
    'det/infDocAnt/infNFeTranspParcial/chNFe': 'linked.key',
    'toma/toma': 'clue.taker',
    'total/vTPrest': 'totals.total',
    'total/vTRec': 'totals.receivable',
    'total/vTotDFe': 'totals.total_with_ibs_cbs',
    'infCarga/vCarga': 'totals.cargo',
    'infCteSub/chCte': 'references.key',
  },
  lists: {
    det: ['parts'],
    'det/Comp': ['components'],
    'det/infNFe': ['linked'],
    'det/infDocAnt': ['references'],
    'det/infDocAnt/infNFeTranspParcial': ['linked'],
    infCteSub: ['references'],
  },
};

const document: FieldTable = together(
  header,
  below('emit', party('issuer', 'enderEmit')),
  below('rem', party('sender', 'enderReme')),
  below('exped', party('dispatcher', 'enderExped')),
  below('receb', party('receiver', 'enderReceb')),
  below('dest', party('recipient', 'enderDest')),
  below('ide/toma4', party('taker', 'enderToma')),
  below('toma', party('taker', 'enderToma')),
  values,
  carriage,
  deliveries,
  cargo,
  below('infCTeNorm', cargo),
);

const OTHER_SERVICES_MODEL = '67';

/** One of the parties by number, else the payer's own group. Source: MOC CT-e 4.00 (toma3, toma4, toma). */
function payerFrom({ sections }: Collected, sender?: Party, recipient?: Party): Party | undefined {
  const { clue, dispatcher, receiver, taker } = sections;
  const parties = [sender, partyFrom(dispatcher), partyFrom(receiver), recipient];
  const numbered = /^[0-3]$/.test(clue.taker ?? '') ? parties[Number(clue.taker)] : undefined;
  return numbered ?? partyFrom(taker);
}

/** A simplified CT-e may leave the totals of its deliveries to the reader. */
function addDeliveries({ sections, lists }: Collected): void {
  if (lists.parts.length === 0) return;
  const { totals } = sections;
  totals.total ??= addDecimals(lists.parts.map(({ total }) => total ?? ''));
  totals.receivable ??= addDecimals(lists.parts.map(({ receivable }) => receivable ?? ''));
}

function routeFrom({ sections }: Collected): DocumentSummary['route'] {
  const origin = unlessEmpty(sections.origin);
  const destination = unlessEmpty(sections.destination);
  return origin || destination ? { origin, destination } : undefined;
}

/** Kilograms in a unit of cUnid: 01 kilograms, 02 tonnes. */
const kilograms: Readonly<Record<string, string>> = { '01': '1', '02': '1000' };

/** Gross weight in kilograms; undefined if the CT-e has none or several. Source: MOC CT-e 4.00, infQ. */
function grossWeightFrom({ lists }: Collected): string | undefined {
  const gross = lists.cargo.filter(
    ({ unit = '', name = '' }) => kilograms[unit] !== undefined && /\bbruto\b/i.test(name),
  );
  const [only, ...others] = gross;
  if (only?.amount === undefined || others.length > 0 || !isDecimal(only.amount)) return undefined;
  const each = kilograms[only.unit ?? ''] ?? '1';
  return each === '1' ? only.amount : withoutEndingZeros(multiplyDecimals(only.amount, each));
}

/** Summarizes a CT-e, CT-e OS or simplified CT-e; undefined without a key and a number. */
function summarizeCte(collected: Collected): DocumentSummary | undefined {
  const { clue, document: header, protocol, taxation } = collected.sections;
  const key = keyFromId(clue.id) ?? protocol.key;
  if (key === undefined && header.number === undefined) return undefined;
  addDeliveries(collected);
  const event = appendedCancellation(collected, key);
  const parts = commonParts(collected, {
    kind: header.model === OTHER_SERVICES_MODEL ? 'cteos' : 'cte',
    layout: `cte ${clue.version ?? ''}`.trimEnd(),
    status: event === undefined ? statusByCode(protocol.code) : 'cancelled',
  });
  const sender = partyFrom(collected.sections.sender);
  const gross_weight = grossWeightFrom(collected);
  const { components } = collected.lists;
  const document: Unchecked = Object.assign(parts, {
    key,
    sender,
    payer: payerFrom(collected, sender, parts.recipient),
    route: routeFrom(collected),
    transport: unlessEmpty({ ...(gross_weight !== undefined && { gross_weight }) }),
    ...(components.length > 0 ? { components: components.slice() } : {}),
    event,
    events: appendedEvents(collected, key),
  });
  return withWarnings(document, [
    ...checkEnvironment(document),
    ...checkStatus(document, collected),
    ...checkKey(document, collected),
    ...checkParties(document),
    ...checkClassification(taxation.ibs_cbs_cst, taxation.class_trib),
  ]);
}

/** CT-e, CT-e OS and simplified CT-e, layouts 2.00 to 4.00. Source: docs/fiscal/layouts.md. */
export const cte: DocumentLayout = {
  fields: together(
    below('CTe/infCte', document),
    below('CTeOS/infCte', document),
    below('CTeSimp/infCte', document),
    below('protCTe/infProt', protocolFields),
    appendedEventFields,
  ),
  summarize: summarizeCte,
};
