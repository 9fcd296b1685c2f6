import { expect } from 'vitest';
import type { RawProgram } from '../support/raw-program.ts';

/** Every line that was written is one message of the protocol. */
export function expectProtocolOnly(raw: RawProgram): void {
  const output = raw.stdout();
  expect(output.endsWith('\n')).toBe(true);
  for (const line of output.split('\n').slice(0, -1)) {
    expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  }
}

/** Messages of a client. */
export const listTools = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list', params: {} });

export function toolCall(id: number, name: string, args: object = {}) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } };
}
