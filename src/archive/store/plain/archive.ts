import { plainId } from '../../../documents/summary/parties.ts';
import { ArchiveEngineMissing } from '../../errors.ts';
import { latestBelievable } from '../../freshness.ts';
import type { DocumentReference } from '../../references.ts';
import type { Scope } from '../../scope.ts';
import type { Archive } from '../archive.ts';
import { eachOnce, eventAlone } from '../ask/answers.ts';
import { checkPage } from '../ask/ask.ts';
import { type CoverageRequest, canPlace, missingIn, oldestIn, unreadableIn } from '../ask/coverage.ts';
import { areaFrom, joinedCoverage } from '../ask/info.ts';
import { judgedEvent, judgedFrom } from '../ask/judged.ts';
import { isNamed } from '../ask/named.ts';
import { byName } from '../ask/parties.ts';
import type { Selection } from '../ask/question.ts';
import { type StoredDocument, statusFrom, storedEvent, textOf } from '../ask/stored-documents.ts';
import { schemaVersion } from '../migrations/migrations.ts';
import { type AskedWindow, eventIn, type KeptKeys, questionColumns } from '../schema/asked-window.ts';
import { summaryFrom } from '../schema/encoding.ts';
import { identityOfReference } from '../schema/identity.ts';
import { anyDirection, type CoverageRow, type Unreadable } from '../schema/schema.ts';
import type { FetchedWindow, StoreOutcome } from '../write/arrival.ts';
import type { WasKnown } from '../write/documents.ts';
import { prepareEvent, summaryOf } from '../write/events.ts';
import { type Batch, receive, received } from '../write/incoming.ts';
import { daysKnownBy } from '../write/known-days.ts';
import { sightingOf } from '../write/placements.ts';
import { checkSelection, type PurgeSelection, type Removal, remainders } from '../write/purge.ts';
import { createPlainDocuments, type Held, type SetAside } from './documents.ts';
import { createPlainFileIndex } from './files.ts';
import { listed, placedIn, selected } from './selecting.ts';

interface Answer {
  readonly fetched_at: string;
  readonly identities: readonly string[];
  readonly unreadable: readonly Unreadable[];
}

function questionKey(question: AskedWindow): string {
  return JSON.stringify(questionColumns('', question));
}

const byOrder = ({ document: a, id: x }: Held, { document: b, id: y }: Held): number =>
  a.row.issued_at === b.row.issued_at ? x - y : a.row.issued_at < b.row.issued_at ? -1 : 1;

/**
 * An archive in the memory of the process, for where no SQLite can be had: it keeps documents by the same rules and
 * answers everything but questions (`ask`). Nothing in it is on disk.
 */
export function openPlainArchive(keepXml: boolean): Archive {
  const all = createPlainDocuments();
  let coverage: CoverageRow[] = [];
  const answers = new Map<string, Answer & Scope>();
  const keyAnswers = new Map<string, KeptKeys & Scope>();

  function stored(held: Held): StoredDocument {
    const { document, status, status_from, status_at, source, fetched_at, others } = held;
    return {
      summary: summaryFrom(document.summary),
      status: statusFrom(status),
      status_from,
      status_at,
      events: document.row.key === '' ? [] : all.eventsOf(document.row.key).map(storedEvent),
      source,
      fetched_at,
      contents: 1 + others.length,
      ...textOf(document.xml),
    };
  }

  function recordsOf(request: CoverageRequest): CoverageRow[] {
    const { company, area, by, from, to } = request;
    return coverage.filter(
      (record) =>
        record.company === company &&
        record.area === area &&
        record.date_field === by &&
        record.from_day <= to &&
        record.to_day >= from &&
        canPlace(record, request),
    );
  }

  function daysKnown(window: FetchedWindow): WasKnown {
    const { company, area, by } = window;
    const isSame = (one: CoverageRow) =>
      one.company === company && one.area === area && one.date_field === by;
    return daysKnownBy(coverage.filter(isSame), window);
  }

  function cover(window: FetchedWindow, documents: number): void {
    const { company, area, by, direction = anyDirection, from, to, fetchedAt, unreadable = [] } = window;
    const latest = latestBelievable(window.clock);
    const isOfPlace = (one: CoverageRow) =>
      one.company === company && one.area === area && one.date_field === by;
    const isWithin = (one: CoverageRow) =>
      one.from_day >= from && one.to_day <= to && (direction === anyDirection || one.direction === direction);
    const isAhead = (one: CoverageRow) => one.from_day <= to && one.to_day >= from && one.fetched_at > latest;
    coverage = coverage.filter((one) => !isOfPlace(one) || (!isWithin(one) && !isAhead(one)));
    const place = { tenant: '', company, area, date_field: by, direction, from_day: from, to_day: to };
    const fetched_at = fetchedAt.toISOString();
    coverage.push({ ...place, fetched_at, documents, unreadable: JSON.stringify(unreadable) });
  }

  function writeWindow(window: FetchedWindow, batch: Batch, covers: boolean): StoreOutcome {
    const outcome = all.write(sightingOf(window), batch, daysKnown(window));
    if (covers) cover(window, outcome.added + outcome.replaced + outcome.unchanged);
    return outcome;
  }

  function heldFor(reference: DocumentReference): Held | undefined {
    const identity = identityOfReference(reference);
    if (!identity.endsWith('|')) return all.documents.get(identity);
    const found = [...all.documents].filter(([one]) => one.startsWith(identity));
    return found.sort(([one], [other]) => (one < other ? -1 : 1))[0]?.[1];
  }

  function lineOf(line: string): StoredDocument | undefined {
    const identity = eventIn(line);
    const event = identity === undefined ? undefined : all.events.get(identity);
    if (event !== undefined) return eventAlone(event);
    const held = all.documents.get(line);
    return held && stored(held);
  }

  /** Documents that a purge means, with whether another company has them too. */
  function targets({ company, area, from, to }: PurgeSelection): { held: Held; isShared: boolean }[] {
    return [...all.documents.values()].flatMap((held) => {
      const day = held.document.row.issued_at.slice(0, 10);
      const places = [...held.placements.values()];
      const isMeant =
        places.some(
          (place) =>
            (company === undefined || place.company === company) &&
            (area === undefined || place.area === area),
        ) &&
        (from === undefined || day >= from) &&
        (to === undefined || day <= to);
      const isShared =
        company !== undefined && places.some((place) => !['', company].includes(place.company));
      return isMeant ? [{ held, isShared }] : [];
    });
  }

  function affectedCoverage({ company, area, from = '', to = '9999-12-31' }: PurgeSelection): CoverageRow[] {
    return coverage.filter(
      (one) =>
        (company === undefined || one.company === company) &&
        (area === undefined || one.area === area) &&
        (one.date_field !== 'issue' || (one.from_day <= to && one.to_day >= from)),
    );
  }

  const isEverything = ({ company, area, from, to }: PurgeSelection) =>
    [company, area, from, to].every((part) => part === undefined);

  function removal(selection: PurgeSelection): Removal {
    checkSelection(selection);
    const found = targets(selection);
    const going = found.filter(({ isShared }) => !isShared).map(({ held }) => held);
    const companies = found.flatMap(({ held }) =>
      [...held.placements.values()].map((place) => place.company),
    );
    return {
      documents: going.length,
      kept_for_others: found.length - going.length,
      items: going.reduce((sum, { document }) => sum + document.lines.length, 0),
      events: isEverything(selection)
        ? all.events.size
        : going.reduce((sum, { document: { row } }) => sum + all.eventsOf(row.key).length, 0),
      coverage: affectedCoverage(selection).length,
      companies: [...new Set(companies)]
        .filter((one) => selection.company === undefined || one === selection.company)
        .sort(),
    };
  }

  const files = createPlainFileIndex(all, keepXml, heldFor);

  function purge(selection: PurgeSelection): Removal {
    const described = removal(selection);
    for (const { held, isShared } of targets(selection)) {
      for (const [name, { company }] of held.placements) {
        if (selection.company === undefined || company === selection.company) held.placements.delete(name);
      }
      if (isShared) continue;
      files.readAgain(held.document.row.identity);
      all.remove(held.document.row.identity);
      all.removeEvents(held.document.row.key || '-');
    }
    if (isEverything(selection)) {
      all.removeEvents();
      files.forgetAll();
    }
    const affected = new Set(affectedCoverage(selection));
    coverage = coverage.flatMap((one) => (affected.has(one) ? remainders(one, selection) : [one]));
    for (const kept of [answers, keyAnswers]) {
      for (const [key, { company, area }] of kept) {
        if ((selection.company ?? company) === company && (selection.area ?? area) === area) kept.delete(key);
      }
    }
    return described;
  }

  return {
    canAsk: false,
    async store(window, arrivals, signal) {
      checkSelection(window);
      return writeWindow(window, await received(window.area, arrivals, keepXml, signal), true);
    },
    async keep(
      { company, area },
      arrivals,
      { at = new Date(), source = 'service', events = 'document', clock } = {},
    ) {
      const batch = await receive(area, arrivals, keepXml);
      return all.write({ company, area, source, at: at.toISOString(), clock, events }, batch, () => false);
    },
    async keepEvent(noted) {
      const events = [prepareEvent({ summary: summaryOf(noted) }, false)];
      const at = noted.askedAt.toISOString();
      const sighting = { company: '', area: 'nfe', source: 'service', at, events: noted.from } as const;
      return all.write(sighting, { documents: [], events }, () => false);
    },
    receive: (area, arrivals, { signal } = {}) => receive(area, arrivals, keepXml, { signal }),
    async recordAnswer(question, answer, signal) {
      const { company, area, by, direction, from, to } = question;
      const { fetchedAt, unreadable = [], covers, clock } = answer;
      const prepared = await received(area, answer.arrivals, keepXml, signal);
      const days = covers ?? { from: from.slice(0, 10), to: to.slice(0, 10) };
      const window = { company, area, by, direction, ...days, fetchedAt, unreadable, clock };
      const outcome = writeWindow(window, prepared, covers !== undefined);
      const { identities } = prepared;
      const kept = { company, area, by, fetched_at: fetchedAt.toISOString(), identities, unreadable };
      answers.set(questionKey(question), kept);
      return outcome;
    },
    async findAnswer(question, page) {
      checkPage(page);
      const answer = answers.get(questionKey(question));
      if (answer === undefined) return undefined;
      const { fetched_at, unreadable } = answer;
      const { identities, repeated } = eachOnce(answer.identities);
      const { limit, offset = 0 } = page;
      const lines = identities.slice(offset, offset + limit).map(lineOf);
      if (!lines.every((line) => line !== undefined)) return undefined;
      return { fetched_at, total: identities.length, repeated, lines, unreadable };
    },
    async recordKeys(question, answer) {
      keyAnswers.set(questionKey(question), { ...question, ...answer });
    },
    findKeys: async (question) => keyAnswers.get(questionKey(question)),
    missing: async (request, freshness) => {
      checkSelection(request);
      return missingIn(recordsOf(request), request, freshness);
    },
    asOf: async (request) => oldestIn(recordsOf(request), request),
    unreadable: async (request) => unreadableIn(recordsOf(request), request),
    ask: async () => {
      throw new ArchiveEngineMissing(process.versions.node);
    },
    async list(question) {
      const { page, total, sum, left_out } = listed(all, question);
      return { documents: page.map(stored), total, sum, left_out };
    },
    async *judged(selection) {
      const found = selected(all, selection).map(({ held }) => held);
      for (const { document, own_status, status, others } of found.sort(byOrder)) {
        const { key } = document.row;
        const events = key === '' ? [] : all.eventsOf(key).map(judgedEvent);
        const { kind, number, issued_at, purpose } = document.row;
        const columns = { kind, key, number, issued_at, purpose, own_status, status };
        yield judgedFrom({ ...columns, contents: 1 + others.length, judgement: document.judgement }, events);
      }
    },
    async *read(selection, offset = 0) {
      const found = selected(all, selection).map(({ held }) => held);
      for (const held of found.sort(byOrder).slice(offset)) yield stored(held);
    },
    async find(reference) {
      const held = heldFor(reference);
      return held && stored(held);
    },
    async findByKey(key) {
      const held = [...all.documents.values()].find(({ document }) => document.row.key === key);
      return held && stored(held);
    },
    async otherContents(reference) {
      const order = ({ fetched_at: a, digest: x }: SetAside, { fetched_at: b, digest: y }: SetAside) =>
        a === b ? (x < y ? -1 : 1) : a > b ? -1 : 1;
      return [...(heldFor(reference)?.others ?? [])].sort(order).map(({ summary, xml, fetched_at }) => ({
        summary: summaryFrom(summary),
        fetched_at,
        ...textOf(xml),
      }));
    },
    events: async (key) => all.eventsOf(key).map(storedEvent),
    async entryDays(selection: Selection) {
      const days = placedIn(all, selection).map(({ held }) => {
        const entry = held.placements.get(`${selection.company} entry`);
        return [held.document.row.key, entry?.day ?? ''] as const;
      });
      return new Map(days.filter(([key, day]) => key !== '' && day !== ''));
    },
    async parties(text, role) {
      const held = [...all.documents.values()];
      const ofRole = new Set(held.map(({ document: { row } }) => row[role]));
      const names = held.flatMap(({ document: { parties } }) =>
        parties.flatMap((party) => {
          const { name = '' } = party;
          const id = plainId(party);
          return id !== undefined && ofRole.has(id) && isNamed(name, text)
            ? [[id, { id, name }] as const]
            : [];
        }),
      );
      return [...new Map(names).values()].sort(byName);
    },
    async info() {
      const held = [...all.documents.values()];
      const byHolding = new Map<string, { company: string; area: string; days: string[] }>();
      for (const { document, placements } of held) {
        for (const name of new Set(
          [...placements.values()].map(({ company, area }) => `${company} ${area}`),
        )) {
          const [company = '', area = ''] = name.split(' ');
          const one = byHolding.get(name) ?? { company, area, days: [] };
          one.days.push(document.row.issued_at.slice(0, 10));
          byHolding.set(name, one);
        }
      }
      return {
        mode: 'memory',
        engine: 'none',
        schema_version: schemaVersion,
        bytes: held.reduce(
          (sum, { document: { summary, xml } }) => sum + summary.length + (xml?.length ?? 0),
          0,
        ),
        documents: held.length,
        items: held.reduce(
          (sum, { document }) => sum + document.lines.filter(({ line }) => line > 0).length,
          0,
        ),
        events: all.events.size,
        with_xml: held.filter(({ document }) => document.xml !== null).length,
        held: [...byHolding.values()]
          .sort((one, other) => (`${one.company} ${one.area}` < `${other.company} ${other.area}` ? -1 : 1))
          .map(({ company, area, days }) => {
            const known = days.filter((day) => day !== '').sort();
            const ends = known.length > 0 ? { first: known[0], last: known.at(-1) } : {};
            return { company, area: areaFrom(area), documents: days.length, ...ends };
          }),
        coverage: joinedCoverage(coverage),
      };
    },
    files,
    verify: async () => ({ documents: all.documents.size, findings: [] }),
    previewPurge: async (selection) => removal(selection),
    purge: async (selection) => purge(selection),
    close: async () => undefined,
  };
}
