import type { DocumentReference } from '../../references.ts';
import { leftOutOf } from '../files/asking.ts';
import type { FileIndex, FilePlace, FileStamp, KnownFile, ReadPart } from '../files/file-index.ts';
import { groupsOf, type PreparedPart, partiesOf, prepareParts } from '../files/parts.ts';
import { placementAt, type Sighting } from '../write/placements.ts';
import type { Held, PlainDocuments } from './documents.ts';

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/** A file with what it gave. */
interface HeldFile extends FilePlace, Writable<KnownFile> {
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

const folderOf = (root: string, folder: string): string => `${root}\0${folder}`;

/** Whether the files known of a folder are those that are listed, and none of them is due. */
function isListed(
  known: ReadonlyMap<string, HeldFile> | undefined,
  listed: readonly (FileStamp & { readonly name: string })[],
): boolean {
  const claims = known?.has('') ? 1 : 0;
  if ((known?.size ?? 0) - claims !== listed.length) return false;
  return listed.every(({ name, size, changed }) => {
    const file = known?.get(name);
    return file !== undefined && !file.isDue && file.size === size && file.changed === changed;
  });
}

function sightingOf(company: string, area: Sighting['area']): Sighting {
  return { company, area, source: 'files', at: new Date().toISOString(), events: 'files' };
}

/** The index of the user's files beside documents that are held in the memory of the process. */
export function createPlainFileIndex(
  all: PlainDocuments,
  keepXml: boolean,
  heldFor: (reference: DocumentReference) => Held | undefined,
): PlainFileIndex {
  const folders = new Map<string, Map<string, HeldFile>>();
  /** The files that gave a document or an event, by its identity. */
  const givers = { documents: new Map<string, Set<HeldFile>>(), events: new Map<string, Set<HeldFile>>() };

  const filesIn = (root: string, folder: string) => folders.get(folderOf(root, folder));
  const fileAt = ({ root, folder, name }: FilePlace) => filesIn(root, folder)?.get(name);
  const allFiles = () => [...folders.values()].flatMap((files) => [...files.values()]);
  const having = (kind: 'documents' | 'events', identity: string) => [...(givers[kind].get(identity) ?? [])];

  function give(kind: 'documents' | 'events', file: HeldFile, identity: string): void {
    file[kind].add(identity);
    const own = givers[kind].get(identity);
    if (own === undefined) givers[kind].set(identity, new Set([file]));
    else own.add(file);
  }

  function takeBack(kind: 'documents' | 'events', file: HeldFile, identity: string): void {
    file[kind].delete(identity);
    const own = givers[kind].get(identity);
    own?.delete(file);
    if (own?.size === 0) givers[kind].delete(identity);
  }

  /** What it gave is to be had by reading it again. */
  function takeBackForNow(kind: 'documents' | 'events', identity: string): void {
    for (const file of having(kind, identity)) {
      takeBack(kind, file, identity);
      file.isDue = true;
    }
  }

  function dropDocument(identity: string): void {
    const held = all.documents.get(identity);
    const others = having('documents', identity);
    if (held === undefined || others.some(({ root }) => root === '')) return;
    if (held.source === 'both' && others.length === 0) held.source = 'service';
    if (held.source !== 'files') return;
    takeBackForNow('documents', identity);
    all.remove(identity);
  }

  function dropEvent(identity: string): void {
    const event = all.events.get(identity);
    const others = having('events', identity);
    if (event === undefined || event.origin !== 'files' || others.some(({ root }) => root === '')) return;
    takeBackForNow('events', identity);
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
    for (const identity of documents) takeBack('documents', file, identity);
    for (const identity of events) takeBack('events', file, identity);
    for (const identity of documents) dropDocument(identity);
    for (const identity of events) dropEvent(identity);
  }

  function fileFor({ part }: PreparedPart): HeldFile {
    const { root, folder, name, size, changed, digest, isFirst, isLast, leftOut, givenUp } = part;
    const stamp = { size, changed, digest, leftOut, isDue: !isLast };
    const before = fileAt(part);
    if (before === undefined) {
      const file = {
        root,
        folder,
        name,
        ...stamp,
        givenUp,
        documents: new Set<string>(),
        events: new Set<string>(),
      };
      const files = filesIn(root, folder);
      if (files === undefined) folders.set(folderOf(root, folder), new Map([[name, file]]));
      else files.set(name, file);
      return file;
    }
    if (isFirst && root !== '') {
      if (digest === '' || before.digest !== digest || before.size !== size) drop(before);
      before.givenUp = [];
    }
    return Object.assign(before, stamp, { givenUp: [...before.givenUp, ...givenUp] });
  }

  function documentsOf(company: string): Held[] {
    const identities = givers.documents.keys();
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
      takeBackForNow('documents', identity);
    },
    forgetAll() {
      for (const all of [folders, givers.documents, givers.events]) all.clear();
    },
    isAsKnown: async (root, folder, listed) => isListed(filesIn(root, folder), listed),
    known: async (root, folder) => filesIn(root, folder) ?? new Map(),
    async folders() {
      const [...held] = folders.values();
      return held.flatMap((files) => [...files.values()].slice(0, 1)).filter(({ root }) => root !== '');
    },
    async take(parts, company) {
      const prepared = await prepareParts(parts, keepXml);
      const held = prepared.map(fileFor);
      for (const { company: owner, area, batch } of groupsOf(prepared, company)) {
        all.write(sightingOf(owner, area), batch, () => false);
      }
      const events = prepared.flatMap((one) => one.events);
      all.write(sightingOf('', 'nfe'), { documents: [], events }, () => false);
      for (const [index, { documents, events: own }] of prepared.entries()) {
        const file = held[index];
        if (file === undefined) continue;
        for (const { document } of documents) give('documents', file, document.row.identity);
        for (const { identity } of own) give('events', file, identity);
      }
    },
    async touch(touched) {
      for (const { size, changed, ...place } of touched) {
        const file = fileAt(place);
        if (file !== undefined) Object.assign(file, { size, changed, isDue: false });
      }
    },
    async forget(root, folder, names) {
      const files = filesIn(root, folder);
      for (const name of names ?? [...(files?.keys() ?? [])]) {
        const file = files?.get(name);
        files?.delete(name);
        if (file !== undefined) drop(file);
      }
      if (files?.size === 0) folders.delete(folderOf(root, folder));
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
      const listed = allFiles();
      return {
        files: listed.filter(({ root, name }) => root !== '' && name !== '').length,
        documents: documentsOf('').length,
        events: givers.events.size,
        left_out: leftOutOf(listed.map((file) => ({ ...file, tally: file.leftOut }))),
      };
    },
    async placesOf(reference) {
      const held = heldFor(reference);
      if (held === undefined) return [];
      return having('documents', held.document.row.identity).filter(({ root }) => root !== '');
    },
    async givenUp({ company, area }) {
      const numbers = allFiles().flatMap(({ givenUp }) => [...givenUp]);
      return numbers.filter((one) => one.company === company && one.area === area);
    },
  };
}
