import type { CallOptions, Connection, ToolResult } from './clients.ts';

/** Asks for a write's preview and then confirms it, as a person without forms does. */
export async function confirmed(
  connection: Pick<Connection, 'call'>,
  tool: string,
  args: Readonly<Record<string, unknown>>,
  options?: CallOptions,
): Promise<ToolResult> {
  const asked = await connection.call(tool, args);
  const token = asked.structured?.confirmation_token;
  if (typeof token !== 'string') throw new Error(`no token in: ${asked.text}`);
  return connection.call(tool, { ...args, confirmation_token: token }, options);
}
