import { NotUnderstood, OutcomeUnknown, Refused } from '../errors.ts';
import type { Redact } from './redact.ts';

/** An error without secrets in the service's words: those a reader passes on are not looked at elsewhere. */
export function redactedError(error: unknown, redact: Redact): unknown {
  if (error instanceof NotUnderstood) {
    return new NotUnderstood(error, error.reason, { ...error.reply, start: redact(error.reply.start) });
  }
  if (error instanceof Refused) {
    const { message, code } = error.refusal;
    return new Refused(error, {
      ...error.refusal,
      message: message === undefined ? undefined : redact(message),
      code: code === undefined ? undefined : redact(code),
    });
  }
  if (error instanceof OutcomeUnknown) {
    const cause = redactedError(error.cause, redact);
    return cause instanceof NotUnderstood || cause instanceof Refused ? new OutcomeUnknown(cause) : error;
  }
  return error;
}
