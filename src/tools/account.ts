import * as z from 'zod';
import { accountOperations } from '../clients/account/operations.ts';
import { ruleIssue } from '../mcp/arguments.ts';
import { writeTool } from '../mcp/definition.ts';
import { id } from '../mcp/parameters.ts';
import { confirmationToken, writeOutcomeShape } from '../mcp/write-output.ts';
import { planReplacement } from '../replacement/replacement.ts';
import { afterGrace } from '../services/grace.ts';

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
  z.string().transform((text, context) => {
    const [, date, time] = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2}))?$/.exec(text.trim()) ?? [];
    const written = `${date}T${time ?? '00:00:00'}`;
    const parsed = new Date(`${written}Z`);
    if (!Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(written)) return written;
    context.issues.push({ ...ruleIssue('argument.account_date'), input: text });
    return z.NEVER;
  });

const date = () => accountDate().optional().describe('ISO date');
const userId = () => z.int().min(1).optional().describe('User id');

/** Which fields may be named is said when the call comes: as an enum it would cost tokens in every session. */
function clearList(fields: readonly string[]) {
  const field = z.string().superRefine((name, context) => {
    if (!fields.includes(name))
      context.addIssue(ruleIssue('argument.clearable', { choices: fields.join(', ') }));
  });
  return z.array(field).default([]).describe('Fields to clear on purpose');
}

/** Characters of a text: what a person says yes to stands whole in the preview, whose text has its bounds. */
const LONGEST_FIELD = 10_000;

const shownWhole = () =>
  z.string().superRefine((text, context) => {
    if (text.length > LONGEST_FIELD)
      context.addIssue(ruleIssue('argument.too_long', { most: LONGEST_FIELD }));
  });

const extensionSet = () =>
  shownWhole()
    .superRefine((text, context) => {
      if (!/^X-./.test(text)) context.addIssue(ruleIssue('argument.set_prefix'));
    })
    .describe('Begins with X-');

const filled = () =>
  shownWhole().superRefine((text, context) => {
    if (text.trim() === '') context.addIssue(ruleIssue('argument.name_or_value'));
  });

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
      set: extensionSet(),
      name: filled().describe('Name'),
      value: shownWhole().optional().describe('Value'),
      modified_date: date(),
      modified_user_id: userId(),
      clear: clearList(['value', 'modified_date', 'modified_user_id']),
      confirmation_token: confirmationToken(),
    }),
  output,
  async plan(args, context) {
    const { services, translator, caller, time } = context;
    const client = await services.account();
    return planReplacement(
      {
        tool: 'update_company_setting',
        operation: accountOperations.updateSetting.name,
        subject: `companies/${args.company_id}/settings/${args.id}`,
        subjectWords: translator.say('preview.subject_setting', { id: args.id, owner: args.company_id }),
        clear: args.clear,
        roles: settingRoles,
        fields: [
          { argument: 'set', field: 'set', value: args.set, holds: 'data' },
          { argument: 'name', field: 'name', value: args.name, holds: 'data' },
          { argument: 'value', field: 'value', value: args.value, holds: 'data' },
          { argument: 'modified_date', field: 'modifiedDate', value: args.modified_date, holds: 'record' },
          {
            argument: 'modified_user_id',
            field: 'modifiedUserId',
            value: args.modified_user_id,
            holds: 'record',
          },
        ],
        send: async (model) => ({
          ...(await client.updateSetting(args.company_id, args.id, model, {
            signal: afterGrace(caller),
            startBy: time.over,
          })),
        }),
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
      subscription_type_id: z.int().min(1).optional().describe('This or the description'),
      subscription_description: filled().optional().describe('This or the type'),
      effective_date: date(),
      end_date: date(),
      created_date: date(),
      created_user_id: userId(),
      modified_date: date(),
      modified_user_id: userId(),
      clear: clearList([
        'subscription_type_id',
        'subscription_description',
        'effective_date',
        'end_date',
        'created_date',
        'created_user_id',
        'modified_date',
        'modified_user_id',
      ]),
      confirmation_token: confirmationToken(),
    })
    .superRefine((args, context) => {
      if (args.subscription_type_id !== undefined && args.subscription_description !== undefined) {
        context.addIssue({
          ...ruleIssue('argument.exclusive_subscription'),
          path: ['subscription_description'],
        });
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
  async plan(args, context) {
    const { services, translator, caller, time } = context;
    const client = await services.account();
    return planReplacement(
      {
        tool: 'update_subscription',
        operation: accountOperations.updateSubscription.name,
        subject: `accounts/${args.account_id}/subscriptions/${args.id}`,
        subjectWords: translator.say('preview.subject_subscription', { id: args.id, owner: args.account_id }),
        clear: args.clear,
        roles: subscriptionRoles,
        fields: [
          {
            argument: 'subscription_type_id',
            field: 'subscriptionTypeId',
            value: args.subscription_type_id,
            holds: 'data',
            excludedBy: 'subscription_description',
          },
          {
            argument: 'subscription_description',
            field: 'subscriptionDescription',
            value: args.subscription_description,
            holds: 'data',
            excludedBy: 'subscription_type_id',
          },
          { argument: 'effective_date', field: 'effectiveDate', value: args.effective_date, holds: 'data' },
          { argument: 'end_date', field: 'endDate', value: args.end_date, holds: 'data' },
          { argument: 'created_date', field: 'createdDate', value: args.created_date, holds: 'record' },
          {
            argument: 'created_user_id',
            field: 'createdUserId',
            value: args.created_user_id,
            holds: 'record',
          },
          { argument: 'modified_date', field: 'modifiedDate', value: args.modified_date, holds: 'record' },
          {
            argument: 'modified_user_id',
            field: 'modifiedUserId',
            value: args.modified_user_id,
            holds: 'record',
          },
        ],
        send: async (model) => ({
          ...(await client.updateSubscription(args.account_id, args.id, model, {
            signal: afterGrace(caller),
            startBy: time.over,
          })),
        }),
      },
      context,
    );
  },
});
