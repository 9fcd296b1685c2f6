import { RepliedWithUrl, readers } from '../../src/clients/documents/replies/index.ts';
import { UpstreamError } from '../../src/clients/errors.ts';
import { readEventRecords, readKeys, readList, replyOf, wrappings } from '../clients/replies/reply.ts';
import { accessKeys, nfeXml, pdfBytes } from '../support/documents.ts';
import type { Random } from './random.ts';

const keys = accessKeys(4);
const documents = [1, 2, 3].map((number) => nfeXml({ number }));
const record = { ChaveNFe: keys[0], Evento: '210210', Sucesso: 1, Mensagem: '135 - Evento registrado' };

const keyReplies = [
  `<ret><cStat>100</cStat><Quantidade>4</Quantidade><retorno>${keys.map((key) => `<ChaveNFe>${key}</ChaveNFe>`).join('')}</retorno></ret>`,
  JSON.stringify(keys.join(',')),
  JSON.stringify(keys),
  `<string>${keys.join(';')}</string>`,
  keys.join('\n'),
];
const documentReplies = wrappings.map(({ wrap }) => String(wrap(documents)));
const recordReplies = [
  JSON.stringify(record),
  JSON.stringify([record, record]),
  JSON.stringify(JSON.stringify(record)),
];

const otherReplies = [pdfBytes.toString('base64'), JSON.stringify('https://a/b?sig=x'), '"Conectado"', '12'];

/** The first bytes of packed files and encodings. */
const starts = [[0x1f, 0x8b, 8, 0], [0x50, 0x4b, 3, 4], [0xff, 0xfe], [0xef, 0xbb, 0xbf], []] as const;

const insertions = [
  ...'~"~\\~<~>~&~</x>~<x>~{~}~[~]~,~\u0000~\ufeff~ ~\n~0~9~A'.split('~'),
  ...'</NFe>~</nfeProc>~<NFe>~</retorno>~<![CDATA[~]]>~&lt;~%PDF-~null~\ud800~é~😀'.split('~'),
];

/** A few places of a text changed, cut out or put elsewhere. */
function changed(text: string, random: Random): string {
  let result = text;
  for (let left = 1 + random.below(4); left > 0; left -= 1) {
    const at = random.below(result.length + 1);
    const length = random.of([0, 0, 1, 2, 7, 60, 500]);
    const repeated = random.below(8) === 0 ? result.slice(at, at + random.below(200)) : random.of(insertions);
    result = result.slice(0, at) + repeated + result.slice(at + length);
  }
  return random.below(6) === 0 ? result.slice(0, random.below(result.length)) : result;
}

/** Undefined for an error that the reader may give; another one passes. */
async function result<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof UpstreamError || error instanceof RepliedWithUrl) return undefined;
    throw error;
  }
}

/** Letters and digits of a text, without those of the markup that XML joins text across. */
const digits = (text: string) => text.replace(/<!\[CDATA\[/g, '').replace(/[^0-9A-Z]/g, '');

/** Keys that stand nowhere in a text, be it with something between their digits. */
function inventedFor(found: readonly string[], text: string): string[] {
  const standing = digits(text);
  return found.filter((key) => !standing.includes(digits(key))).map((key) => `invented ${key}`);
}

async function faultsOfKeys(text: string): Promise<string[]> {
  const list = await result(readKeys(replyOf(text)));
  if (list === undefined) return [];
  const invented = inventedFor(list.keys, text);
  const isEmpty = list.keys.length + list.rejected.length + list.identifiers.length === 0;
  const isThere = keys.some((key) => text.includes(key));
  return isEmpty && isThere ? [...invented, 'nothing found, and keys are there'] : invented;
}

async function faultsOfDocuments(text: string): Promise<string[]> {
  const given: string[] = [];
  const list = await result(
    readList(replyOf(text), ({ summary }) => {
      if (summary.key !== undefined) given.push(summary.key);
    }),
  );
  if (list === undefined) return [];
  const invented = inventedFor(given, text);
  const isEmpty = list.count + list.unreadable.length === 0;
  return isEmpty && /<infNFe/.test(text) ? [...invented, 'nothing found, and documents are there'] : invented;
}

/** One round: a reply with something in it, changed; no crash, nothing invented, and never "nothing" where there is. */
export async function fuzzReplies(random: Random): Promise<string[]> {
  const kind = random.of(['keys', 'documents', 'others'] as const);
  const others = [...recordReplies, ...otherReplies];
  const text = changed(random.of({ keys: keyReplies, documents: documentReplies, others }[kind]), random);
  const told = (faults: readonly string[]) =>
    faults.map((fault) => `${fault}: ${JSON.stringify(text).slice(0, 2000)}`);
  try {
    const bytes = Buffer.from([...random.of(starts), ...Buffer.from(text, random.of(['utf8', 'latin1']))]);
    for (const read of Object.values(readers)) {
      await result<unknown>(read(replyOf(text)));
      await result<unknown>(read(replyOf(bytes)));
    }
    if (kind === 'keys') return told(await faultsOfKeys(text));
    if (kind === 'documents') return told(await faultsOfDocuments(text));
    const records = await result(readEventRecords(replyOf(text)));
    return records?.length === 0 && text.includes('"Sucesso"') ? told(['no record, and one is there']) : [];
  } catch (error) {
    return told([error instanceof Error ? `${error.stack}` : String(error)]);
  }
}
