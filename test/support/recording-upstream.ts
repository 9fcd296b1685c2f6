import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endsBehindTests } from './ending.ts';

/** A request as received. */
export interface SeenRequest {
  readonly method: string;
  /** Path as sent, still encoded. */
  readonly path: string;
  /** The query as sent, still encoded. */
  readonly rawQuery: string;
  /** Names and decoded values in the order sent. */
  readonly query: readonly (readonly [string, string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type Responder = (
  request: SeenRequest,
  response: ServerResponse,
  count: number,
) => void | Promise<void>;

export type RecordingUpstream = Awaited<ReturnType<typeof startRecordingUpstream>>;

function decode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

async function readRequest(message: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  const target = message.url ?? '';
  const mark = target.indexOf('?');
  const [path, rawQuery] = mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
  const query =
    rawQuery === ''
      ? []
      : rawQuery.split('&').map((pair) => {
          const [name = '', ...value] = pair.split('=');
          return [decode(name), decode(value.join('='))] as const;
        });
  const headers = Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [name, String(value)]),
  );
  return {
    method: message.method ?? '',
    path,
    rawQuery,
    query,
    headers,
    body: Buffer.concat(chunks).toString(),
  };
}

/** The days that a list is asked for, `YYYY-MM-DD`; empty texts in any other request. */
export function daysAsked({ query }: SeenRequest): Record<'from' | 'to', string> {
  const asked = new Map(query);
  const day = (name: string) => asked.get(name)?.split('/').reverse().join('-') ?? '';
  return { from: day('dataDe'), to: day('dataAte') };
}

/** A JSON reply, as ASP.NET gives it. */
export function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(value));
}

/** What a service says that does not have a note. */
export const noteNotThere =
  '<retDownloadNFe versao="1.00"><cStat>217</cStat><xMotivo>NF-e nao consta na base</xMotivo></retDownloadNFe>';

/** For tests of sent events: a note that is requested before an event is reported as missing at once. */
export interface UpstreamOptions {
  /** False: notes asked for by key are not there, and such requests are not recorded. */
  readonly hasNotes?: boolean;
}

/** A plain server that records requests and answers as the test configures. Not the sandbox, on purpose. */
export async function startRecordingUpstream(
  responder: Responder,
  { hasNotes = true }: UpstreamOptions = {},
) {
  const seen: SeenRequest[] = [];
  let answer = responder;
  const asksForNote = ({ path }: SeenRequest) => path.endsWith('Mercadoria/DownloadXml');
  const server: Server = createServer((message, response) => {
    response.on('error', () => undefined);
    readRequest(message).then(
      async (request) => {
        if (!hasNotes && asksForNote(request)) return json(response, noteNotThere);
        seen.push(request);
        await answer(request, response, seen.length);
      },
      () => response.destroy(),
    );
  });
  // Its clients decide how long a connection is kept: a busy test must not find it dropped.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = endsBehindTests(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    /** Replaces the answers from now on. */
    respond(next: Responder) {
      answer = next;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
