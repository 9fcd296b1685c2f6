import type { CallContext } from '../../company/call-context.ts';
import type { Standing } from '../../company/document-pdf.ts';
import { standingEvents } from '../../documents/events/event-history.ts';
import { eventByCode } from '../../documents/events/manifestation.ts';
import { deadlineOf } from '../../documents/events/objections.ts';
import type { Voice } from './voice.ts';

/** A document with its text, where that is at hand. */
export type ShownDocument = Standing & {
  readonly xml?: string | undefined;
  readonly source?: string;
  readonly status_from?: string;
};

/** A document as its page looks at it. */
export interface Looked {
  readonly document: ShownDocument;
  readonly side: 'inbound' | 'outbound' | undefined;
  readonly context: CallContext;
}

/** Registered events that stand, the oldest first. */
export function eventsOf({ document: { summary, events } }: Looked) {
  return standingEvents(
    summary,
    events.map((one) => one.summary),
  );
}

/** Day and time of an event. */
export function momentText(at: string | undefined, { shortDay, time, day }: Voice, isWhole = false): string {
  if (at === undefined || Number.isNaN(Date.parse(at))) return '';
  const written = isWhole ? day(at.slice(0, 10)) : shortDay(at.slice(0, 10));
  return at.length > 10 ? `${written}, ${time(at)}` : written;
}

/** The last day for a conclusive manifestation, of a note received that has none; test documents take none. */
export function openDeadline(looked: Looked) {
  const { document, side, context } = looked;
  const { summary, status } = document;
  const { cnpj, timeZone } = context.company.settings;
  const isDone = eventsOf(looked).some(({ code = '' }) => eventByCode(code)?.conclusive === true);
  if (summary.kind !== 'nfe' || side !== 'inbound' || status !== 'authorized' || isDone) return undefined;
  if (summary.issuer?.id === cnpj || summary.environment === 'test') return undefined;
  const authorizedAt = summary.protocol?.at ?? '';
  return deadlineOf('confirmacao', { authorizedAt }, new Date(context.company.now()), timeZone);
}
