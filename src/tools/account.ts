import * as z from 'zod';
import { accountOperations } from '../clients/account/client.ts';
import { planReplacement, type ReplacedField } from './replacement.ts';
import { ruleIssue, textAs, textThat } from './shared/arguments.ts';
import { writeTool } from './shared/definition.ts';
import { abortAfterGrace, confirmationToken, writeOutcomeShape } from './shared/journaled-write.ts';
import { id } from './shared/parameters.ts';

/** Roles that may call the operations. Source: docs/upstream-services.md. */
const settingRoles =
  'AccountAdmin, TaxOnlyAccountAdmin, TaxOnlyCompanyAdmin, BatchServiceAdmin, CompanyAdmin, CSPTester, ProStoresOperator, Registrar, ReturnsOnlyAccountAdmin, ReturnsOnlyCompanyAdmin, SiteAdmin, SSTAdmin, SystemAdmin, TechnicalSupportAdmin';
const subscriptionRoles =
  'BatchServiceAdmin, Registrar, SiteAdmin, SSTAdmin, SystemAdmin, TechnicalSupportAdmin';

const output = () =>
  z.object({
    ...writeOutcomeShape(),
    stored: z.record(z.string(), z.unknown()).optional().describe('The object as the service now stores it'),
    differences: z.array(z.string()).optional().describe('Where it differs from what was sent'),
  });

/** An ISO date or date-time without zone, sent as a date-time. Source: docs/upstream-services.md. */
const accountDate = () =>
  textAs((text) => {
    const [, date, time] = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2}))?$/.exec(text.trim()) ?? [];
    const written = `${date}T${time ?? '00:00:00'}`;
    const parsed = new Date(`${written}Z`);
    const isReal = !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(written);
    return isReal ? written : undefined;
  }, ruleIssue('argument.account_date'));

/** Field names are validated when the call comes: as an enum they would cost tokens in every session. */
function clearList(fields: readonly string[]) {
  const issue = ruleIssue('argument.clearable', { choices: fields.join(', ') });
  const field = textThat((name) => fields.includes(name), issue);
  return z.array(field).default([]).describe('Fields to clear on purpose');
}

/** Characters; the preview must show every value in full. */
const LONGEST_FIELD = 10_000;

const shownWhole = () =>
  textThat((text) => text.length <= LONGEST_FIELD, ruleIssue('argument.too_long', { most: LONGEST_FIELD }));

const extensionSet = () =>
  textThat((text) => /^X-./.test(text), ruleIssue('argument.set_prefix'), shownWhole()).describe(
    'Begins with X-',
  );

const filled = () =>
  textThat((text) => text.trim() !== '', ruleIssue('argument.name_or_value'), shownWhole());

const date = () => accountDate().optional().describe('ISO date');
const userId = () => z.int().min(1).optional().describe('User id');

/** A field of a stored object, with the schema of its argument. */
interface FieldDefinition extends Pick<ReplacedField, 'field' | 'holds' | 'excludedBy'> {
  readonly schema: () => z.ZodType<ReplacedField['value']>;
}

type Fields = Readonly<Record<string, FieldDefinition>>;

const settingFields: Fields = {
  set: { field: 'set', holds: 'data', schema: extensionSet },
  name: { field: 'name', holds: 'data', schema: () => filled().describe('Name') },
  value: { field: 'value', holds: 'data', schema: () => shownWhole().optional().describe('Value') },
  modified_date: { field: 'modifiedDate', holds: 'record', schema: date },
  modified_user_id: { field: 'modifiedUserId', holds: 'record', schema: userId },
};

const subscriptionFields: Fields = {
  subscription_type_id: {
    field: 'subscriptionTypeId',
    holds: 'data',
    excludedBy: 'subscription_description',
    schema: () => z.int().min(1).optional().describe('This or the description'),
  },
  subscription_description: {
    field: 'subscriptionDescription',
    holds: 'data',
    excludedBy: 'subscription_type_id',
    schema: () => filled().optional().describe('This or the type'),
  },
  effective_date: { field: 'effectiveDate', holds: 'data', schema: date },
  end_date: { field: 'endDate', holds: 'data', schema: date },
  created_date: { field: 'createdDate', holds: 'record', schema: date },
  created_user_id: { field: 'createdUserId', holds: 'record', schema: userId },
  modified_date: { field: 'modifiedDate', holds: 'record', schema: date },
  modified_user_id: { field: 'modifiedUserId', holds: 'record', schema: userId },
};

/** Arguments for the fields and for `clear`, all optional. */
function fieldArguments(fields: Fields) {
  const shape = Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema()]));
  const clearable = Object.keys(fields).filter((name) => shape[name]?.safeParse(undefined).success);
  return { ...shape, clear: clearList(clearable), confirmation_token: confirmationToken() };
}

function givenFields(fields: Fields, args: Readonly<Record<string, unknown>>): ReplacedField[] {
  return Object.entries(fields).map(([argument, { schema: _, ...field }]) => ({
    argument,
    ...field,
    value: args[argument] as ReplacedField['value'],
  }));
}

export const updateCompanySetting = writeTool({
  name: 'update_company_setting',
  group: 'account',
  kind: 'replace',
  description:
    'Replace a company setting as a whole; every data field is given or named in clear. Previews first.',
  input: () =>
    z.strictObject({
      company_id: id('Company id'),
      id: id('Setting id'),
      ...fieldArguments(settingFields),
    }),
  output,
  async plan({ company_id: owner, id: setting, clear, ...args }, context) {
    const { company, translator, caller, deadline } = context;
    const client = await company.account();
    return planReplacement(
      {
        tool: 'update_company_setting',
        operation: accountOperations.updateSetting.name,
        subject: `companies/${owner}/settings/${setting}`,
        subjectWords: translator.say('preview.subject_setting', { id: setting, owner }),
        clear,
        roles: settingRoles,
        fields: givenFields(settingFields, args),
        async send(model) {
          const ending = { signal: abortAfterGrace(caller), startBy: deadline.over };
          return { ...(await client.updateSetting(owner, setting, model, ending)) };
        },
      },
      context,
    );
  },
});

const subscriptionInput = () =>
  z
    .strictObject({
      account_id: id('Account id'),
      id: id('Subscription id'),
      ...fieldArguments(subscriptionFields),
    })
    .superRefine((args: Readonly<Record<string, unknown>>, context) => {
      if (args.subscription_type_id !== undefined && args.subscription_description !== undefined) {
        const path = ['subscription_description'];
        context.addIssue({ ...ruleIssue('argument.exclusive_subscription'), path });
      }
    });

export const updateSubscription = writeTool({
  name: 'update_subscription',
  group: 'account',
  kind: 'replace',
  description:
    'Replace an account subscription as a whole; every data field is given or named in clear. Previews first.',
  input: subscriptionInput,
  output,
  async plan({ account_id: owner, id: subscription, clear, ...args }, context) {
    const { company, translator, caller, deadline } = context;
    const client = await company.account();
    return planReplacement(
      {
        tool: 'update_subscription',
        operation: accountOperations.updateSubscription.name,
        subject: `accounts/${owner}/subscriptions/${subscription}`,
        subjectWords: translator.say('preview.subject_subscription', { id: subscription, owner }),
        clear,
        roles: subscriptionRoles,
        fields: givenFields(subscriptionFields, args),
        async send(model) {
          const ending = { signal: abortAfterGrace(caller), startBy: deadline.over };
          return { ...(await client.updateSubscription(owner, subscription, model, ending)) };
        },
      },
      context,
    );
  },
});
