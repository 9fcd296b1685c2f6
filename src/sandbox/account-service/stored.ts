/** What is stored under an id; a field that was not sent is null. */
export type Stored = Readonly<Record<string, string | number | null>>;

/** The description of each type a subscription may have. */
export const subscriptionTypes: ReadonlyMap<number, string> = new Map([
  [1, 'TaxDocuments'],
  [2, 'TaxDocumentsPro'],
  [3, 'Manifestation'],
  [4, 'Archive'],
]);

function setting(companyId: number, id: number, set: string, name: string, value: string): Stored {
  return { id, companyId, set, name, value, modifiedDate: '2026-10-01T09:00:00', modifiedUserId: 9001 };
}

function subscription(accountId: number, id: number, typeId: number, endDate: string | null): Stored {
  return {
    id,
    accountId,
    subscriptionTypeId: typeId,
    subscriptionDescription: subscriptionTypes.get(typeId) ?? null,
    effectiveDate: '2026-01-01T00:00:00',
    endDate,
    createdDate: '2025-12-15T10:30:00',
    createdUserId: 9001,
    modifiedDate: '2025-12-15T10:30:00',
    modifiedUserId: 9001,
  };
}

/** The set of 504 is the provider's own: it cannot be changed. */
export const storedSettings: readonly Stored[] = [
  setting(1001, 501, 'X-Preferences', 'closing-reminder-days', '5'),
  setting(1001, 502, 'X-Preferences', 'report-format', 'csv'),
  setting(1001, 503, 'X-Integration', 'erp-branch', '0101'),
  setting(1001, 504, 'Provider', 'tax-profile', 'standard'),
  setting(1002, 511, 'X-Preferences', 'closing-reminder-days', '3'),
  setting(1002, 512, 'X-Integration', 'erp-branch', '0201'),
  setting(1003, 521, 'X-Preferences', 'report-format', 'xlsx'),
  setting(1004, 531, 'X-Integration', 'erp-branch', '0401'),
];

export const storedSubscriptions: readonly Stored[] = [
  subscription(2001, 701, 1, null),
  subscription(2001, 702, 3, '2026-12-31T00:00:00'),
  subscription(2001, 703, 4, null),
  subscription(2002, 711, 2, '2026-06-30T00:00:00'),
];
