import type { DocumentStatus, DocumentSummary, EventSummary } from '../summary/summary.ts';

/** An event that the recipient may have to register, and the fact it depends on. */
export interface PossibleEvent {
  readonly code: string;
  readonly why: readonly [portuguese: string, english: string];
}

/** NT 2025.002-RTC v1.52, section 8.1: since January 2026. */
const EVENTS_SINCE = '2026-01-01';
const CREDIT_NOTE = '5';
const NORMAL = '1';
/** modFrete: the recipient contracts the carriage. */
const FREIGHT_BY_RECIPIENT = '1';

const acceptance: PossibleEvent = {
  code: '211128',
  why: [
    'nota de crédito de outro emitente: informe se aceita o débito que ela traz para a sua apuração',
    'credit note of another issuer: say whether you accept the debit it brings to your assessment',
  ],
};

const fixedAsset: PossibleEvent = {
  code: '211130',
  why: ['se algum item foi para o ativo imobilizado', 'if an item went into your fixed assets'],
};

const loss: PossibleEvent = {
  code: '211124',
  why: [
    'se a mercadoria se perdeu ou foi roubada no transporte que você contratou',
    'if the goods were lost or stolen in the transport that you contracted',
  ],
};

const fuel: PossibleEvent = {
  code: '211140',
  why: [
    'se a empresa é da cadeia de combustíveis e consumiu o combustível',
    'if the company belongs to the fuel chain and consumed the fuel itself',
  ],
};

const presumedCredit: PossibleEvent = {
  code: '211110',
  why: [
    'se a compra de pessoa física dá direito a crédito presumido que a nota não traz',
    'if buying from an individual entitles you to a presumed credit that the note does not have',
  ],
};

function hasReformTaxes({ totals, items }: DocumentSummary): boolean {
  return totals.ibs_cbs_base !== undefined || items.some(({ taxes }) => taxes.class_trib !== undefined);
}

function* candidates(document: DocumentSummary): Iterable<PossibleEvent> {
  const { purpose, items, transport, issuer } = document;
  if (purpose === CREDIT_NOTE) yield acceptance;
  if (purpose !== NORMAL || !hasReformTaxes(document)) return;
  yield fixedAsset;
  if (transport?.mode === FREIGHT_BY_RECIPIENT) yield loss;
  if (items.some((item) => item.fuel !== undefined)) yield fuel;
  if (issuer?.id_type === 'cpf') yield presumedCredit;
}

/** The reform's events that the note suggests, without registered ones. Source: docs/fiscal/events.md. */
export function possibleEvents(
  document: DocumentSummary,
  status: DocumentStatus,
  standing: readonly EventSummary[],
  company: string | undefined,
): PossibleEvent[] {
  const { kind, issuer, recipient, issued_at = '' } = document;
  const isReceived = company !== undefined && recipient?.id === company && issuer?.id !== company;
  if (kind !== 'nfe' || !isReceived || status !== 'authorized' || issued_at < EVENTS_SINCE) return [];
  const registered = new Set(standing.map(({ code }) => code));
  return [...candidates(document)].filter(({ code }) => !registered.has(code));
}
