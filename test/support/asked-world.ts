import type { Connection } from './clients.ts';
import { connectInProcess } from './in-process.ts';
import { fetchPlainly } from './independent-documents.ts';
import { startNovemberSandbox } from './november-sandbox.ts';
import type { TableQuestion, World } from './twenty-questions.ts';

const company = '48152036000117';
const now = Date.parse('2026-11-20T12:00:00-03:00');

/** What a question brought: every call's text, and the data of the last. */
export interface Told {
  readonly texts: readonly string[];
  readonly data: readonly Record<string, unknown>[];
}

/** The demo company, asked over a connection and read from the XML itself. */
export interface AskedWorld {
  readonly world: World;
  readonly connection: Connection;
  ask(question: TableQuestion): Promise<Told>;
  close(): Promise<void>;
}

/** Starts the demo company as of 2026-11-20, in the language of the product. */
export async function startAskedWorld(): Promise<AskedWorld> {
  const sandbox = await startNovemberSandbox();
  const env = { DFE_URL: sandbox.url, DFE_USER: 'demo', DFE_PASSWORD: 'demo', DFE_CNPJ: company };
  const connection = await connectInProcess('v2 modern', { env, now: () => now });
  const plainly = (kind: 'nfe' | 'nfse' | 'cte', from: string, to: string) =>
    fetchPlainly(sandbox.url, kind, { company, from, to });
  const world = {
    company,
    nfe: await plainly('nfe', '2026-07-01', '2026-09-30'),
    nfse: await plainly('nfse', '2026-07-01', '2026-09-30'),
    cte: await plainly('cte', '2026-07-01', '2026-09-30'),
    monthNfe: await plainly('nfe', '2026-10-01', '2026-10-31'),
    recentNfe: await plainly('nfe', '2026-08-13', '2026-11-20'),
  };
  return {
    world,
    connection,
    async ask(question) {
      const texts: string[] = [];
      const data: Record<string, unknown>[] = [];
      for (const { tool, args } of question.calls(world)) {
        const { isError, text, structured } = await connection.call(tool, args, { timeout: 60_000 });
        if (isError) throw new Error(text);
        texts.push(text);
        data.push(structured ?? {});
      }
      return { texts, data };
    },
    async close() {
      await connection.close();
      await sandbox.close();
    },
  };
}
