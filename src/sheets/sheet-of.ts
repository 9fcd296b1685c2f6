import { elementAt, readTree, type XmlElement } from '../documents/xml/tree.ts';
import { dacteBlocks, dacteHead } from './dacte.ts';
import { danfeBlocks, danfeHead } from './danfe.ts';
import { danfseBlocks, danfseHead } from './danfse.ts';
import { mirrorBlocks, mirrorHead } from './mirror.ts';
import type { Sheet } from './sheet.ts';
import { type DrawnDocument, footOf, marksOf } from './standing.ts';

type Drawn = Pick<Sheet, 'form' | 'head' | 'blocks'>;

/** An element of the document, whether the file begins with it, its owner or the process. */
function contentOf(tree: XmlElement, name: string, owners: readonly string[]): XmlElement | undefined {
  if (tree.name === name) return tree;
  const places = [name, ...owners.map((owner) => `${owner}/${name}`)];
  for (const place of places) {
    const found = elementAt(tree, place);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function nfe(tree: XmlElement): Promise<Drawn | undefined> {
  const note = contentOf(tree, 'infNFe', ['NFe']);
  if (note === undefined) return undefined;
  const protocol = elementAt(tree, 'protNFe/infProt');
  const head = danfeHead(note, contentOf(tree, 'infNFeSupl', ['NFe']));
  return { form: 'danfe', head, blocks: await danfeBlocks(note, protocol) };
}

const CTE_ROOTS = ['CTe', 'CTeOS', 'CTeSimp'];

function cte(tree: XmlElement): Drawn | undefined {
  const document = contentOf(tree, 'infCte', CTE_ROOTS);
  if (document === undefined) return undefined;
  const protocol = elementAt(tree, 'protCTe/infProt');
  const head = dacteHead(document, contentOf(tree, 'infCTeSupl', CTE_ROOTS));
  return { form: 'dacte', head, blocks: dacteBlocks(document, protocol) };
}

function national(tree: XmlElement): Drawn | undefined {
  const note = contentOf(tree, 'infNFSe', ['NFSe']);
  return note && { form: 'danfse', head: danfseHead(note), blocks: danfseBlocks(note) };
}

function mirror({ summary }: DrawnDocument, tree: XmlElement): Drawn {
  const title = tree.name === 'DPS' ? 'Espelho da DPS' : 'Espelho da NFS-e';
  return { form: 'mirror', head: mirrorHead(summary, title), blocks: mirrorBlocks(summary, tree) };
}

/** The sheet of a document; undefined for an event or a summary. Throws an XmlError for malformed text. */
export async function sheetOf(document: DrawnDocument): Promise<Sheet | undefined> {
  const { kind } = document.summary;
  if (kind === 'event' || kind === 'summary') return undefined;
  const tree = readTree(document.xml);
  const drawn = (await nfe(tree)) ?? cte(tree) ?? national(tree) ?? mirror(document, tree);
  return { ...drawn, marks: marksOf(document, tree), foot: footOf(document) };
}
