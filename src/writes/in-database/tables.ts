import type { Tables } from '../../db/tables.ts';

/**
 * The tables of writes, and what is told of them. As everywhere, the tenant is the first column of every key; text is
 * compared byte by byte, so that order is the same everywhere.
 */
export const tablesOfWrites: Tables = {
  name: 'writes',
  version: 1,
  create: [
    // How many lines a tenant's journal has: whoever appends holds this row, so that lines are seen in their order.
    `create table journal_ends (tenant text collate "C" not null, place bigint not null,
    constraint journal_ends_primary primary key (tenant))`,
    // One line as the file would have it, JSON; kept for good.
    `create table journal_lines (tenant text collate "C" not null, place bigint not null, id text collate "C" not null,
    line text collate "C" not null, constraint journal_lines_primary primary key (tenant, place))`,
    'create index journal_lines_by_id on journal_lines (tenant, id)',
    // What a write is about: an access key, or the subject of a write without keys.
    `create table journal_subjects (tenant text collate "C" not null, subject text collate "C" not null,
    id text collate "C" not null, constraint journal_subjects_primary primary key (tenant, subject, id))`,
    // Writes whose outcome is not known.
    `create table journal_open (tenant text collate "C" not null, id text collate "C" not null,
    constraint journal_open_primary primary key (tenant, id))`,
    `create table spent_tokens (tenant text collate "C" not null, minted_at bigint not null,
    nonce text collate "C" not null, spender text collate "C" not null,
    constraint spent_tokens_primary primary key (tenant, minted_at, nonce))`,
    `create table spent_forgotten (tenant text collate "C" not null, minted_at bigint not null,
    constraint spent_forgotten_primary primary key (tenant))`,
  ],
};
