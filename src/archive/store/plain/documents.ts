import { latestBelievable } from '../../freshness.ts';
import { isVoid } from '../rollups/rollups.ts';
import type { DocumentSource, EventRow, PlacementRow, StatusOrigin } from '../schema/schema.ts';
import type { StoreOutcome } from '../write/arrival.ts';
import { createChanges } from '../write/changes.ts';
import type { Known } from '../write/claim.ts';
import type { WasKnown } from '../write/documents.ts';
import { mayReplace, stands, uniqueEvents } from '../write/events.ts';
import type { Batch } from '../write/incoming.ts';
import { placementAt, type Sighting } from '../write/placements.ts';
import { candidatesFrom, type Plan, planFor } from '../write/plans.ts';
import type { PreparedDocument } from '../write/prepare.ts';
import { preparedFrom } from '../write/prepare.ts';

/** A content that doesn't count. */
export interface SetAside {
  readonly digest: string;
  readonly summary: Uint8Array;
  readonly xml: Uint8Array | null;
  readonly fetched_at: string;
}

/** A document as it is held. */
export interface Held {
  readonly id: number;
  document: PreparedDocument;
  own_status: string;
  status: string;
  fetched_at: string;
  source: DocumentSource;
  status_at: string;
  status_from: StatusOrigin;
  others: readonly SetAside[];
  /** By company and date field. */
  readonly placements: Map<string, PlacementRow>;
}

type HeldEvent = EventRow & { readonly order: number };

/** Documents and events in the memory of the process, and the same rules by which a database keeps them. */
export interface PlainDocuments {
  readonly documents: ReadonlyMap<string, Held>;
  readonly events: ReadonlyMap<string, HeldEvent>;
  /** In the order of time. */
  eventsOf(key: string): readonly HeldEvent[];
  documentsWith(key: string): readonly Held[];
  write(sighting: Sighting, batch: Batch, wasKnown: WasKnown): StoreOutcome;
  remove(identity: string): void;
  removeEvents(key?: string): number;
  removeEvent(identity: string): void;
}

const tenant = '';

function knownFrom({ id, document, own_status, status, status_at, source }: Held): Known {
  return { ...document.row, own_status, id, status, status_at, source };
}

function asideFrom({ row, summary, xml }: PreparedDocument, fetched_at: string): SetAside {
  return { digest: row.digest, summary, xml, fetched_at };
}

export function createPlainDocuments(): PlainDocuments {
  const documents = new Map<string, Held>();
  const events = new Map<string, HeldEvent>();
  const eventKeys = new Map<string, Set<string>>();
  const documentKeys = new Map<string, Set<Held>>();
  let ids = 0;

  function keep<Value>(index: Map<string, Set<Value>>, key: string, value: Value): void {
    if (key !== '') index.set(key, (index.get(key) ?? new Set()).add(value));
  }

  function eventsOf(key: string): HeldEvent[] {
    const found = [...(eventKeys.get(key) ?? [])].flatMap((identity) => events.get(identity) ?? []);
    return found.sort((one, other) =>
      one.at === other.at ? one.order - other.order : one.at < other.at ? -1 : 1,
    );
  }

  function writeEvents(batch: Batch, { at, clock, events: origin }: Sighting) {
    const rows = uniqueEvents(batch.events.map((event) => ({ tenant, ...event, origin, asked_at: at })));
    const registered: EventRow[] = [];
    let changed = 0;
    for (const row of rows) {
      const before = events.get(row.identity);
      const from = before === undefined || origin !== 'files' ? origin : before.origin;
      if (before !== undefined && (before.digest === row.digest || !mayReplace(before, row))) {
        const isOlder = before.asked_at < at || before.asked_at > latestBelievable(clock);
        const asked_at = isOlder ? at : before.asked_at;
        events.set(row.identity, {
          ...before,
          asked_at,
          origin: before.origin === 'files' ? from : before.origin,
        });
        continue;
      }
      changed += 1;
      if (stands(row) && (before === undefined || !stands(before))) registered.push(row);
      const cancels = Math.max(row.cancels, before?.cancels ?? 0);
      events.set(row.identity, { ...row, origin: from, cancels, order: before?.order ?? events.size });
      keep(eventKeys, row.key, row.identity);
    }
    return { changed, registered };
  }

  const isCancelled = (key: string) => key !== '' && eventsOf(key).some(({ cancels }) => cancels === 1);

  function heldFor(plan: Plan, { at, source }: Sighting): Held {
    const { id, document, own_status, status } = plan;
    const status_from = status !== own_status ? 'event' : 'document';
    const held = {
      id,
      document,
      own_status,
      status,
      fetched_at: at,
      source,
      status_at: at,
      status_from,
    } as const;
    return { ...held, others: [], placements: new Map() };
  }

  /** What came of a document that was there: its content, or that it was seen again. */
  function update(held: Held, plan: Plan, { at, source, clock }: Sighting): void {
    const isOlder = held.fetched_at > at && held.fetched_at <= latestBelievable(clock);
    if (plan.setsAside) held.others = [...held.others, asideFrom(held.document, held.fetched_at)];
    if (plan.isRewritten) held.document = plan.document;
    else if (held.document.row.digest === plan.document.row.digest && held.document.xml === null) {
      held.document = { ...held.document, xml: plan.document.xml };
    }
    held.own_status = plan.own_status;
    held.status = plan.status;
    if (source === 'files' && (held.source !== 'files' || !plan.isRewritten)) {
      // A file tells nothing of what the service would say now.
      if (held.source !== 'files') held.source = 'both';
      if (!isOlder || plan.isRewritten) held.fetched_at = at;
      if (plan.isRewritten) held.status_from = plan.status !== plan.own_status ? 'event' : 'document';
      return;
    }
    if (isOlder && !plan.isRewritten) return;
    held.fetched_at = at;
    held.status_at = at;
    held.status_from = plan.status !== plan.own_status ? 'event' : 'document';
    held.source = held.source === source ? source : 'both';
  }

  function setAside(held: Held, others: readonly PreparedDocument[], at: string): void {
    const kept = [...held.others];
    for (const other of others) {
      if (!kept.some(({ digest }) => digest === other.row.digest)) kept.push(asideFrom(other, at));
    }
    held.others = kept.filter(({ digest }) => digest !== held.document.row.digest);
  }

  function place(held: Held, sighting: Sighting, document: PreparedDocument): void {
    const { company, window } = sighting;
    for (const field of new Set(['issue' as const, ...(window ? [window.by] : [])])) {
      const name = `${company} ${field}`;
      const placement = placementAt(tenant, sighting, field, held.id, document, held.placements.get(name));
      if (placement !== undefined) held.placements.set(name, placement);
    }
  }

  return {
    documents,
    events,
    eventsOf,
    documentsWith: (key) => [...(documentKeys.get(key) ?? [])],
    write(sighting, batch, wasKnown) {
      const changes = createChanges();
      const written = writeEvents(batch, sighting);
      const cancelledAt = new Map(
        batch.events.filter(({ cancels }) => cancels === 1).map(({ key, at }) => [key, at]),
      );
      const cancelled = (key: string) =>
        changes.note({ key, what: 'cancelled', at: cancelledAt.get(key) || undefined });
      const candidates = candidatesFrom(batch.documents.map(preparedFrom));
      const rows = candidates.map(({ document }) => document.row);
      const fresh = new Map(
        rows.filter(({ identity }) => !documents.has(identity)).map(({ identity }) => [identity, ++ids]),
      );
      const known = new Map<string, Known>();
      for (const { identity } of rows) {
        const held = documents.get(identity);
        if (held !== undefined) known.set(identity, knownFrom(held));
      }
      const void_ = new Set(rows.map(({ key }) => key).filter(isCancelled));
      const plans = candidates.flatMap((candidate) =>
        planFor(candidate, { fresh, known }, void_, sighting.source),
      );
      for (const plan of plans) {
        const { identity, key, issued_at } = plan.document.row;
        const before = documents.get(identity);
        const held = before ?? heldFor(plan, sighting);
        if (before === undefined) {
          documents.set(identity, held);
          keep(documentKeys, key, held);
          if (wasKnown(issued_at.slice(0, 10)))
            changes.note({ key, what: 'new', at: issued_at || undefined });
        } else {
          if (plan.status === 'cancelled' && !isVoid(before.status)) cancelled(key);
          update(before, plan, sighting);
        }
        setAside(held, plan.others, sighting.at);
        if (!plan.others.includes(plan.document)) place(held, sighting, plan.document);
      }
      const here = new Set(plans.map(({ id }) => id));
      for (const key of cancelledAt.keys()) {
        for (const held of documentKeys.get(key) ?? []) {
          if (here.has(held.id) || held.status === 'cancelled') continue;
          if (!isVoid(held.status)) cancelled(key);
          held.status = 'cancelled';
          held.status_at = sighting.at;
          held.status_from =
            sighting.events === 'service' || sighting.events === 'write' ? 'service' : 'event';
        }
      }
      const freshIds = new Set(fresh.values());
      for (const event of written.registered) {
        const all = [...(documentKeys.get(event.key) ?? [])];
        if (all.some(({ id }) => !freshIds.has(id))) changes.noteEvent(event);
      }
      const replaced = plans.filter((plan) => plan.known !== undefined && plan.isRewritten).length;
      return {
        added: fresh.size,
        replaced,
        unchanged: plans.length - replaced - fresh.size,
        events: written.changed,
        ...changes.result(),
      };
    },
    remove(identity) {
      const held = documents.get(identity);
      if (held === undefined) return;
      documents.delete(identity);
      documentKeys.get(held.document.row.key)?.delete(held);
    },
    removeEvent(identity) {
      eventKeys.get(events.get(identity)?.key ?? '')?.delete(identity);
      events.delete(identity);
    },
    removeEvents(key) {
      const going = [...(key === undefined ? events.keys() : (eventKeys.get(key) ?? []))];
      for (const identity of going) events.delete(identity);
      if (key === undefined) eventKeys.clear();
      else eventKeys.delete(key);
      return going.length;
    },
  };
}
