import { type Call, NotUnderstood } from '../errors.ts';
import { collect } from '../http/body.ts';
import type { HttpReply } from '../http/call.ts';
import { sketchReply } from '../http/sketch.ts';
import type { AccountOperation, ModelOf } from './operations.ts';

/**
 * Reads what the service says is now stored. Fields that the model does not have are left out.
 *
 * @param ids the path's ids: the reply must be about the same object
 * @throws NotUnderstood when the reply is not that object
 */
export async function readStored<O extends AccountOperation>(
  call: Call,
  operation: O,
  ids: Readonly<Record<string, number>>,
  reply: HttpReply,
): Promise<ModelOf<O>> {
  const bytes = await collect(reply.body);
  const problem = (reason: string): NotUnderstood =>
    new NotUnderstood(call, reason, sketchReply(bytes, bytes.length, reply.redact));

  const fields = fieldsOf(operation, parseJson(bytes));
  if (!fields) throw problem('no JSON object');
  if (fields.id !== ids.id || (fields[operation.owner] ?? ids[operation.owner]) !== ids[operation.owner]) {
    throw problem('another object');
  }
  if (!isModel(operation, fields)) throw problem('a field of another type');
  return fields;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

function fieldsOf(operation: AccountOperation, value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(operation.fields, name)));
}

function isModel<O extends AccountOperation>(
  operation: O,
  fields: Record<string, unknown>,
): fields is ModelOf<O> {
  return Object.entries(operation.fields).every(([name, type]) => {
    const value = fields[name] ?? undefined;
    return (
      value === undefined || (type === 'integer' ? Number.isSafeInteger(value) : typeof value === 'string')
    );
  });
}
