import { setImmediate as letOthersRun } from 'node:timers/promises';
import { plainId } from '../../../documents/summary/parties.ts';
import type { DocumentSummary } from '../../../documents/summary/summary.ts';
import type { DocumentArea } from '../../scope.ts';
import { type PreparedEvent, prepareEvent } from '../../write/events.ts';
import type { Batch } from '../../write/incoming.ts';
import { type PreparedDocument, prepareDocument } from '../../write/prepare.ts';
import type { ReadPart } from './file-index.ts';

/** A document as a file gave it, ready to be written. */
interface Prepared {
  readonly area: DocumentArea;
  readonly document: PreparedDocument;
}

/** What a part gave, by the identities of its documents and events. */
export interface PreparedPart {
  readonly part: ReadPart;
  readonly documents: readonly Prepared[];
  readonly events: readonly PreparedEvent[];
}

function areaOf({ kind }: DocumentSummary): DocumentArea {
  if (kind === 'nfse') return 'nfse';
  return kind === 'cte' || kind === 'cteos' ? 'cte' : 'nfe';
}

/** Documents made ready without letting others run. */
const stride = 20;

/** Puts what parts gave into the form it is stored in; each may hold thousands of documents. */
export async function prepareParts(parts: readonly ReadPart[], keepXml: boolean): Promise<PreparedPart[]> {
  const prepared: PreparedPart[] = [];
  let count = 0;
  for (const part of parts) {
    const documents: Prepared[] = [];
    const events: PreparedEvent[] = [];
    for (const filed of part.documents) {
      const area = areaOf(filed.summary);
      if (filed.summary.kind === 'event') events.push(prepareEvent(filed, keepXml));
      else documents.push({ area, document: prepareDocument(area, filed, keepXml) });
      count += 1;
      if (count % stride === 0) await letOthersRun();
    }
    prepared.push({ part, documents, events });
  }
  return prepared;
}

/** The tax ids that a document names: whoever has one of them may ask about it. */
export function partiesOf({ parties }: PreparedDocument): string[] {
  const ids = parties
    .filter(({ id_type }) => id_type !== 'foreign')
    .map((party) => plainId(party) ?? '')
    .filter((id) => /^[0-9A-Z]{14}$|^\d{11}$/.test(id));
  return [...new Set(ids)];
}

/** Documents that are written together: of one kind, and placed for the company or for nobody yet. */
export function groupsOf(parts: readonly PreparedPart[], company: string | undefined) {
  const groups = new Map<
    string,
    { company: string; area: DocumentArea; batch: Batch & { documents: PreparedDocument[] } }
  >();
  for (const { documents } of parts) {
    for (const { area, document } of documents) {
      const owner = company !== undefined && partiesOf(document).includes(company) ? company : '';
      const name = `${owner} ${area}`;
      const group = groups.get(name) ?? { company: owner, area, batch: { documents: [], events: [] } };
      group.batch.documents.push(document);
      groups.set(name, group);
    }
  }
  return [...groups.values()];
}
