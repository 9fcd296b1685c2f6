import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { EncryptJWT, errors, jwtDecrypt } from 'jose';
import { LRUCache } from 'lru-cache';
import type { CallContext, MadeFile } from '../../company/call-context.ts';
import type { Company } from '../../company/company.ts';
import { startDeadline, withinCall } from '../../company/deadline.ts';
import { explainFailure, Unfulfilled } from '../../company/failures.ts';
import { checkTaxId } from '../../documents/identity/tax-ids.ts';
import { tools } from '../../tools/index.ts';
import { checkArguments } from '../../tools/shared/arguments.ts';
import type { LinksOf } from '../tool-calls.ts';
import type { Caller } from './identity.ts';

/** Content of a link: a file made for a caller, and the call that made it. */
export interface Linked {
  readonly tenant: string;
  readonly principal: string;
  /** Entries of the tenants file that let the caller in; the link ends with them. */
  readonly memberships: readonly string[];
  readonly companies: readonly string[];
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Cache key in the replica that made the file. */
  readonly id: string;
  readonly name: string;
  /** Expected content of the file when another replica makes it. */
  readonly holds: string | undefined;
}

const LIFETIME_MS = 600_000;
/** Per tenant, so that another's files don't evict its own. */
const MOST_FILES = 200;
const MOST_BYTES_IN_MEMORY = 64 * 1024 ** 2;
/** Age of files that a killed process left behind, after which they are removed. */
const LEFT_BEHIND_MS = 3_600_000;

/** Separates links from other uses of the same key. */
const AUDIENCE = 'files';

const types: Readonly<Record<string, string>> = {
  csv: 'text/csv; charset=utf-8',
  html: 'text/html; charset=utf-8',
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

export function textResponse(status: number, words: string, headers: Record<string, string> = {}): Response {
  const type = { 'content-type': 'text/plain; charset=utf-8' };
  return new Response(`${words}\n`, { status, headers: { ...guarded, ...type, ...headers } });
}

/** A file as a download; undefined where it is gone from the disk. */
async function fileResponse(name: string, file: MadeFile): Promise<Response | undefined> {
  let size: number;
  let body: ConstructorParameters<typeof Response>[0];
  if ('bytes' in file) {
    size = file.bytes.length;
    body = Uint8Array.from(file.bytes);
  } else {
    const handle = await open(file.path).catch(() => undefined);
    if (handle === undefined) return undefined;
    size = (await handle.stat()).size;
    body = Readable.toWeb(handle.createReadStream()) as ReadableStream<Uint8Array>;
  }
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

/** Creates a folder for a new file and removes left-behind ones. @throws Unfulfilled where the system refuses */
async function newFolder({ settings }: Company): Promise<string> {
  const parent = join(settings.dataDir, 'files');
  const path = join(parent, randomUUID());
  await mkdir(path, { recursive: true, mode: 0o700 }).catch(({ code }: NodeJS.ErrnoException) => {
    throw new Unfulfilled('failure.not_prepared', { code: String(code) });
  });
  const removeLeftBehind = async (): Promise<void> => {
    for (const name of await readdir(parent)) {
      const { mtimeMs } = await stat(join(parent, name));
      if (Date.now() - mtimeMs > LEFT_BEHIND_MS)
        await rm(join(parent, name), { recursive: true, force: true });
    }
  };
  void removeLeftBehind().catch(() => undefined);
  return path;
}

/** A tenant's files until their links expire: saved ones in folders of their own, others in memory. */
const createFileCache = () =>
  new LRUCache<string, MadeFile>({
    max: MOST_FILES,
    maxSize: MOST_BYTES_IN_MEMORY,
    sizeCalculation: (file) => ('bytes' in file ? file.bytes.length + 1 : 1),
    ttl: LIFETIME_MS,
    ttlAutopurge: true,
    dispose(file) {
      if ('path' in file)
        void rm(dirname(file.path), { recursive: true, force: true }).catch(() => undefined);
    },
  });

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
  signal: AbortSignal,
): Promise<MadeFile | undefined> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined || !('run' in tool)) return undefined;
  let made: MadeFile | undefined;
  const deadline = startDeadline();
  const context: CallContext = {
    company,
    translator: company.translator,
    signal: AbortSignal.any([signal, deadline.over]),
    caller: signal,
    deadline,
    principal,
    hasViews: false,
    links: {
      folder: () => newFolder(company),
      async link(file) {
        made = file;
        return { url: '', expiresAt: new Date(0).toISOString() };
      },
    },
    isDue: () => false,
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

/**
 * Links to files as encrypted JWTs that hold the call: every replica with the key opens them and makes the file again,
 * and proxies that log URLs learn nothing.
 * @param key 32 bytes; every replica that has them opens the links of all
 * @param url the base address that clients use
 * @param now milliseconds since 1970
 */
export function createLinkedFiles(key: Uint8Array, url: () => string, now: () => number) {
  // By company: a reload with other rights or settings creates a new one, whose cache is empty.
  const caches = new WeakMap<Company, ReturnType<typeof createFileCache>>();
  const keptFiles = (company: Company) => {
    const cache = caches.get(company) ?? createFileCache();
    caches.set(company, cache);
    return cache;
  };
  return {
    /** A link's content, or the reason for refusing it: foreign or altered, or too old. */
    async open(token: string): Promise<Linked | 'unknown' | 'expired'> {
      try {
        const { payload } = await jwtDecrypt<{ linked: Linked }>(token, key, {
          audience: AUDIENCE,
          currentDate: new Date(now()),
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
          requiredClaims: ['exp'],
        });
        return payload.linked;
      } catch (error) {
        if (!(error instanceof errors.JOSEError)) throw error;
        return error instanceof errors.JWTExpired ? 'expired' : 'unknown';
      }
    },
    linksFor:
      ({ memberships }: Caller): LinksOf =>
      ({ tool, args, principal, company }) => ({
        folder: () => newFolder(company),
        async link(file) {
          const all = args();
          const { refresh: _, ...others } = all;
          // The first call refreshed; a repeated one need not, unless a cursor depends on it.
          const given = 'cursor' in all ? all : others;
          const id = randomUUID();
          keptFiles(company).set(id, file);
          const linked: Linked = {
            ...{ tenant: company.tenant, principal, memberships, companies: companiesOf(given, company) },
            ...{ tool, args: given, id, name: file.name, holds: 'holds' in file ? file.holds : undefined },
          };
          const expiresAt = Math.floor((now() + LIFETIME_MS) / 1000);
          const token = await new EncryptJWT({ linked })
            .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
            .setAudience(AUDIENCE)
            .setExpirationTime(expiresAt)
            .encrypt(key);
          return { url: `${url()}/files/${token}`, expiresAt: new Date(expiresAt * 1000).toISOString() };
        },
      }),
    /** Responds with the file of an opened link, or in words why not. */
    async answer(linked: Linked, company: Company, signal: AbortSignal): Promise<Response> {
      const { translator } = company;
      const refused = linked.companies.find((one) => !company.allows(one));
      if (refused !== undefined) {
        return textResponse(403, translator.say('failure.company_not_allowed', { company: refused }));
      }
      const kept = keptFiles(company).get(linked.id);
      const known = kept && (await fileResponse(linked.name, kept));
      if (known !== undefined) return known;
      try {
        const file = await repeatCall(linked, company, signal);
        if (file === undefined) {
          return textResponse(503, translator.say('files.link_not_yet'), { 'retry-after': '10' });
        }
        const isSame = !('holds' in file) || file.holds === linked.holds;
        const ready = isSame ? await fileResponse(linked.name, file) : undefined;
        if (ready === undefined) return textResponse(409, translator.say('files.link_changed'));
        keptFiles(company).set(linked.id, file);
        return ready;
      } catch (error) {
        const words = explainFailure(error, translator);
        if (words === undefined) throw error;
        return textResponse(502, words);
      }
    },
  };
}
