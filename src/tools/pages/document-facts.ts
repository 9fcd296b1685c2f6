import type { CallContext } from '../../company/call-context.ts';
import type { Standing } from '../../company/document-pdf.ts';
import { manifestationEvents } from '../../documents/events/manifestation.ts';
import { deadlineOf } from '../../documents/events/objections.ts';
import { standingEvents } from '../../documents/events/statuses.ts';
import type { Speak, Voice } from './voice.ts';

/** A document with its text, where that is at hand. */
export type ShownDocument = Standing & {
  readonly xml?: string | undefined;
  readonly source?: string;
  readonly status_from?: string;
};

/** What `verify_document` found. */
export interface Verified {
  readonly content: { readonly result: string; readonly reason?: string | undefined };
  readonly signer: {
    readonly result: string;
    readonly name?: string | undefined;
    readonly id?: string | undefined;
    readonly valid_at_issue?: boolean | undefined;
    readonly chain: string;
  };
  readonly authorization: {
    readonly result: string;
    readonly status?: string | undefined;
    readonly protocol_matches?: boolean | undefined;
    readonly key_matches?: boolean | undefined;
    readonly reason?: string | undefined;
  };
}

/** A document as its page looks at it. */
export interface Looked {
  readonly document: ShownDocument;
  readonly side: 'inbound' | 'outbound' | undefined;
  readonly speak: Speak;
  readonly context: CallContext;
  readonly today: string;
}

/** Registered events that stand, the oldest first. */
export function eventsOf({ document: { summary, events } }: Looked) {
  return standingEvents(
    summary,
    events.map((one) => one.summary),
  );
}

/** Day and time of an event. */
export function momentText(at: string | undefined, { shortDay, clock, day }: Voice, isWhole = false): string {
  if (at === undefined || Number.isNaN(Date.parse(at))) return '';
  const time = at.length > 10 ? `, ${clock(at).replace(/ \(.*/, '').replace(/^0/, '')}` : '';
  return (isWhole ? day(at.slice(0, 10)) : shortDay(at.slice(0, 10))) + time;
}

const conclusiveCodes = new Set<string>(
  Object.values(manifestationEvents).flatMap((event) => (event.conclusive ? [event.code] : [])),
);

/** The last day for a conclusive manifestation, of a note received that has none. */
export function openDeadline(looked: Looked) {
  const {
    document: { summary, status },
    side,
    context,
  } = looked;
  const isDone = eventsOf(looked).some(({ code = '' }) => conclusiveCodes.has(code));
  if (summary.kind !== 'nfe' || side !== 'inbound' || status !== 'authorized' || isDone) return undefined;
  if (summary.issuer?.id === context.company.settings.cnpj) return undefined;
  const authorizedAt = summary.protocol?.at ?? '';
  return deadlineOf(
    'confirmacao',
    { authorizedAt },
    new Date(context.company.now()),
    context.company.settings.timeZone,
  );
}
