import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import type { CallOptions, Connection, ToolResult } from './clients.ts';

/** Hosts cut or spill texts beyond this. Source: docs/tools.md, Results. */
const longestText = 50_000;

export type Answered = ToolResult & { readonly data: Readonly<Record<string, unknown>> };

/** The ways in which tests ask a server. */
export interface Asking {
  call(tool: string, args?: object, options?: CallOptions): Promise<ToolResult>;
  /** An answer, which must not be an error, in the form its tool advertises and small enough for every host. */
  ask(tool: string, args: object): Promise<Answered>;
  /** The words of a refusal, which comes without data. */
  refused(tool: string, args: object): Promise<string>;
  /** The preview of a write. */
  preview(tool: string, args: object): Promise<string>;
  /** A write after its preview and a yes, as a person without forms gives it. */
  confirmed(tool: string, args: object, options?: CallOptions): Promise<ToolResult>;
}

/** The links to documents among the blocks of an answer. */
export const linksIn = (content: ToolResult['content']) =>
  content.filter(({ type }) => type === 'resource_link');

/** Compiles the output schema of each tool once per process: no setting changes it. */
const ajv = new Ajv2020({ strict: false });
const schemas = new Map<unknown, object>();

/** Of a connection that may be another one for each test. */
export function askThrough(connection: () => Pick<Connection, 'call' | 'listTools'>): Asking {
  const call = (tool: string, args: object = {}, options?: CallOptions) =>
    connection().call(tool, { ...args }, options);
  const validatorOf = async (tool: string) => {
    if (!schemas.has(tool))
      for (const { name, outputSchema } of await connection().listTools())
        schemas.set(name, outputSchema as object);
    return ajv.compile(schemas.get(tool) ?? { not: {} });
  };
  const asked = async (tool: string, args: object) => {
    const result = await call(tool, args);
    expect(result.structured?.status, result.text).toBe('confirmation_required');
    return result.structured as { preview: string; confirmation_token: string };
  };
  return {
    call,
    async ask(tool, args) {
      const result = await call(tool, args);
      expect(result.isError, result.text).toBe(false);
      const validate = await validatorOf(tool);
      expect(validate(result.structured), JSON.stringify(validate.errors)).toBe(true);
      expect(result.text.length).toBeLessThan(longestText);
      return { ...result, data: result.structured ?? {} };
    },
    async refused(tool, args) {
      const { isError, structured, text } = await call(tool, args);
      expect({ isError, structured }, text).toEqual({ isError: true, structured: undefined });
      return text;
    },
    preview: async (tool, args) => (await asked(tool, args)).preview,
    async confirmed(tool, args, options) {
      const { confirmation_token } = await asked(tool, args);
      return call(tool, { ...args, confirmation_token }, options);
    },
  };
}
