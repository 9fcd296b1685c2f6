import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import type { ToolResult } from './clients.ts';
import { type ConfiguredServer, startConfigured } from './configured-server.ts';
import { emptyReply } from './documents.ts';
import { json, type Responder } from './recording-upstream.ts';

/** Hosts cut or spill texts beyond this. Source: docs/tools.md, Results. */
const longestText = 50_000;

/** Answers everything with one reply. */
export const saying =
  (reply: unknown): Responder =>
  (_request, response) =>
    json(response, reply);

export interface AskedServer extends ConfiguredServer {
  /** Calls a tool and expects an answer in the form it advertises, small enough for every host. */
  ask(tool: string, args: object, respond: Responder): Promise<ToolResult>;
}

/** A configured server whose answers are held against its own output schemas. */
export async function startAsked(): Promise<AskedServer> {
  const program = await startConfigured({ respond: saying(emptyReply) });
  const ajv = new Ajv2020({ strict: false });
  const tools = await program.listTools();
  // The service answers each question of a test as that test says: nothing from an earlier one may stand in for it.
  const refreshed = new Set(
    tools.flatMap(({ name, inputSchema }) =>
      JSON.stringify(inputSchema).includes('"refresh"') ? [name] : [],
    ),
  );
  const validators = new Map(
    tools.map(({ name, outputSchema }) => [name, ajv.compile(outputSchema as object)]),
  );
  return {
    ...program,
    async ask(tool, args, respond) {
      program.upstream.respond(respond);
      const result = await program.call(tool, { ...(refreshed.has(tool) && { refresh: true }), ...args });
      expect(result.isError, result.text).toBe(false);
      const validate = validators.get(tool);
      expect(validate?.(result.structured), JSON.stringify(validate?.errors)).toBe(true);
      expect(result.text.length).toBeLessThan(longestText);
      return result;
    },
  };
}
