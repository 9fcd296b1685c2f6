import type { Reply } from '../reply.ts';
import { accountError } from './errors.ts';
import { dateField, integerField, type SentObject, textField } from './fields.ts';
import { type Setting, type Subscription, subscriptionTypes } from './models.ts';

/** The object to store, or the reply that refuses it. */
export type Replacement<T> = { readonly stored: T } | { readonly refused: Reply };

const CLIENT_SET_PREFIX = 'X-';

function refuse(code: Parameters<typeof accountError>[0], message: string): { readonly refused: Reply } {
  return { refused: accountError(code, message) };
}

/** Reads a whole setting in place of an older one; fields not sent become null. */
export function replaceSetting(before: Setting, sent: SentObject): Replacement<Setting> {
  const id = integerField(sent, 'id');
  const set = textField(sent, 'set');
  const name = textField(sent, 'name');
  if (id === null) return refuse('ValueRequiredError', 'Field id is required.');
  if (!set) return refuse('ValueRequiredError', 'Field set is required.');
  if (!name) return refuse('ValueRequiredError', 'Field name is required.');
  if (id !== before.id) return refuse('ValueConflictError', 'Field id differs from the path.');
  if ((integerField(sent, 'companyId') ?? before.companyId) !== before.companyId) {
    return refuse('ValueConflictError', 'Field companyId differs from the path.');
  }
  if (!set.startsWith(CLIENT_SET_PREFIX)) {
    return refuse('InvalidSettingSet', `Field set must begin with ${CLIENT_SET_PREFIX}.`);
  }
  if (!before.set.startsWith(CLIENT_SET_PREFIX)) {
    return refuse('InvalidSettingSet', `Set ${before.set} is defined by the provider and cannot be changed.`);
  }
  const stored: Setting = {
    id,
    companyId: before.companyId,
    set,
    name,
    value: textField(sent, 'value'),
    modifiedDate: dateField(sent, 'modifiedDate'),
    modifiedUserId: integerField(sent, 'modifiedUserId'),
  };
  return { stored };
}

function typeOf(
  sent: SentObject,
): Replacement<Pick<Subscription, 'subscriptionTypeId' | 'subscriptionDescription'>> {
  const typeId = integerField(sent, 'subscriptionTypeId');
  const description = textField(sent, 'subscriptionDescription');
  if (typeId !== null) {
    const known = subscriptionTypes[typeId];
    if (known === undefined)
      return refuse('InvalidSubscriptionTypeId', `Subscription type ${typeId} does not exist.`);
    return { stored: { subscriptionTypeId: typeId, subscriptionDescription: known } };
  }
  if (description === null) return { stored: { subscriptionTypeId: null, subscriptionDescription: null } };
  const found = Object.entries(subscriptionTypes).find(([, known]) => known === description);
  if (!found)
    return refuse(
      'InvalidSubscriptionDescription',
      'Field subscriptionDescription names no subscription type.',
    );
  return { stored: { subscriptionTypeId: Number(found[0]), subscriptionDescription: description } };
}

/** Reads a whole subscription in place of an older one; a type overrides a description, fields not sent become null. */
export function replaceSubscription(before: Subscription, sent: SentObject): Replacement<Subscription> {
  if ((integerField(sent, 'id') ?? before.id) !== before.id) {
    return refuse('ValueConflictError', 'Field id differs from the path.');
  }
  if ((integerField(sent, 'accountId') ?? before.accountId) !== before.accountId) {
    return refuse('ValueConflictError', 'Field accountId differs from the path.');
  }
  const type = typeOf(sent);
  if ('refused' in type) return type;
  const stored: Subscription = {
    id: before.id,
    accountId: before.accountId,
    ...type.stored,
    effectiveDate: dateField(sent, 'effectiveDate'),
    endDate: dateField(sent, 'endDate'),
    createdDate: dateField(sent, 'createdDate'),
    createdUserId: integerField(sent, 'createdUserId'),
    modifiedDate: dateField(sent, 'modifiedDate'),
    modifiedUserId: integerField(sent, 'modifiedUserId'),
  };
  return { stored };
}
