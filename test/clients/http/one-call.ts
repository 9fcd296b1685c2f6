import { Unreachable } from '../../../src/clients/errors.ts';
import { createHttpClient } from '../../../src/clients/http/client.ts';

/** A program that makes one call to the address it is given, says what came of it, closes its client and ends. */
async function main(url: string): Promise<void> {
  const client = createHttpClient({ timeoutSeconds: 10, concurrency: 1, userAgent: 'one-call' });
  const call = { service: 'account', operation: 'OneCall', method: 'GET', url, kind: 'read' } as const;
  try {
    const body = await client.call(call, async (reply) => {
      let all = '';
      for await (const chunk of reply.body) all += Buffer.from(chunk).toString();
      return all;
    });
    process.stdout.write(JSON.stringify({ body }));
  } catch (error) {
    process.stdout.write(JSON.stringify({ code: error instanceof Unreachable ? error.code : String(error) }));
  }
  await client.close();
}

void main(process.argv[2] ?? '');
