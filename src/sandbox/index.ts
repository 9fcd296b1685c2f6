import { once } from 'node:events';
import { accountCredentials, callAccountService } from './account-service.ts';
import { createBooks } from './data/books.ts';
import { momentOf } from './data/calendar.ts';
import { callDocumentsService, documentsCredentials } from './documents-service/routes.ts';
import { creditsOf, debitsOf } from './lists/assessment.ts';
import { efdOf } from './lists/efd.ts';
import { erpListOf, lastMonthOf } from './lists/listed.ts';
import { createHttpServer, jsonReply, type SandboxRequest } from './server.ts';

export interface SandboxOptions {
  readonly port?: number;
  /** The sandbox's clock, which also sets the last day of its year of documents; default the system's. */
  readonly now?: () => Date;
  /** Adds a company with about 100,000 documents a year, in the last position. */
  readonly large?: boolean;
  /** Longest list; longer ones are refused with `cStat` 999, which asks for a shorter period. Unlimited by default. */
  readonly maxDocumentsPerReply?: number;
}

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

/** Starts a sandbox on the loopback address; rejects if the port is taken. */
export async function startSandbox(options: SandboxOptions = {}) {
  const { port = 0, large = false, maxDocumentsPerReply, now = () => new Date() } = options;
  const books = createBooks('docfiscal', large, () => momentOf(now()));
  const service = { ...books, maxDocumentsPerReply };

  const answer = (request: SandboxRequest) => {
    const path = request.path.toLowerCase();
    if (path.startsWith('/api/v2/')) return callAccountService(request);
    if (path.startsWith('/api/')) return callDocumentsService(request, service);
    return jsonReply(404, { Message: 'No HTTP resource was found that matches the request URI.' });
  };

  const closing = new AbortController();
  const server = createHttpServer(answer, closing.signal);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the sandbox has no port');

  return {
    /** The base address of both services. */
    url: `http://127.0.0.1:${address.port}`,
    credentials: documentsCredentials,
    /** Alternative credentials. */
    account: accountCredentials,
    /** The account's companies, default first. */
    companies: books.companies,
    /** Lists of the last whole month from the first company's books, its ERP and the tax authority, with known faults. */
    lists() {
      const month = lastMonthOf(books);
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
