import { eventFrom } from '../events/event-history.ts';
import { eventStatusByCode } from '../events/statuses.ts';
import {
  checkEnvironment,
  checkEventKey,
  checkParties,
  checkStatus,
  type Unchecked,
} from '../summary/checks.ts';
import { below, type Collected, type DocumentLayout, type FieldTable, together } from '../summary/fields.ts';
import type { DocumentStatus, DocumentSummary, EventSummary } from '../summary/summary.ts';
import { cleanText, longest } from '../untrusted.ts';
import { commonParts, environmentFrom, withWarnings } from './common-parts.ts';

/** Groups of reform events that speak of items, by NT 2025.002-RTC v1.52, section 8. */
const itemGroups = [
  'gConsumo',
  'gPerecimento',
  'gItemNaoFornecido',
  'gCredPresOper',
  'gImobilizacao',
  'gConsumoComb',
  'gCredito',
];

const quantities: readonly [quantity: string, unit: string][] = [
  ['qtde', 'unidade'],
  ['qPerecimento', 'uPerecimento'],
  ['qNaoFornecida', 'uNaoFornecida'],
  ['qImobilizado', 'uImobilizado'],
  ['qComb', 'uComb'],
];

const itemFields: FieldTable = {
  fields: {
    '@nItem': 'event_items.number',
    vIBS: 'event_items.ibs',
    vCBS: 'event_items.cbs',
    vCredIBS: 'event_items.ibs',
    vCredCBS: 'event_items.cbs',
    'gIBSCredPres/vCredPres': 'event_items.ibs',
    'gCBSCredPres/vCredPres': 'event_items.cbs',
    ...Object.fromEntries(
      quantities.flatMap(([quantity, unit]) => [
        [`gControleEstoque/${quantity}`, 'event_items.quantity'] as const,
        [`gControleEstoque/${unit}`, 'event_items.unit'] as const,
      ]),
    ),
  },
  lists: { '': ['event_items'] },
};

const reformDetails: FieldTable = together(
  {
    fields: {
      indAceitacao: 'events.accepted',
      indDeferimento: 'events.granted',
      indQuitacao: 'events.fully_paid',
      dPrevEntrega: 'events.expected_delivery',
      tpEventoAut: 'events.cancelled_code',
      nProtEvento: 'events.cancelled_protocol',
      'gPgto/@idTransacao': 'events.transaction',
    },
  },
  ...itemGroups.map((group) => below(group, itemFields)),
);

/** The request: `infEvento` of NF-e and CT-e. */
const request: FieldTable = {
  fields: {
    '@Id': 'events.id',
    tpAmb: 'events.environment',
    CNPJ: 'events.author',
    CPF: 'events.author',
    chNFe: 'events.key',
    chCTe: 'events.key',
    dhEvento: 'events.at',
    tpEvento: 'events.code',
    nSeqEvento: 'events.sequence',
    'detEvento/descEvento': 'events.name',
    'detEvento/xCorrecao': 'events.text',
    'detEvento/xJust': 'events.text',
    'detEvento/*/descEvento': 'events.name',
    'detEvento/*/xJust': 'events.text',
    'detEvento/*/xObs': 'events.text',
    'detEvento/*/infCorrecao/grupoAlterado': 'corrections.group',
    'detEvento/*/infCorrecao/campoAlterado': 'corrections.field',
    'detEvento/*/infCorrecao/valorAlterado': 'corrections.value',
  },
  lists: { 'detEvento/*/infCorrecao': ['corrections'] },
};

/** The tax office's reply: `infEvento` of the receipt. */
const receipt: FieldTable = {
  fields: {
    tpAmb: 'receipts.environment',
    cStat: 'receipts.status',
    chNFe: 'receipts.key',
    chCTe: 'receipts.key',
    tpEvento: 'receipts.code',
    xEvento: 'receipts.name',
    nSeqEvento: 'receipts.sequence',
    dhRegEvento: 'receipts.at',
    nProt: 'receipts.number',
  },
};

/** The national NFS-e's request inside the receipt; the Id has the event's code. */
const nationalRequest: FieldTable = {
  fields: {
    dhProc: 'protocol.at',
    nDFe: 'protocol.number',
    'pedRegEvento/infPedReg/tpAmb': 'events.environment',
    'pedRegEvento/infPedReg/dhEvento': 'events.at',
    'pedRegEvento/infPedReg/CNPJAutor': 'events.author',
    'pedRegEvento/infPedReg/CPFAutor': 'events.author',
    'pedRegEvento/infPedReg/chNFSe': 'events.key',
    'pedRegEvento/infPedReg/*/xDesc': 'events.name',
    'pedRegEvento/infPedReg/*/xMotivo': 'events.text',
  },
};

const requestFields: FieldTable = together(
  below('infEvento', together(request, nationalRequest, below('detEvento', reformDetails))),
  {
    fields: { '@versao': 'events.version' },
    lists: { '': ['events'] },
  },
);

const receiptFields: FieldTable = together(below('infEvento', receipt), {
  fields: { '@versao': 'receipts.version' },
  lists: { '': ['receipts'] },
});

const processedEvent: FieldTable = together(
  below('evento', requestFields),
  below('eventoCTe', requestFields),
  below('retEvento', receiptFields),
  below('retEventoCTe', receiptFields),
);

/** The receipt of a cancellation before events existed: `infCanc`. */
const formerCancellation: FieldTable = {
  fields: {
    'infCanc/cStat': 'receipts.cancelled',
    'infCanc/chNFe': 'receipts.key',
    'infCanc/chCTe': 'receipts.key',
    'infCanc/dhRecbto': 'receipts.at',
    'infCanc/nProt': 'receipts.number',
  },
  lists: { '': ['receipts'] },
};

/** Events beside the protocol of the document they happened to. */
const besideProtocol: FieldTable = together(
  processedEvent,
  below('procEventoNFe', processedEvent),
  below('procEventoCTe', processedEvent),
  below('procCancCTe', together(processedEvent, below('retCancCTe', formerCancellation))),
  below('procCancNFe/retCancNFe', formerCancellation),
  below('retCancNFe', formerCancellation),
);

/** The same in whatever stands around them: replies of the services (`retEnvEvento`, `retConsSitNFe`), lists of a vendor. */
export const appendedEventFields: FieldTable = together(besideProtocol, below('*', besideProtocol));

/** The protocol's result, below `infProt`; alerts (cStat 120) stand in it as pairs of which the code may be missing. */
export const protocolFields: FieldTable = {
  fields: {
    chNFe: 'protocol.key',
    chCTe: 'protocol.key',
    nProt: 'protocol.number',
    cStat: 'protocol.code',
    xMotivo: 'protocol.message',
    dhRecbto: 'protocol.at',
    cMsg: 'alerts.code',
    xMsg: 'alerts.message',
  },
  lists: { cMsg: ['alerts'], xMsg: ['alerts'] },
};

const abridgedNfeFields: FieldTable = {
  fields: {
    '@versao': 'clue.version',
    chNFe: 'document.key',
    CNPJ: 'issuer.cnpj',
    CPF: 'issuer.cpf',
    xNome: 'issuer.name',
    IE: 'issuer.state_registration',
    dhEmi: 'document.issued_at',
    tpNF: 'document.flow',
    vNF: 'totals.total',
    dhRecbto: 'protocol.at',
    nProt: 'protocol.number',
    cSitNFe: 'clue.situation',
  },
};

const abridgedEventFields: FieldTable = {
  fields: {
    '@versao': 'events.version',
    CNPJ: 'events.author',
    CPF: 'events.author',
    chNFe: 'events.key',
    dhEvento: 'events.at',
    tpEvento: 'events.code',
    nSeqEvento: 'events.sequence',
    xEvento: 'events.name',
    nProt: 'protocol.number',
    dhRecbto: 'protocol.at',
  },
  lists: { '': ['events'] },
};

function withChecks(document: Unchecked, collected?: Collected): DocumentSummary {
  return withWarnings(document, [
    ...checkEnvironment(document),
    ...(collected === undefined ? [] : checkStatus(document, collected)),
    ...checkEventKey(document.key),
    ...checkParties(document),
  ]);
}

/** A correction letter of a CT-e names group, field and new value of each change. */
function correctionsFrom({ lists }: Collected): string | undefined {
  const lines = lists.corrections.flatMap(({ group, field, value }) =>
    value === undefined ? [] : [`${group ?? ''}/${field ?? ''}: ${value}`],
  );
  return lines.length > 0 ? cleanText(lines.join('\n'), longest.text) : undefined;
}

interface FoundEvent {
  readonly layout: string;
  readonly status: DocumentStatus;
  readonly key: string | undefined;
  /** tpAmb. */
  readonly environment: string | undefined;
  readonly event: EventSummary;
}

function eventDocument(collected: Collected, found: FoundEvent): Unchecked {
  const { layout, status, key, environment, event } = found;
  const parts = commonParts(collected, { kind: 'event', layout: layout.trimEnd(), status });
  return Object.assign(parts, { key, environment: environmentFrom(environment), event });
}

/** An event of an NF-e or a CT-e, with or without its receipt. */
const summarizeDocumentEvent =
  (family: 'nfe' | 'cte') =>
  (collected: Collected): DocumentSummary | undefined => {
    const [request] = collected.lists.events;
    const [receipt] = collected.lists.receipts;
    const key = request?.key ?? receipt?.key;
    const event = eventFrom(request, receipt);
    if (key === undefined && event.code === undefined) return undefined;
    const { event_items: items } = collected.lists;
    const document = eventDocument(collected, {
      layout: `${family} event ${request?.version ?? receipt?.version ?? ''}`,
      status: eventStatusByCode(receipt?.status),
      key,
      environment: request?.environment ?? receipt?.environment,
      event: {
        ...event,
        text: event.text ?? correctionsFrom(collected),
        ...(items.length > 0 && { items: items.slice() }),
      },
    });
    const protocol = receipt && { number: receipt.number, code: receipt.status, at: receipt.at };
    return withChecks(Object.assign(document, { protocol }));
  };

const summarizeNfeEvent = summarizeDocumentEvent('nfe');
const summarizeCteEvent = summarizeDocumentEvent('cte');

/** An event of a national NFS-e; it is registered once it has been given a time. */
function summarizeNationalEvent(collected: Collected): DocumentSummary | undefined {
  const [request = {}] = collected.lists.events;
  if (request.key === undefined) return undefined;
  const code = /^EVT[0-9A-Z]{50}(\d{6})/.exec(request.id ?? '')?.[1];
  const document = eventDocument(collected, {
    layout: `nfse national event ${request.version ?? ''}`,
    status: collected.sections.protocol.at === undefined ? 'no_protocol' : 'authorized',
    key: request.key,
    environment: request.environment,
    event: { ...eventFrom(request), code },
  });
  return withChecks(document);
}

/** An event as the tax office lists it, which it does once it is registered. */
function summarizeAbridgedEvent(collected: Collected): DocumentSummary | undefined {
  const [request = {}] = collected.lists.events;
  if (request.key === undefined) return undefined;
  const document = eventDocument(collected, {
    layout: `nfe event summary ${request.version ?? ''}`,
    status: collected.sections.protocol.number === undefined ? 'unknown' : 'authorized',
    key: request.key,
    environment: undefined,
    event: eventFrom(request),
  });
  return withChecks(document);
}

/** cSitNFe. */
const situations: ReadonlyMap<string | undefined, DocumentStatus> = new Map([
  ['1', 'authorized'],
  ['2', 'denied'],
  ['3', 'cancelled'],
]);

/** A note that is only known to exist; the full one comes after a manifestation. */
function summarizeAbridgedNfe(collected: Collected): DocumentSummary | undefined {
  const { clue, document: header } = collected.sections;
  if (header.key === undefined) return undefined;
  const parts = commonParts(collected, {
    kind: 'summary',
    layout: `nfe summary ${clue.version ?? ''}`.trimEnd(),
    status: situations.get(clue.situation) ?? 'unknown',
  });
  return withChecks(parts, collected);
}

/** Request and receipt: `procEventoNFe`, `procEventoCTe`. */
export const nfeEvent: DocumentLayout = { fields: processedEvent, summarize: summarizeNfeEvent };
export const cteEvent: DocumentLayout = { fields: processedEvent, summarize: summarizeCteEvent };

/** The request alone: `evento`, which NF-e and national NFS-e share (the Id's prefix tells them apart), `eventoCTe`. */
export const eventRequest: DocumentLayout = {
  fields: requestFields,
  summarize(collected) {
    const isNational = collected.lists.events[0]?.id?.startsWith('EVT');
    return isNational ? summarizeNationalEvent(collected) : summarizeNfeEvent(collected);
  },
};
export const cteEventRequest: DocumentLayout = { fields: requestFields, summarize: summarizeCteEvent };

/** The receipt alone: `retEvento`, `retEventoCTe`. */
export const nfeEventReceipt: DocumentLayout = { fields: receiptFields, summarize: summarizeNfeEvent };
export const cteEventReceipt: DocumentLayout = { fields: receiptFields, summarize: summarizeCteEvent };

/** `resNFe`, a note as the tax office lists it. */
export const abridgedNfe: DocumentLayout = { fields: abridgedNfeFields, summarize: summarizeAbridgedNfe };

/** `resEvento`, an event as the tax office lists it. */
export const abridgedEvent: DocumentLayout = {
  fields: abridgedEventFields,
  summarize: summarizeAbridgedEvent,
};
