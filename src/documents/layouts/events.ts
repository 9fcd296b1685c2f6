import { eventFrom } from '../events/event-history.ts';
import { eventStatusByCode } from '../events/statuses.ts';
import {
  checkEnvironment,
  checkEventKey,
  checkParties,
  checkStatus,
  type Unchecked,
} from '../summary/checks.ts';
import { below, type Collected, type FieldTable, together } from '../summary/fields.ts';
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

/** The request alone: `evento` of NF-e and of the national NFS-e, `eventoCTe`. */
export const eventRequestFields: FieldTable = together(
  below('infEvento', together(request, nationalRequest, below('detEvento', reformDetails))),
  {
    fields: { '@versao': 'events.version' },
    lists: { '': ['events'] },
  },
);

/** The receipt alone: `retEvento`, `retEventoCTe`. */
export const eventReceiptFields: FieldTable = together(below('infEvento', receipt), {
  fields: { '@versao': 'receipts.version' },
  lists: { '': ['receipts'] },
});

/** Request and receipt: `procEventoNFe`, `procEventoCTe`. */
export const processedEventFields: FieldTable = together(
  below('evento', eventRequestFields),
  below('eventoCTe', eventRequestFields),
  below('retEvento', eventReceiptFields),
  below('retEventoCTe', eventReceiptFields),
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
  processedEventFields,
  below('procEventoNFe', processedEventFields),
  below('procEventoCTe', processedEventFields),
  below('procCancCTe', together(processedEventFields, below('retCancCTe', formerCancellation))),
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

/** `resNFe`: a note as the tax office lists it. */
export const abridgedNfeFields: FieldTable = {
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

/** `resEvento`: an event as the tax office lists it. */
export const abridgedEventFields: FieldTable = {
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

function eventItems({ lists }: Collected): Pick<EventSummary, 'items'> {
  return lists.event_items.length > 0 ? { items: lists.event_items.slice() } : {};
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

function summarizeDocumentEvent(collected: Collected, family: 'nfe' | 'cte'): DocumentSummary | undefined {
  const [request] = collected.lists.events;
  const [receipt] = collected.lists.receipts;
  const key = request?.key ?? receipt?.key;
  const event = eventFrom(request, receipt);
  if (key === undefined && event.code === undefined) return undefined;
  const document = eventDocument(collected, {
    layout: `${family} event ${request?.version ?? receipt?.version ?? ''}`,
    status: eventStatusByCode(receipt?.status),
    key,
    environment: request?.environment ?? receipt?.environment,
    event: { ...event, text: event.text ?? correctionsFrom(collected), ...eventItems(collected) },
  });
  const protocol = receipt && { number: receipt.number, code: receipt.status, at: receipt.at };
  return withChecks(Object.assign(document, { protocol }));
}

/** An event of an NF-e, with or without its receipt. */
export function summarizeNfeEvent(collected: Collected): DocumentSummary | undefined {
  return summarizeDocumentEvent(collected, 'nfe');
}

/** An event of a CT-e, with or without its receipt. */
export function summarizeCteEvent(collected: Collected): DocumentSummary | undefined {
  return summarizeDocumentEvent(collected, 'cte');
}

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

/** `evento`, which NF-e and national NFS-e share: the Id's prefix tells them apart. */
export function summarizeEventRequest(collected: Collected): DocumentSummary | undefined {
  const isNational = collected.lists.events[0]?.id?.startsWith('EVT');
  return isNational ? summarizeNationalEvent(collected) : summarizeNfeEvent(collected);
}

/** `resEvento`: an event as the tax office lists it, which it does once it is registered. */
export function summarizeAbridgedEvent(collected: Collected): DocumentSummary | undefined {
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

/** cSitNFe: 1 authorised, 2 denied, 3 cancelled. */
function statusBySituation(situation: string | undefined): DocumentStatus {
  switch (situation) {
    case '1':
      return 'authorized';
    case '2':
      return 'denied';
    case '3':
      return 'cancelled';
    default:
      return 'unknown';
  }
}

/** `resNFe`: a note that is only known to exist; the full one comes after a manifestation. */
export function summarizeAbridgedNfe(collected: Collected): DocumentSummary | undefined {
  const { clue, document: header } = collected.sections;
  if (header.key === undefined) return undefined;
  const parts = commonParts(collected, {
    kind: 'summary',
    layout: `nfe summary ${clue.version ?? ''}`.trimEnd(),
    status: statusBySituation(clue.situation),
  });
  return withChecks(parts, collected);
}
