import * as z from 'zod';
import type { AccountObject, accountOperations } from '../clients/account/client.ts';
import { Refused } from '../clients/errors.ts';
import type { Answer, CallContext, Plan } from '../company/call-context.ts';
import { BadArguments } from '../company/failures.ts';
import { quotedExactly, visibleJson } from '../documents/untrusted.ts';
import type { Translator } from '../messages/index.ts';
import { isOpen, type Outcome } from '../writes/journal.ts';
import { ruleIssue, textAs, textThat } from './shared/arguments.ts';
import { sentences, writeTool } from './shared/definition.ts';
import {
  abortAfterGrace,
  confirmationToken,
  failedWrite,
  journaledWrite,
  writeOutcomeShape,
} from './shared/journaled-write.ts';
import { id } from './shared/parameters.ts';

const output = () =>
  z.object({
    ...writeOutcomeShape(),
    stored: z.record(z.string(), z.unknown()).optional().describe('The object as the service now stores it'),
    differences: z.array(z.string()).optional().describe('Where it differs from what was sent'),
  });

type Output = z.input<ReturnType<typeof output>>;

/** An ISO date or date-time without zone, sent as a date-time. Source: docs/upstream-services.md. */
const date = () =>
  textAs((text) => {
    const [, date, time] = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2}))?$/.exec(text.trim()) ?? [];
    const written = `${date}T${time ?? '00:00:00'}`;
    const parsed = new Date(`${written}Z`);
    const isReal = !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(written);
    return isReal ? written : ruleIssue('argument.account_date');
  })
    .optional()
    .describe('ISO date');

/** Characters; the preview must show every value in full. */
const LONGEST_FIELD = 10_000;

const text = () =>
  textThat((given) => given.length <= LONGEST_FIELD, ruleIssue('argument.too_long', { most: LONGEST_FIELD }));
const extensionSet = () =>
  textThat((given) => /^X-./.test(given), ruleIssue('argument.set_prefix'), text()).describe(
    'Begins with X-',
  );
const filled = () => textThat((given) => given.trim() !== '', ruleIssue('argument.name_or_value'), text());
const userId = () => z.int().min(1).optional().describe('User id');

/** A field of a stored object, which has the argument's name in camel case. */
interface Field {
  /** `data` must be given or cleared explicitly; `record` may be omitted. */
  readonly holds: 'data' | 'record';
  /** Alternative to this field: giving it makes this one unnecessary. */
  readonly excludedBy?: string;
  readonly schema: () => z.ZodType<AccountObject[string]>;
}

/** A tool that replaces an object of the account service as a whole. */
interface Replacing {
  readonly name: 'update_company_setting' | 'update_subscription';
  readonly description: string;
  readonly operation: keyof typeof accountOperations;
  /** What it replaces, and whose it is. */
  readonly kind: 'setting' | 'subscription';
  readonly owner: 'company' | 'account';
  /** By argument. */
  readonly fields: Readonly<Record<string, Field>>;
  /** Roles that may call the operation. Source: docs/upstream-services.md. */
  readonly roles: string;
}

/** The replacement that a call asks for, by arguments. */
interface Replacement extends Pick<Replacing, 'fields'> {
  readonly given: AccountObject;
  readonly clear: readonly string[];
}

const fieldName = (argument: string) =>
  argument.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** How a field is settled; undefined for one that is neither given nor cleared. */
function settled(name: string, { fields, given, clear }: Replacement) {
  const other = fields[name]?.excludedBy;
  if (given[name] !== undefined) return 'stored';
  // With neither of two given, clearing one clears both.
  if (clear.includes(name) || (other !== undefined && clear.includes(other))) return 'cleared';
  return other !== undefined && given[other] !== undefined ? 'excluded' : undefined;
}

/** The object to send. Omitting a field never clears stored data. Source: docs/writes.md, rule 3. @throws BadArguments */
function modelOf(replacement: Replacement, { say }: Translator): AccountObject {
  const { fields, given, clear } = replacement;
  const names = Object.keys(fields);
  const both = names.filter((name) => given[name] !== undefined && clear.includes(name));
  const lost = names.filter((name) => fields[name]?.holds === 'data' && !settled(name, replacement));
  const reasons = sentences(
    both.length > 0 && say('replacement.given_and_cleared', { fields: both.join(', ') }),
    lost.length > 0 && say('replacement.would_clear', { fields: lost.join(', ') }),
  );
  if (reasons.length > 0) throw new BadArguments(reasons);
  const sent = names.filter((name) => given[name] !== undefined || clear.includes(name));
  return Object.fromEntries(sent.map((name) => [fieldName(name), given[name] ?? null]));
}

/** Lines of the fields in a preview, and of those omitted. */
function fieldLines(replacement: Replacement, { say, tell }: Translator): string[] {
  const { fields, given } = replacement;
  const omitted = Object.keys(fields).filter((field) => !settled(field, replacement));
  const lines = Object.entries(fields).map(([field, { excludedBy: other = '' }]) => {
    const way = settled(field, replacement);
    return way && `- ${tell(`preview.${way}`, { field, value: quotedExactly(String(given[field])), other })}`;
  });
  const records = omitted.length > 0 && say('preview.records_omitted', { fields: omitted.join(', ') });
  return sentences(lines, records);
}

/** The service may return dates in another precision: `…T00:00:00` equals `…T00:00:00.000Z`. */
function isSame(field: string, sent: AccountObject[string], stored: AccountObject[string]): boolean {
  const isNothing = stored === null || stored === undefined;
  if (sent === null || isNothing) return sent === null && (isNothing || stored === '');
  const plain = (value: unknown) =>
    field.endsWith('Date') ? String(value).replace(/(T\d{2}:\d{2}:\d{2})(?:\.0+)?Z?$/, '$1') : String(value);
  return plain(sent) === plain(stored);
}

/** Where the stored object differs from the one sent. */
function differencesOf(model: AccountObject, stored: AccountObject, { say }: Translator): string[] {
  const shown = (value: unknown) => visibleJson(String(value ?? ''));
  return Object.entries(model)
    .filter(([field, sent]) => !isSame(field, sent, stored[field]))
    .map(([field, sent]) =>
      say('replacement.difference', { field, sent: shown(sent), stored: shown(stored[field]) }),
    );
}

interface Settled extends Answer<Output>, Outcome {}

/**
 * Declares a tool that plans a full replacement: refused if it would clear a field by omission, previewed field by
 * field, sent once after confirmation, and compared with the stored object.
 */
function replaceTool(replacing: Replacing) {
  const { name, description, kind, owner, fields, roles } = replacing;
  const ownerId = `${owner}_id`;
  const title = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)} id`;
  const input = () => {
    const shape = Object.fromEntries(Object.entries(fields).map(([field, { schema }]) => [field, schema()]));
    const clearable = Object.keys(fields).filter((field) => shape[field]?.safeParse(undefined).success);
    // Field names are validated when the call comes: as an enum they would cost tokens in every session.
    const isClearable = ruleIssue('argument.clearable', { choices: clearable.join(', ') });
    const clear = z.array(textThat((field) => clearable.includes(field), isClearable)).default([]);
    return z
      .strictObject({
        [ownerId]: id(title(owner)),
        id: id(title(kind)),
        ...shape,
        clear: clear.describe('Fields to clear on purpose'),
        confirmation_token: confirmationToken(),
      })
      .superRefine((args: Readonly<Record<string, unknown>>, context) => {
        if (args.subscription_type_id === undefined || args.subscription_description === undefined) return;
        context.addIssue({
          ...ruleIssue('argument.exclusive_subscription'),
          path: ['subscription_description'],
        });
      });
  };

  async function plan(
    { id: own, clear, ...args }: z.output<ReturnType<typeof input>>,
    context: CallContext,
  ): Promise<Plan<Output>> {
    const { company, translator, caller, deadline } = context;
    const { say } = translator;
    const given: AccountObject = args;
    await company.account();
    const { accountOperations } = await import('../clients/account/client.ts');
    const operation = accountOperations[replacing.operation];
    const ids = { owner: Number(given[ownerId]), id: own };
    // The path below the service's version names the object in the journal.
    const subject = operation.path
      .replace('/api/v2/', '')
      .replace(/\{\w+Id\}/, String(ids.owner))
      .replace('{id}', String(own));
    const named = say(`preview.subject_${kind}`, ids);
    const replacement = { fields, given, clear };
    const model = modelOf(replacement, translator);
    const { journal } = await company.writeGuards();
    const earlier = await journal.history({ subject });
    // A later success replaced the whole object and closes earlier writes.
    const open = earlier.slice(earlier.findLastIndex(({ state }) => state === 'done') + 1).filter(isOpen);

    /** A failure is a result, too, with advice after a refusal. */
    async function send(): Promise<Settled> {
      try {
        const client = await company.account();
        const ending = { signal: abortAfterGrace(caller), startBy: deadline.over };
        const stored = await client[replacing.operation](ids.owner, own, model, ending);
        const differences = differencesOf(model, stored, translator);
        const text = [
          say('replacement.done', { stored: visibleJson(stored) }),
          ...differences.map((one) => `⚠ ${one}`),
        ];
        return { status: 'done', structured: { status: 'done', stored, differences }, text };
      } catch (error) {
        const { status, words: message } = failedWrite(error, translator);
        const code = status === 'refused' && error instanceof Refused ? error.refusal.status : undefined;
        const words = sentences(
          message,
          (code === 401 || code === 403) && say('replacement.roles', { roles }),
          code === 404 && say('replacement.check_ids', { subject: named }),
        ).join(' ');
        return { status, message, structured: { status }, text: [say(`replacement.${status}`, { words })] };
      }
    }

    return {
      preview: sentences(
        say('preview.replace', { subject: named }),
        fieldLines(replacement, translator),
        open.map(({ at }) => say('journal.unknown_change', { subject, at: translator.moment(at) })),
      ),
      rests_on: { model, earlier: earlier.map((entry) => [entry.id, entry.state]) },
      async perform() {
        const write = {
          intent: { tool: name, service: 'account', operation: operation.name, subject, args: model },
          scope: { subject },
          known: earlier,
          send,
          outcomesOf: ({ status, message }: Settled) => [{ status, message }],
        } as const;
        const answered = await journaledWrite(write, context);
        if (answered !== undefined) return answered;
        const words = say('replacement.still_awaited');
        return { structured: { status: 'unknown' }, text: [say('replacement.unknown', { words })] };
      },
    };
  }

  return writeTool({ name, group: 'account', kind: 'replace', description, input, output, plan });
}

const recordFields: Readonly<Record<string, Field>> = {
  modified_date: { holds: 'record', schema: date },
  modified_user_id: { holds: 'record', schema: userId },
};

export const updateCompanySetting = replaceTool({
  name: 'update_company_setting',
  description:
    'Replace a company setting as a whole; every data field is given or named in clear. Previews first.',
  operation: 'updateSetting',
  kind: 'setting',
  owner: 'company',
  fields: {
    set: { holds: 'data', schema: extensionSet },
    name: { holds: 'data', schema: () => filled().describe('Name') },
    value: { holds: 'data', schema: () => text().optional().describe('Value') },
    ...recordFields,
  },
  roles:
    'AccountAdmin, TaxOnlyAccountAdmin, TaxOnlyCompanyAdmin, BatchServiceAdmin, CompanyAdmin, CSPTester, ProStoresOperator, Registrar, ReturnsOnlyAccountAdmin, ReturnsOnlyCompanyAdmin, SiteAdmin, SSTAdmin, SystemAdmin, TechnicalSupportAdmin',
});

export const updateSubscription = replaceTool({
  name: 'update_subscription',
  description:
    'Replace an account subscription as a whole; every data field is given or named in clear. Previews first.',
  operation: 'updateSubscription',
  kind: 'subscription',
  owner: 'account',
  fields: {
    subscription_type_id: {
      holds: 'data',
      excludedBy: 'subscription_description',
      schema: () => z.int().min(1).optional().describe('This or the description'),
    },
    subscription_description: {
      holds: 'data',
      excludedBy: 'subscription_type_id',
      schema: () => filled().optional().describe('This or the type'),
    },
    effective_date: { holds: 'data', schema: date },
    end_date: { holds: 'data', schema: date },
    created_date: { holds: 'record', schema: date },
    created_user_id: { holds: 'record', schema: userId },
    ...recordFields,
  },
  roles: 'BatchServiceAdmin, Registrar, SiteAdmin, SSTAdmin, SystemAdmin, TechnicalSupportAdmin',
});
