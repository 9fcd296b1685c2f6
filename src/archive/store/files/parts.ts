import { setImmediate as letOthersRun } from 'node:timers/promises';
import { plainId } from '../../../documents/summary/parties.ts';
import type { DocumentSummary } from '../../../documents/summary/summary.ts';
import type { FiledDocument } from '../../files/reading/documents-in-text.ts';
import { boundYoungSpace } from '../../heap.ts';
import type { DocumentArea } from '../../scope.ts';
import { type PreparedEvent, prepareEvent } from '../write/events.ts';
import type { Batch } from '../write/incoming.ts';
import { type PreparedDocument, prepareDocument } from '../write/prepare.ts';
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

/** Puts what a part gave into the form it is stored in; `prepared` is waited for after each document of it. */
async function preparePart(
  part: ReadPart,
  keepXml: boolean,
  prepared: () => Promise<void> | undefined,
): Promise<PreparedPart> {
  const documents: Prepared[] = [];
  const events: PreparedEvent[] = [];
  for (const filed of part.documents) {
    if (filed.summary.kind === 'event') events.push(prepareEvent(filed, keepXml));
    else documents.push(prepareFiled(filed, keepXml));
    await prepared();
  }
  return { part, documents, events };
}

function prepareFiled(filed: FiledDocument, keepXml: boolean): Prepared {
  const area = areaOf(filed.summary);
  return { area, document: prepareDocument(area, filed, keepXml) };
}

/** Documents made ready without letting others run. */
const stride = 20;

/** The same of several parts, each of which may hold thousands of documents. */
export async function prepareParts(parts: readonly ReadPart[], keepXml: boolean): Promise<PreparedPart[]> {
  const prepared: PreparedPart[] = [];
  let documents = 0;
  const rest = (): Promise<void> | undefined => {
    documents += 1;
    if (documents % stride !== 0) return undefined;
    boundYoungSpace();
    return letOthersRun();
  };
  for (const part of parts) prepared.push(await preparePart(part, keepXml, rest));
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
