import type { DocumentStatus, DocumentSummary, EventSummary } from '../summary/summary.ts';

/** An event that the recipient may have to register, and the condition for it. */
export interface PossibleEvent {
  readonly code: string;
  readonly why: readonly [portuguese: string, english: string];
}

/** NT 2025.002-RTC v1.52, section 8.1: since January 2026. */
const EVENTS_SINCE = '2026-01-01';
const CREDIT_NOTE = '5';
const NORMAL = '1';
/** modFrete of freight contracted by the recipient. */
const FREIGHT_BY_RECIPIENT = '1';

const isOrdinary = ({ purpose, totals, items }: DocumentSummary): boolean => {
  const hasTaxes =
    totals.ibs_cbs_base !== undefined || items.some(({ taxes }) => taxes.class_trib !== undefined);
  return purpose === NORMAL && hasTaxes;
};

/** Each event with a test for the notes that suggest it. */
const suggestions: readonly (PossibleEvent & { isFor(note: DocumentSummary): boolean })[] = [
  {
    code: '211128',
    why: [
      'nota de crédito de outro emitente: informe se aceita o débito que ela traz para a sua apuração',
      'credit note of another issuer: say whether you accept the debit it brings to your assessment',
    ],
    isFor: ({ purpose }) => purpose === CREDIT_NOTE,
  },
  {
    code: '211130',
    why: ['se algum item foi para o ativo imobilizado', 'if an item went into your fixed assets'],
    isFor: isOrdinary,
  },
  {
    code: '211124',
    why: [
      'se a mercadoria se perdeu ou foi roubada no transporte que você contratou',
      'if the goods were lost or stolen in the transport that you contracted',
    ],
    isFor: (note) => isOrdinary(note) && note.transport?.mode === FREIGHT_BY_RECIPIENT,
  },
  {
    code: '211140',
    why: [
      'se a empresa é da cadeia de combustíveis e consumiu o combustível',
      'if the company belongs to the fuel chain and consumed the fuel itself',
    ],
    isFor: (note) => isOrdinary(note) && note.items.some((item) => item.fuel !== undefined),
  },
  {
    code: '211110',
    why: [
      'se a compra de pessoa física dá direito a crédito presumido que a nota não traz',
      'if buying from an individual entitles you to a presumed credit that the note does not have',
    ],
    isFor: (note) => isOrdinary(note) && note.issuer?.id_type === 'cpf',
  },
];

/** Events of the tax reform suggested by a note, except registered ones. Source: docs/fiscal/events.md. */
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
  return suggestions
    .filter(({ code, isFor }) => !registered.has(code) && isFor(document))
    .map(({ code, why }) => ({ code, why }));
}
