import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { checkArguments } from '../../../mcp/arguments.ts';
import type { LinksOf } from '../../../mcp/register.ts';
import type { CallContext, FileLinks, MadeFile } from '../../../services/call-context.ts';
import { beginCallTime, withinCall } from '../../../services/call-time.ts';
import { explainFailure, Unfulfilled } from '../../../services/failures.ts';
import { firstOf } from '../../../services/observation.ts';
import type { Services } from '../../../services/services.ts';
import { tools } from '../../../tools/index.ts';
import type { Linked, SealedLinks } from './sealed-links.ts';
import { createShelf, type ReadyFile, readyFile, type Shelf } from './shelf.ts';

/** Hands out files by links. */
export interface FileDesk {
  readonly linksOf: LinksOf;
  /** @throws LinkRefused */
  open(token: string): Promise<Linked>;
  /** The file of a link that was opened, or in words why there is none. */
  answer(linked: Linked, services: Services, signal: AbortSignal): Promise<Response>;
}

export interface DeskOptions {
  readonly links: SealedLinks;
  /** The base address that clients use. */
  readonly url: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const LIFETIME_MS = 600_000;

const types: Readonly<Record<string, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
  zip: 'application/zip',
};

/** What keeps a file from being anything but a download: its content is by strangers. */
const guarded = {
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; sandbox",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** An answer for a person who followed a link. */
export function linkWords(status: number, words: string, headers: Record<string, string> = {}): Response {
  const type = { 'content-type': 'text/plain; charset=utf-8' };
  return new Response(`${words}\n`, { status, headers: { ...guarded, ...type, ...headers } });
}

function fileResponse(name: string, { size, body }: ReadyFile): Response {
  const safe = name.replace(/[^\w.+,() -]/g, '_');
  return new Response(body, {
    headers: {
      ...guarded,
      'content-type': types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
      'content-disposition': `attachment; filename="${safe}"`,
      'content-length': String(size),
    },
  });
}

/** What a call is made again with: what it asked for anew is there since, unless a cursor says since when. */
function repeatable(args: Linked['args']): Linked['args'] {
  const { refresh: _, ...others } = args;
  return 'cursor' in args ? args : others;
}

/** The call of a link, made again: what it makes, or undefined where it has to fetch something else first. */
async function makeAgain(
  { tool: name, args, principal }: Linked,
  services: Services,
  shelf: Shelf,
  signal: AbortSignal,
): Promise<MadeFile | undefined> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined || !('run' in tool)) return undefined;
  let made: MadeFile | undefined;
  const time = beginCallTime();
  const context: CallContext = {
    services,
    translator: services.translator,
    signal: firstOf(signal, time.over),
    caller: signal,
    time,
    principal,
    hasViews: false,
    links: {
      folder: () => shelf.folder(),
      async link(file) {
        made = file;
        return { url: '', expiresAt: new Date(0).toISOString() };
      },
    },
    progress: async () => undefined,
  };
  try {
    const checked = checkArguments(args, tool.input(), services.translator, () => []);
    await withinCall(tool.run(checked, context), context);
    return made;
  } finally {
    time.end();
  }
}

export function createFileDesk({ links, url, now }: DeskOptions): FileDesk {
  // On the services, so that what was made with rights and settings of before is not given out after a change of them.
  const shelves = new WeakMap<Services, Shelf>();
  const shelfOf = (services: Services): Shelf => {
    const shelf = shelves.get(services) ?? createShelf(join(services.settings.dataDir, 'files'), LIFETIME_MS);
    shelves.set(services, shelf);
    return shelf;
  };
  return {
    open: (token) => links.open(token),
    linksOf: ({ tool, args, principal, services }): FileLinks => ({
      async folder() {
        try {
          return await shelfOf(services).folder();
        } catch (error) {
          if (!(error instanceof Error) || !('code' in error)) throw error;
          throw new Unfulfilled('failure.not_prepared', { code: String(error.code) });
        }
      },
      async link(file) {
        const id = randomUUID();
        const { tenant } = services;
        const { name } = file;
        const holds = 'holds' in file ? file.holds : undefined;
        const expiresAt = Math.floor((now() + LIFETIME_MS) / 1000);
        shelfOf(services).keep(id, file);
        const linked = { tenant, principal, tool, args: repeatable(args()), id, name, holds };
        const token = await links.seal(linked, expiresAt);
        return { url: `${url()}/files/${token}`, expiresAt: new Date(expiresAt * 1000).toISOString() };
      },
    }),
    async answer(linked, services, signal) {
      const { translator } = services;
      const shelf = shelfOf(services);
      const kept = await shelf.take(linked.id);
      if (kept !== undefined) return fileResponse(linked.name, kept);
      try {
        const made = await makeAgain(linked, services, shelf, signal);
        if (made === undefined) {
          return linkWords(503, translator.say('files.link_not_yet'), { 'retry-after': '10' });
        }
        const isSame = !('holds' in made) || made.holds === linked.holds;
        const ready = isSame ? await readyFile(made) : undefined;
        if (ready === undefined) return linkWords(409, translator.say('files.link_changed'));
        shelf.keep(linked.id, made);
        return fileResponse(linked.name, ready);
      } catch (error) {
        const words = explainFailure(error, translator);
        if (words === undefined) throw error;
        return linkWords(502, words);
      }
    },
  };
}
