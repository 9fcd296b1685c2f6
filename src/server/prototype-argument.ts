import { isObject } from '../documents/untrusted.ts';

const SWALLOWED = '__proto__';

/**
 * Renames an argument `__proto__`, which the protocol's schemas drop silently, so that validation refuses it as
 * unknown.
 */
export function withVisiblePrototype<M>(message: M): M {
  if (!isObject(message) || !isObject(message.params) || !isObject(message.params.arguments)) return message;
  const { params } = message;
  const given = message.params.arguments;
  if (!Object.hasOwn(given, SWALLOWED)) return message;
  const named = Object.entries(given).map(([name, value]) => [
    name === SWALLOWED ? `[${SWALLOWED}]` : name,
    value,
  ]);
  return { ...message, params: { ...params, arguments: Object.fromEntries(named) } };
}
