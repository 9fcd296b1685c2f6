import { expect } from 'vitest';
import type { Connection, ToolResult } from '../support/clients.ts';

/** As many as are sure to be answered within the time of a call, on a busy machine too. */
const MOST_AT_ONCE = 100;

/**
 * Gets so many tokens for one manifestation and gives all of them back, a hundred at once, in turn to each of the
 * servers.
 */
export async function spendAtOnce(
  servers: readonly [Connection, ...Connection[]],
  args: Readonly<Record<string, unknown>>,
  count: number,
): Promise<{ done: ToolResult[]; others: ToolResult[] }> {
  const tokens: unknown[] = [];
  for (let i = 0; i < count; i++) {
    const { structured } = await servers[0].call('manifest_nfe', args);
    expect(structured?.confirmation_token).toEqual(expect.any(String));
    tokens.push(structured?.confirmation_token);
  }
  const answers: ToolResult[] = [];
  while (tokens.length > 0)
    answers.push(
      ...(await Promise.all(
        tokens
          .splice(0, MOST_AT_ONCE)
          .map((confirmation_token, i) =>
            (servers[i % servers.length] ?? servers[0]).call('manifest_nfe', { ...args, confirmation_token }),
          ),
      )),
    );
  const isDone = ({ structured }: ToolResult) => structured?.status === 'done';
  return { done: answers.filter(isDone), others: answers.filter((one) => !isDone(one)) };
}
