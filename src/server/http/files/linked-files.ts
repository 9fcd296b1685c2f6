import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { CallContext, FileLinks, MadeFile } from '../../../company/call-context.ts';
import type { Company } from '../../../company/company.ts';
import { startDeadline, withinCall } from '../../../company/deadline.ts';
import { explainFailure, Unfulfilled } from '../../../company/failures.ts';
import { firstOf } from '../../../company/request-metrics.ts';
import { checkTaxId } from '../../../documents/identity/tax-ids.ts';
import { tools } from '../../../tools/index.ts';
import { checkArguments } from '../../../tools/shared/arguments.ts';
import type { LinksOf } from '../../tool-calls.ts';
import type { Caller } from '../identity.ts';
import { createFileCache, type FileCache, type OpenFile, openFile } from './file-cache.ts';
import type { Linked, SealedLinks } from './sealed-links.ts';

/** Creates and answers file links. */
export interface LinkedFiles {
  /** Creates links for a caller. */
  linksFor(caller: Caller): LinksOf;
  /** @throws LinkRefused */
  open(token: string): Promise<Linked>;
  /** Responds with the file of an opened link, or in words why not. */
  answer(linked: Linked, company: Company, signal: AbortSignal): Promise<Response>;
}

export interface LinkedFilesOptions {
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

/** Headers that make a file a download and nothing else: its content is untrusted. */
const guarded = {
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; sandbox",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** A response for the person who followed a link. */
export function textResponse(status: number, words: string, headers: Record<string, string> = {}): Response {
  const type = { 'content-type': 'text/plain; charset=utf-8' };
  return new Response(`${words}\n`, { status, headers: { ...guarded, ...type, ...headers } });
}

function fileResponse(name: string, { size, body }: OpenFile): Response {
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

/** Arguments for repeating a call: without `refresh`, which the first call did, unless a cursor depends on it. */
function repeatable(args: Linked['args']): Linked['args'] {
  const { refresh: _, ...others } = args;
  return 'cursor' in args ? args : others;
}

/** Companies that a link depends on: those of its call, or where it names none all that its caller had. */
function companiesOf(args: Linked['args'], { settings, companies = [] }: Company): readonly string[] {
  const named = [args.cnpj ?? settings.cnpj].flat().flatMap((one) => {
    const checked = typeof one === 'string' ? checkTaxId(one) : undefined;
    return checked?.ok ? [checked.value.id] : [];
  });
  return named.length > 0 ? named : companies;
}

/** Repeats the call of a link: the file it makes, or undefined when documents have to be fetched first. */
async function repeatCall(
  { tool: name, args, principal }: Linked,
  company: Company,
  cache: FileCache,
  signal: AbortSignal,
): Promise<MadeFile | undefined> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined || !('run' in tool)) return undefined;
  let made: MadeFile | undefined;
  const deadline = startDeadline();
  const context: CallContext = {
    company,
    translator: company.translator,
    signal: firstOf(signal, deadline.over),
    caller: signal,
    deadline,
    principal,
    hasViews: false,
    links: {
      folder: () => cache.folder(),
      async link(file) {
        made = file;
        return { url: '', expiresAt: new Date(0).toISOString() };
      },
    },
    progress: async () => undefined,
  };
  try {
    const checked = checkArguments(args, tool.input(), company.translator, () => []);
    await withinCall(tool.run(checked, context), context);
    return made;
  } finally {
    deadline.end();
  }
}

export function createLinkedFiles({ links, url, now }: LinkedFilesOptions): LinkedFiles {
  // Keyed by company: a reload with other rights or settings starts with an empty cache.
  const caches = new WeakMap<Company, FileCache>();
  const cacheOf = (company: Company): FileCache => {
    const cache =
      caches.get(company) ?? createFileCache(join(company.settings.dataDir, 'files'), LIFETIME_MS);
    caches.set(company, cache);
    return cache;
  };
  return {
    open: (token) => links.open(token),
    linksFor:
      ({ memberships }) =>
      ({ tool, args, principal, company }): FileLinks => ({
        async folder() {
          try {
            return await cacheOf(company).folder();
          } catch (error) {
            if (!(error instanceof Error) || !('code' in error)) throw error;
            throw new Unfulfilled('failure.not_prepared', { code: String(error.code) });
          }
        },
        async link(file) {
          const id = randomUUID();
          const { tenant } = company;
          const { name } = file;
          const holds = 'holds' in file ? file.holds : undefined;
          const expiresAt = Math.floor((now() + LIFETIME_MS) / 1000);
          cacheOf(company).keep(id, file);
          const given = repeatable(args());
          const companies = companiesOf(given, company);
          const linked = { tenant, principal, memberships, companies, tool, args: given, id, name, holds };
          const token = await links.seal(linked, expiresAt);
          return { url: `${url()}/files/${token}`, expiresAt: new Date(expiresAt * 1000).toISOString() };
        },
      }),
    async answer(linked, company, signal) {
      const { translator } = company;
      const cache = cacheOf(company);
      const refused = linked.companies.find((one) => !company.allows(one));
      if (refused !== undefined) {
        return textResponse(403, translator.say('failure.company_not_allowed', { company: refused }));
      }
      const kept = await cache.take(linked.id);
      if (kept !== undefined) return fileResponse(linked.name, kept);
      try {
        const made = await repeatCall(linked, company, cache, signal);
        if (made === undefined) {
          return textResponse(503, translator.say('files.link_not_yet'), { 'retry-after': '10' });
        }
        const isSame = !('holds' in made) || made.holds === linked.holds;
        const ready = isSame ? await openFile(made) : undefined;
        if (ready === undefined) return textResponse(409, translator.say('files.link_changed'));
        cache.keep(linked.id, made);
        return fileResponse(linked.name, ready);
      } catch (error) {
        const words = explainFailure(error, translator);
        if (words === undefined) throw error;
        return textResponse(502, words);
      }
    },
  };
}
