import { nfeXml } from '../../support/documents.ts';

/** How a generated list is wrapped: a JSON string, the XML string wrapper, or documents side by side. */
const wrappings = {
  json: { edge: ['"', '"'], write: (text: string) => JSON.stringify(text).slice(1, -1) },
  wrapper: {
    edge: ['<string xmlns="http://schemas.microsoft.com/2003/10/Serialization/">', '</string>'],
    write: (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  },
  'side-by-side': { edge: ['', ''], write: (text: string) => text },
} as const;

export type Wrapping = keyof typeof wrappings;

/** So many items that 20,000 documents are 441 MB. */
const ITEMS = 57;

/**
 * A list reply of so many different documents, numbered from the first on, made while it is read: an envelope with a
 * document in CDATA each, or these alone.
 */
export function* listReply(
  wrapping: Wrapping,
  documents: number,
  first = 1,
  items = ITEMS,
): Generator<string> {
  const { edge, write } = wrappings[wrapping];
  const isAlone = wrapping === 'side-by-side';
  yield edge[0];
  if (!isAlone) yield write('<retListaXml versao="1.00"><cStat>100</cStat><xMotivo>OK</xMotivo><retorno>');
  for (let number = first; number < first + documents; number++) {
    const note = nfeXml({ number, items, day: '2026-09-01' });
    const place = `<vIntegridade>1</vIntegridade><Conteudo><![CDATA[<?xml version="1.0"?>${note}]]></Conteudo>`;
    yield write(isAlone ? note : place);
  }
  if (!isAlone) yield write('</retorno></retListaXml>');
  yield edge[1];
}
