/** Scopes of a caller; over stdio all of them. */
export const scopes = ['documents:read', 'manifestation:write', 'account:write'] as const;

export type Scope = (typeof scopes)[number];

/** Whether a tenant may ask about a company: 14 positions, or the eight of a root where the whole root is allowed. */
export function allowsCompany(companies: readonly string[], id: string): boolean {
  return companies.some((one) => (one.endsWith('*') ? id.startsWith(one.slice(0, -1)) : one === id));
}
