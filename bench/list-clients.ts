// The clients that a list is measured beside: each reads the same reply with fast-xml-parser, as a short script would, or
// with our own strict reader, keeps nothing, and is a process of its own, so that its memory isn't counted as ours.
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

/** Counts the documents it read. */
type Read = (url: string) => Promise<number>;

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
  objects: async (url) => objectsIn(await readWhole(url)),
  summaries: async (url) => summariesIn(await readWhole(url)),
} satisfies Record<string, Read>;

export type Client = keyof typeof clients;

/** The clients' names, in the order they are to be asked in. */
export const clientNames = Object.keys(clients) as Client[];

/** As the table of a benchmark names them. */
export const called: Record<Client, string> = {
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
