/** How a field of a model goes over the wire; each may also be null, which clears it. */
type WireType = 'integer' | 'string';

/** One operation as data. */
export interface AccountOperation {
  readonly name: string;
  readonly method: 'PUT';
  readonly path: string;
  /** The field that holds the id of the owning company or account, also in the path. */
  readonly owner: string;
  readonly fields: Readonly<Record<string, WireType>>;
}

/** The operations of the account service. Each replaces one stored object as a whole. Source: docs/upstream-services.md. */
export const accountOperations = {
  updateSetting: {
    name: 'UpdateSetting',
    method: 'PUT',
    path: '/api/v2/companies/{companyId}/settings/{id}',
    owner: 'companyId',
    fields: {
      id: 'integer',
      companyId: 'integer',
      set: 'string',
      name: 'string',
      value: 'string',
      modifiedDate: 'string',
      modifiedUserId: 'integer',
    },
  },
  updateSubscription: {
    name: 'UpdateSubscription',
    method: 'PUT',
    path: '/api/v2/accounts/{accountId}/subscriptions/{id}',
    owner: 'accountId',
    fields: {
      id: 'integer',
      accountId: 'integer',
      subscriptionTypeId: 'integer',
      subscriptionDescription: 'string',
      effectiveDate: 'string',
      endDate: 'string',
      createdDate: 'string',
      createdUserId: 'integer',
      modifiedDate: 'string',
      modifiedUserId: 'integer',
    },
  },
} as const satisfies Record<string, AccountOperation>;

/** The object an operation replaces. The ids are the path's: the client puts them in. */
export type ModelOf<O extends AccountOperation> = {
  readonly [Field in keyof O['fields']]?:
    | (O['fields'][Field] extends 'integer' ? number : string)
    | null
    | undefined;
};

/** One name and value of a company, in a named set. */
export type SettingModel = ModelOf<typeof accountOperations.updateSetting>;

/** An account's licence for a service. */
export type SubscriptionModel = ModelOf<typeof accountOperations.updateSubscription>;
