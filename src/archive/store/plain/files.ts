import type { DocumentReference } from '../../references.ts';
import { leftOutOf } from '../files/asking.ts';
import type { FileIndex, FilePlace, KnownFile, ReadPart } from '../files/file-index.ts';
import { groupsOf, type PreparedPart, partiesOf, preparePart } from '../files/parts.ts';
import { placementAt, type Sighting } from '../write/placements.ts';
import type { Held, PlainDocuments } from './documents.ts';

/** A file with what it gave. */
interface HeldFile extends FilePlace, KnownFile {
  isDue: boolean;
  leftOut: ReadPart['leftOut'];
  givenUp: ReadPart['givenUp'];
  readonly documents: Set<string>;
  readonly events: Set<string>;
}

/** The index, and what becomes of it when documents are purged. */
export interface PlainFileIndex extends FileIndex {
  /** A document goes; the files that have it are read again. */
  readAgain(identity: string): void;
  forgetAll(): void;
}

const nameOf = ({ root, folder, name }: FilePlace): string => JSON.stringify([root, folder, name]);

function sightingOf(company: string, area: Sighting['area']): Sighting {
  return { company, area, source: 'files', at: new Date().toISOString(), events: 'files' };
}

/** The index of the user's files beside documents that are held in the memory of the process. */
export function createPlainFileIndex(
  all: PlainDocuments,
  keepXml: boolean,
  heldFor: (reference: DocumentReference) => Held | undefined,
): PlainFileIndex {
  const files = new Map<string, HeldFile>();

  const having = (kind: 'documents' | 'events', identity: string) =>
    [...files.values()].filter((file) => file[kind].has(identity));

  function dropDocument(identity: string): void {
    const held = all.documents.get(identity);
    const others = having('documents', identity);
    if (held === undefined || others.some(({ root }) => root === '')) return;
    if (held.source === 'both' && others.length === 0) held.source = 'service';
    if (held.source !== 'files') return;
    for (const other of others) {
      other.documents.delete(identity);
      other.isDue = true;
    }
    all.remove(identity);
  }

  function dropEvent(identity: string): void {
    const event = all.events.get(identity);
    const others = having('events', identity);
    if (event === undefined || event.origin !== 'files' || others.some(({ root }) => root === '')) return;
    for (const other of others) {
      other.events.delete(identity);
      other.isDue = true;
    }
    all.removeEvent(identity);
    if (event.cancels === 0 || all.eventsOf(event.key).some(({ cancels }) => cancels === 1)) return;
    for (const held of all.documentsWith(event.key)) {
      if (held.status_from !== 'event') continue;
      held.status = held.own_status;
      held.status_from = 'document';
    }
  }

  function drop(file: HeldFile): void {
    const [documents, events] = [[...file.documents], [...file.events]];
    file.documents.clear();
    file.events.clear();
    for (const identity of documents) dropDocument(identity);
    for (const identity of events) dropEvent(identity);
  }

  function fileFor({ part }: PreparedPart): HeldFile {
    const before = files.get(nameOf(part));
    const { root, folder, name, size, changed, digest, isFirst, isLast, leftOut, givenUp } = part;
    if (before !== undefined && isFirst && root !== '') {
      if (digest === '' || before.digest !== digest || before.size !== size) drop(before);
      before.givenUp = [];
    }
    const file: HeldFile = {
      ...{ root, folder, name, size, changed, digest, leftOut },
      isDue: !isLast,
      givenUp: [...(before?.givenUp ?? []), ...givenUp],
      documents: before?.documents ?? new Set(),
      events: before?.events ?? new Set(),
    };
    files.set(nameOf(part), file);
    return file;
  }

  function documentsOf(company: string): Held[] {
    const identities = new Set([...files.values()].flatMap(({ documents }) => [...documents]));
    const held = [...identities].flatMap((identity) => all.documents.get(identity) ?? []);
    return company === '' ? held : held.filter(({ document }) => partiesOf(document).includes(company));
  }

  function holdingOf(held: readonly Held[]) {
    const days = held.map(({ document }) => document.row.issued_at.slice(0, 10)).filter((day) => day !== '');
    const [from, to] = [days.sort()[0], days.at(-1)];
    return { documents: held.length, ...(from === undefined || to === undefined ? {} : { from, to }) };
  }

  return {
    readAgain(identity) {
      for (const file of having('documents', identity)) {
        file.documents.delete(identity);
        file.isDue = true;
      }
    },
    forgetAll: () => files.clear(),
    known: async (root, folder) =>
      new Map(
        [...files.values()]
          .filter((file) => file.root === root && file.folder === folder)
          .map((file) => [file.name, file]),
      ),
    async folders() {
      const places = [...files.values()].filter(({ root }) => root !== '');
      return [...new Map(places.map((one) => [`${one.root}\0${one.folder}`, one])).values()];
    },
    async take(parts, company) {
      const prepared = parts.map((part) => preparePart(part, keepXml));
      const held = prepared.map(fileFor);
      for (const { company: owner, area, batch } of groupsOf(prepared, company)) {
        all.write(sightingOf(owner, area), batch, () => false);
      }
      const events = prepared.flatMap((one) => one.events);
      all.write(sightingOf('', 'nfe'), { documents: [], events }, () => false);
      for (const [index, { documents, events: own }] of prepared.entries()) {
        for (const { document } of documents) held[index]?.documents.add(document.row.identity);
        for (const { identity } of own) held[index]?.events.add(identity);
      }
    },
    async touch(touched) {
      for (const { size, changed, ...place } of touched) {
        const file = files.get(nameOf(place));
        if (file !== undefined) files.set(nameOf(place), { ...file, size, changed, isDue: false });
      }
    },
    async forget(root, folder, names) {
      for (const [key, file] of files) {
        if (file.root !== root || file.folder !== folder || names?.includes(file.name) === false) continue;
        files.delete(key);
        drop(file);
      }
    },
    async adopt(company) {
      for (const held of documentsOf(company)) {
        const name = `${company} issue`;
        if (held.placements.has(name)) continue;
        const area = held.document.row.area as Sighting['area'];
        const placement = placementAt(
          '',
          sightingOf(company, area),
          'issue',
          held.id,
          held.document,
          undefined,
        );
        if (placement !== undefined) held.placements.set(name, placement);
      }
    },
    async holders(most) {
      const counts = new Map<string, number>();
      for (const { document } of documentsOf('')) {
        for (const company of partiesOf(document)) counts.set(company, (counts.get(company) ?? 0) + 1);
      }
      return [...counts]
        .map(([company, documents]) => ({ company, documents }))
        .sort((one, other) => other.documents - one.documents || (one.company < other.company ? -1 : 1))
        .slice(0, most);
    },
    async holdings(company) {
      const held = documentsOf(company);
      return (['cte', 'nfe', 'nfse'] as const).flatMap((area) => {
        const own = held.filter(({ document }) => document.row.area === area);
        return own.length === 0 ? [] : [{ company, area, ...holdingOf(own) }];
      });
    },
    async info() {
      const listed = [...files.values()];
      return {
        files: listed.filter(({ root, name }) => root !== '' && name !== '').length,
        documents: documentsOf('').length,
        events: new Set(listed.flatMap(({ events }) => [...events])).size,
        left_out: leftOutOf(listed.map((file) => ({ ...file, tally: file.leftOut }))),
      };
    },
    async placesOf(reference) {
      const held = heldFor(reference);
      if (held === undefined) return [];
      return having('documents', held.document.row.identity).filter(({ root }) => root !== '');
    },
    async givenUp({ company, area }) {
      const numbers = [...files.values()].flatMap(({ givenUp }) => [...givenUp]);
      return numbers.filter((one) => one.company === company && one.area === area);
    },
  };
}
