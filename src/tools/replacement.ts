import { Refused } from '../clients/errors.ts';
import type { Answer, CallContext, Plan } from '../company/call-context.ts';
import { BadArguments } from '../company/failures.ts';
import { quotedExactly, visibleJson } from '../documents/untrusted.ts';
import { isOpen, type JournalEntry, type Outcome, type OutcomeStatus } from '../writes/journal.ts';
import { failedWrite, journaledWrite } from './shared/journaled-write.ts';

type Value = string | number;

export interface ReplacedField {
  readonly argument: string;
  readonly field: string;
  readonly value: Value | undefined;
  /** `data` must be given or cleared explicitly; `record` may be omitted. */
  readonly holds: 'data' | 'record';
  /** Alternative to this field: giving it makes this one unnecessary. */
  readonly excludedBy?: string;
}

export interface Replacement {
  readonly tool: string;
  /** Operation and path, for the journal. */
  readonly operation: string;
  readonly subject: string;
  readonly subjectWords: string;
  readonly fields: readonly ReplacedField[];
  readonly clear: readonly string[];
  readonly roles: string;
  send(model: Readonly<Record<string, Value | null>>): Promise<Readonly<Record<string, unknown>>>;
}

export interface ReplacementOutput {
  status: OutcomeStatus | 'confirmation_required' | 'partly';
  stored?: Record<string, unknown>;
  differences?: string[];
}

const namesOf = (fields: readonly ReplacedField[]) => fields.map(({ argument }) => argument).join(', ');

/** Omitting a field never clears stored data. Source: docs/writes.md, rule 3. */
function check(replacement: Replacement, { translator }: CallContext): void {
  const { fields, clear } = replacement;
  const both = fields.filter(({ argument, value }) => value !== undefined && clear.includes(argument));
  const isSettled = ({ value, argument }: ReplacedField) => value !== undefined || clear.includes(argument);
  const lost = fields.filter((one) => {
    const isExcluded = fields.some((other) => other.argument === one.excludedBy && isSettled(other));
    return one.holds === 'data' && !isSettled(one) && !isExcluded;
  });
  const reasons = [
    ...(both.length > 0 ? [translator.say('replacement.given_and_cleared', { fields: namesOf(both) })] : []),
    ...(lost.length > 0 ? [translator.say('replacement.would_clear', { fields: namesOf(lost) })] : []),
  ];
  if (reasons.length > 0) throw new BadArguments(reasons);
}

function modelOf({ fields, clear }: Replacement): Record<string, Value | null> {
  return Object.fromEntries(
    fields.flatMap(({ argument, field, value }): [string, Value | null][] => {
      if (value !== undefined) return [[field, value]];
      return clear.includes(argument) ? [[field, null]] : [];
    }),
  );
}

function preview(
  replacement: Replacement,
  earlier: readonly JournalEntry[],
  { translator }: CallContext,
): string[] {
  const { fields, clear } = replacement;
  const omitted = fields.filter(
    ({ holds, value, argument }) => holds === 'record' && value === undefined && !clear.includes(argument),
  );
  const lines = fields.flatMap((one) => {
    const { argument: field, value, excludedBy } = one;
    if (value !== undefined) {
      return [translator.say('preview.stored', { field, value: quotedExactly(String(value)) })];
    }
    const other = fields.find(({ argument }) => argument === excludedBy);
    // With neither given, clearing one clears both.
    const isClearedWithOther = other !== undefined && other.value === undefined;
    if (clear.includes(field) || isClearedWithOther) return [translator.say('preview.cleared', { field })];
    const isExcluded = one.holds === 'data' && excludedBy !== undefined;
    return isExcluded ? [translator.say('preview.excluded', { field, other: excludedBy })] : [];
  });
  return [
    translator.say('preview.replace', { subject: replacement.subjectWords }),
    ...lines.map((line) => `- ${line}`),
    ...(omitted.length > 0 ? [translator.say('preview.records_omitted', { fields: namesOf(omitted) })] : []),
    // A later success replaced the whole object and closes earlier writes.
    ...earlier
      .slice(earlier.findLastIndex(({ state }) => state === 'done') + 1)
      .filter(isOpen)
      .map(({ at }) =>
        translator.say('journal.unknown_change', { subject: replacement.subject, at: translator.moment(at) }),
      ),
  ];
}

/** The service may return dates in another precision: `…T00:00:00` equals `…T00:00:00.000Z`. */
function sameValue(field: string, sent: Value | null, stored: unknown): boolean {
  const isNothing = stored === null || stored === undefined;
  if (sent === null || isNothing) return sent === null && (isNothing || stored === '');
  const plain = (value: unknown) =>
    field.endsWith('Date') ? String(value).replace(/(T\d{2}:\d{2}:\d{2})(?:\.0+)?Z?$/, '$1') : String(value);
  return plain(sent) === plain(stored);
}

function differencesOf(
  model: Readonly<Record<string, Value | null>>,
  stored: Readonly<Record<string, unknown>>,
  { translator }: CallContext,
): string[] {
  return Object.entries(model)
    .filter(([field, sent]) => !sameValue(field, sent, stored[field]))
    .map(([field, sent]) =>
      translator.say('replacement.difference', {
        field,
        sent: visibleJson(String(sent ?? '')),
        stored: visibleJson(String(stored[field] ?? '')),
      }),
    );
}

/** Advice after a refusal by the account service. */
function advice(error: unknown, replacement: Replacement, { translator }: CallContext): string[] {
  const status = error instanceof Refused ? error.refusal.status : undefined;
  if (status === 401 || status === 403) {
    return [translator.say('replacement.roles', { roles: replacement.roles })];
  }
  return status === 404
    ? [translator.say('replacement.check_ids', { subject: replacement.subjectWords })]
    : [];
}

interface Settled {
  readonly outcome: Outcome;
  readonly answer: Answer<ReplacementOutput>;
}

function doneWith(
  stored: Readonly<Record<string, unknown>>,
  model: Readonly<Record<string, Value | null>>,
  context: CallContext,
): Settled {
  const differences = differencesOf(model, stored, context);
  const sentence = context.translator.say('replacement.done', { stored: visibleJson(stored) });
  return {
    outcome: { status: 'done' },
    answer: {
      structured: { status: 'done', stored, differences },
      text: [sentence, ...differences.map((one) => `⚠ ${one}`)],
    },
  };
}

function failedWith(error: unknown, replacement: Replacement, context: CallContext): Settled {
  const { status, words } = failedWrite(error, context.translator);
  const said = status === 'refused' ? [words, ...advice(error, replacement, context)] : [words];
  return {
    outcome: { status, message: words },
    answer: {
      structured: { status },
      text: [context.translator.say(`replacement.${status}`, { words: said.join(' ') })],
    },
  };
}

/**
 * Plans a full replacement: refused if it would clear a field by omission, previewed field by field, sent once after
 * confirmation, and compared with what the service stored.
 * @throws BadArguments
 */
export async function planReplacement(
  replacement: Replacement,
  context: CallContext,
): Promise<Plan<ReplacementOutput>> {
  check(replacement, context);
  const model = modelOf(replacement);
  const { tool, operation, subject } = replacement;
  const { journal } = await context.company.writeGuards();
  const earlier = await journal.history({ subject });
  return {
    preview: preview(replacement, earlier, context),
    rests_on: { model, earlier: earlier.map(({ id, state }) => [id, state]) },
    async perform() {
      const answered = await journaledWrite<Settled>(
        {
          intent: { tool, service: 'account', operation, subject, args: model },
          scope: { subject },
          known: earlier,
          send: () =>
            replacement.send(model).then(
              (stored) => doneWith({ ...stored }, model, context),
              (error: unknown) => failedWith(error, replacement, context),
            ),
          outcomesOf: ({ outcome }) => [outcome],
        },
        context,
      );
      if (answered !== undefined) return answered.answer;
      const words = context.translator.say('replacement.still_awaited');
      const text = [context.translator.say('replacement.unknown', { words })];
      return { structured: { status: 'unknown' }, text };
    },
  };
}
