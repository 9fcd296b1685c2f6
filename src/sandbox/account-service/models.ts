/** A company setting as it is stored and answered; a field that was not sent is null. */
export interface Setting {
  readonly id: number;
  readonly companyId: number;
  readonly set: string;
  readonly name: string;
  readonly value: string | null;
  readonly modifiedDate: string | null;
  readonly modifiedUserId: number | null;
}

/** An account subscription as it is stored and answered; a field that was not sent is null. */
export interface Subscription {
  readonly id: number;
  readonly accountId: number;
  readonly subscriptionTypeId: number | null;
  readonly subscriptionDescription: string | null;
  readonly effectiveDate: string | null;
  readonly endDate: string | null;
  readonly createdDate: string | null;
  readonly createdUserId: number | null;
  readonly modifiedDate: string | null;
  readonly modifiedUserId: number | null;
}

/** The description of each type a subscription may have. */
export const subscriptionTypes: Readonly<Record<number, string>> = {
  1: 'TaxDocuments',
  2: 'TaxDocumentsPro',
  3: 'Manifestation',
  4: 'Archive',
};

function setting(companyId: number, id: number, set: string, name: string, value: string): Setting {
  return { id, companyId, set, name, value, modifiedDate: '2026-10-01T09:00:00', modifiedUserId: 9001 };
}

function subscription(accountId: number, id: number, typeId: number, endDate: string | null): Subscription {
  return {
    id,
    accountId,
    subscriptionTypeId: typeId,
    subscriptionDescription: subscriptionTypes[typeId] ?? null,
    effectiveDate: '2026-01-01T00:00:00',
    endDate,
    createdDate: '2025-12-15T10:30:00',
    createdUserId: 9001,
    modifiedDate: '2025-12-15T10:30:00',
    modifiedUserId: 9001,
  };
}

/** The set of 504 is the provider's own: it cannot be changed. */
export const storedSettings: readonly Setting[] = [
  setting(1001, 501, 'X-Preferences', 'closing-reminder-days', '5'),
  setting(1001, 502, 'X-Preferences', 'report-format', 'csv'),
  setting(1001, 503, 'X-Integration', 'erp-branch', '0101'),
  setting(1001, 504, 'Provider', 'tax-profile', 'standard'),
  setting(1002, 511, 'X-Preferences', 'closing-reminder-days', '3'),
  setting(1002, 512, 'X-Integration', 'erp-branch', '0201'),
  setting(1003, 521, 'X-Preferences', 'report-format', 'xlsx'),
  setting(1004, 531, 'X-Integration', 'erp-branch', '0401'),
];

export const storedSubscriptions: readonly Subscription[] = [
  subscription(2001, 701, 1, null),
  subscription(2001, 702, 3, '2026-12-31T00:00:00'),
  subscription(2001, 703, 4, null),
  subscription(2002, 711, 2, '2026-06-30T00:00:00'),
];
