import * as z from 'zod';
import type { CallContext } from '../../company/call-context.ts';
import { BadArguments } from '../../company/failures.ts';
import { eventNames } from '../../documents/events/manifestation.ts';
import { ruleIssue, textThat } from './arguments.ts';

/** Arguments shared by the event tools. */
export const eventArgument = () => z.enum(eventNames).describe('Manifestation event');
export const justification = () =>
  z.string().optional().describe('15-255 characters; required for nao_realizada');
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Text that can be sent verbatim. */
const wholeText = () =>
  textThat((text) => !LONE_SURROGATE.test(text), ruleIssue('argument.broken_character'), z.string().min(1));

export const rawEvent = () => wholeText().optional().describe('Instead of the others: sent as is');

/** Error for a missing required argument. */
export function missing(argument: string, { translator }: CallContext): BadArguments {
  return new BadArguments([translator.say('argument.missing', { argument })]);
}

/** @throws BadArguments for arguments beside the raw event */
export function onlyRaw(
  raw: string,
  others: Readonly<Record<string, unknown>>,
  { translator }: CallContext,
): string {
  const also = Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (also.length === 0) return raw;
  throw new BadArguments([translator.say('argument.raw_alone', { others: also.join(', ') })]);
}
