/** What a caller may be allowed to do; over stdio everything that the configuration allows. */
export const scopes = ['documents:read', 'manifestation:write', 'account:write'] as const;

export type Scope = (typeof scopes)[number];
