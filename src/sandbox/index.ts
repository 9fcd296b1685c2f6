import { once } from 'node:events';
import { createAccountService, createAuthentication } from './account-service.ts';
import { createFaultQueue, createRequestLog } from './control.ts';
import { accountCredentials, documentsCredentials } from './credentials.ts';
import { createBooks } from './data/books.ts';
import { momentOf } from './data/calendar.ts';
import type { SandboxCompany } from './data/parties.ts';
import { createManifestations } from './documents-service/manifestations.ts';
import { callDocumentsService } from './documents-service/routes.ts';
import type { DocumentsService } from './documents-service/service.ts';
import { jsonReply } from './http.ts';
import { creditsOf, debitsOf } from './lists/assessment.ts';
import { efdOf } from './lists/efd.ts';
import { erpListOf } from './lists/erp.ts';
import { type ListFile, lastMonthOf } from './lists/listed.ts';
import { type Application, createHttpServer } from './server.ts';

export type { SandboxCompany } from './data/parties.ts';

export interface SandboxOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** `127.0.0.1` unless given. */
  readonly host?: string;
  /** Same seed, same documents. `docfiscal` unless given. */
  readonly seed?: string;
  /** The sandbox's clock, and with it the day on which its year of documents ends; the system's unless given. */
  readonly now?: () => Date;
  /** Adds a company with about 100,000 documents in the year, as the last one. */
  readonly large?: boolean;
  /** A list of more documents is refused with `cStat` 999, as it asks for too long a period; no limit unless given. */
  readonly maxDocumentsPerReply?: number;
}

/** A running stand-in for both services. */
export interface Sandbox {
  /** `http://127.0.0.1:PORT`, the base address of both services. */
  readonly url: string;
  /** What the documents service lets in. */
  readonly credentials: { readonly user: string; readonly password: string };
  /** What the account service lets in: any one of these. */
  readonly account: typeof accountCredentials & { readonly tokenUrl: string };
  /** The account's companies; the first one is a good default. */
  readonly companies: readonly SandboxCompany[];
  /** What the first company's books, its ERP and the tax authority say of the last whole month, with known faults. */
  lists(): ListFile[];
  /** Ends every connection and stops. */
  close(): Promise<void>;
}

/** Starts a sandbox; the promise is rejected where the port is taken. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, host = '127.0.0.1', seed = 'docfiscal' } = options;
  const clock = options.now ?? (() => new Date());
  const now = () => momentOf(clock());

  const books = createBooks(seed, options.large === true);
  const service: DocumentsService = {
    books,
    manifestations: createManifestations(books, now),
    now,
    maxDocumentsPerReply: options.maxDocumentsPerReply,
  };
  const authentication = createAuthentication(seed, now);
  const accountService = createAccountService(authentication);

  const application: Application = (request) => {
    const path = request.path.toLowerCase();
    if (path.startsWith('/api/v2/')) return accountService(request);
    if (path.startsWith('/api/')) return callDocumentsService(request, service);
    if (path === accountCredentials.oauth.tokenPath) return authentication.issueToken(request);
    return jsonReply(404, { Message: 'No HTTP resource was found that matches the request URI.' });
  };

  const closing = new AbortController();
  const server = createHttpServer(
    application,
    { faults: createFaultQueue(), log: createRequestLog() },
    closing.signal,
  );
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the sandbox has no port');
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;

  return {
    url,
    credentials: documentsCredentials,
    account: { ...accountCredentials, tokenUrl: url + accountCredentials.oauth.tokenPath },
    companies: books.companies,
    lists() {
      const [company] = books.companies;
      if (company === undefined) return [];
      const month = lastMonthOf(books, company, now());
      return [efdOf(month), debitsOf(month), creditsOf(month), erpListOf(month)];
    },
    async close() {
      if (!server.listening) return;
      closing.abort();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
