// The clients that a list is measured beside: each reads the same reply, keeps nothing, and is a process of its own, so
// that what it holds is not counted as ours.
//
// The service answers with a string in JSON that has XML in it, whose documents are texts again. So a client can stop
// at four places: when the bytes are characters; when the quoting of the string is off, piece by piece; when wrapper and
// documents are objects, by fast-xml-parser as who has no such program would write it, or by our own strict reader.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { XMLParser } from 'fast-xml-parser';
import { readDocuments } from '../src/documents/summary/read-document.ts';
import { createXmlReader } from '../src/documents/xml/xml.ts';
import { computed } from './computed.cjs';

/** Milliseconds: by the clock, and those that the main thread computed. */
export interface Time {
  readonly clock: number;
  readonly computed: number;
}

export async function timeOf(work: () => Promise<unknown>): Promise<Time> {
  const [began, before] = [performance.now(), computed()];
  await work();
  return { clock: performance.now() - began, computed: computed() - before };
}

/** Gives how much was read: documents, or characters where none are looked for. */
type Read = (url: string) => Promise<number>;

async function readPieces(url: string, made: (piece: string) => string): Promise<number> {
  const decoder = new TextDecoder();
  let length = 0;
  const { body } = await fetch(url);
  for await (const chunk of body ?? []) length += made(decoder.decode(chunk, { stream: true })).length;
  return length;
}

/** Takes the quotation marks and backslashes of one string in JSON off, piece by piece. */
function createUnquoting(): (piece: string) => string {
  let held = '';
  let isFirst = true;
  return (piece) => {
    const arrived = held + (isFirst ? piece.slice(1) : piece);
    isFirst = false;
    // An escape may be cut: at most six characters, behind a backslash that is not one itself.
    const cut = /(?<!\\)(?:\\\\)*\\(?:u[\da-f]{0,3})?$/i.exec(arrived.slice(-100));
    const end = arrived.length - (cut?.[0].length ?? 0);
    held = arrived.slice(end);
    const isLast = arrived.endsWith('"') && !arrived.endsWith('\\"');
    return JSON.parse(isLast ? `"${arrived}` : `"${arrived.slice(0, end)}"`);
  };
}

async function readWhole(url: string): Promise<string> {
  return (await (await fetch(url)).json()) as string;
}

const parser = new XMLParser({ ignoreAttributes: false, parseTagValue: false });

function objectsIn(wrapper: string): number {
  const contents: string | string[] = parser.parse(wrapper).retListaXml.retorno.Conteudo;
  const documents = [contents].flat();
  return documents.filter((text) => parser.parse(text).nfeProc.NFe.infNFe.emit !== undefined).length;
}

function summariesIn(wrapper: string): number {
  let [count, place, text] = [0, '', ''];
  const reader = createXmlReader({
    wantsText: true,
    open(name) {
      [place, text] = [name, ''];
      return undefined;
    },
    text(piece) {
      text += piece;
    },
    close() {
      if (place === 'Conteudo') count += readDocuments(text).length;
      place = '';
    },
  });
  reader.write(wrapper);
  reader.end();
  return count;
}

const clients = {
  characters: (url) => readPieces(url, (piece) => piece),
  text: (url) => readPieces(url, createUnquoting()),
  objects: async (url) => objectsIn(await readWhole(url)),
  summaries: async (url) => summariesIn(await readWhole(url)),
} satisfies Record<string, Read>;

export type Client = keyof typeof clients;

/** The clients' names, in the order they are to be asked in. */
export const clientNames = Object.keys(clients) as Client[];

/** As the table of a benchmark names them. */
export const called: Record<Client, string> = {
  characters: 'a client that decodes the bytes',
  text: 'a client that takes the quoting off as well',
  objects: 'a client that reads it with fast-xml-parser',
  summaries: 'a client that reads it with our reader',
};

/** What a client is told to do, and what it then tells. */
type Order = { readonly client: Client };
type Outcome = Time & { readonly count: number };

/** Starts this program as a process of its own, which ends with `stop`. */
export function startProcess(...given: readonly string[]): { child: ChildProcess; stop: () => void } {
  const child = spawn(process.execPath, [process.argv[1] ?? '', ...given], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  return { child, stop: () => child.disconnect() };
}

/** Starts a client, which reads the list each time it is asked to. */
export function startClient(client: Client, url: string) {
  const { child, stop } = startProcess('--read', url);
  const ended = once(child, 'exit').then((): never => {
    throw new Error(`${called[client]} ended`);
  });
  ended.catch(() => undefined);
  const read = async () => {
    const answer = once(child, 'message');
    child.send({ client } satisfies Order);
    const [outcome] = await Promise.race([answer, ended]);
    return outcome as Outcome;
  };
  return { read, stop };
}

/** What the process of a client does. */
export function readWhenAsked(url: string): void {
  process.on('message', async ({ client }: Order) => {
    let count = 0;
    const time = await timeOf(async () => {
      count = await clients[client](url);
    });
    process.send?.({ ...time, count } satisfies Outcome);
  });
  process.once('disconnect', () => process.exit(0));
}
