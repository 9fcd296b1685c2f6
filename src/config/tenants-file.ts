import { findNodeAtLocation, type Node, type ParseError, parseTree } from 'jsonc-parser';
import * as z from 'zod';
import { checkCnpj } from '../documents/identity/tax-ids.ts';
import { type Configuration, configure, looksLikeOurs, Misconfigured, type Problem } from './configure.ts';
import { type Scope, type Settings, scopes, withAbsolutePaths } from './settings.ts';

/** An entry that admits callers to a tenant: by a claim of their access token, or by the SHA-256 of a static token. */
export type Member = { readonly scopes: readonly Scope[] } & (
  | { readonly claim: string; readonly value: string }
  | { readonly tokenSha256: Buffer }
);

/** One tenant: a company or a group of them with credentials of its own. */
export interface TenantDefinition {
  readonly id: string;
  readonly who: readonly Member[];
  /** CNPJs, or roots of eight positions with `*`; all others are refused. */
  readonly companies: readonly string[];
  readonly settings: Settings;
}

/** Settings of the process, not of a tenant. */
const ofTheProcess = /^DFE_(?:HTTP_|AUTH_|METRICS_|TENANTS$|SIGNING_KEY_FILE$|DATA_DIR$|LANGUAGE$)/;
/** Settings that tenants never inherit. */
const ofOneTenant = /^DFE_(?:USER|PASSWORD|PASSWORD_FILE|CNPJ|FILES|ACCOUNT_.*)$/;

const company = z.string().transform((raw, context) => {
  const checked = checkCnpj(raw);
  if (checked.ok) return checked.value;
  if (/^[0-9A-Z]{8}\*$/.test(raw)) return raw;
  context.issues.push({ code: 'custom', input: raw });
  return z.NEVER;
});
const claimText = z.string().min(1).max(200);
const scopeList = z.array(z.enum(scopes)).min(1);
const byToken = z
  .strictObject({ token_sha256: z.string().regex(/^[0-9a-f]{64}$/i), scopes: scopeList })
  .transform((one): Member => ({ tokenSha256: Buffer.from(one.token_sha256, 'hex'), scopes: one.scopes }));
const byClaim = z.strictObject({ claim: claimText, value: claimText, scopes: scopeList });
/** The member `token_sha256` decides which of the two forms is checked. */
const member = z.looseObject({}).transform((raw, context): Member => {
  const { success, data, error } = ('token_sha256' in raw ? byToken : byClaim).safeParse(raw);
  if (success) return data;
  context.issues.push(...(error.issues as z.core.$ZodRawIssue[]));
  return z.NEVER;
});
const tenant = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,62}$/),
  who: z.array(member).default([]),
  companies: z.array(company).min(1),
  settings: z.record(z.string(), z.string()).default({}),
});
const file = z.strictObject({ tenants: z.array(tenant).min(1) });

type Path = readonly PropertyKey[];

/** A mistake and where it is. */
type Placed = readonly [path: Path, problem: Problem];

/** The name of a field, unless it can't be one. */
const shown = (name: unknown): string => (/^\w{1,60}$/.test(String(name)) ? String(name) : '***');

/** A wrong id or scope, unless it may be a secret. */
const shownValue = (value: unknown): string =>
  typeof value === 'string' && /^(?!dfe_)[\x20-\x7e]{0,40}$/.test(value) ? value : '***';

const unknownField = (name: string): Problem => ({
  key: 'tenants.unknown_field',
  values: { field: shown(name) },
});

/** Converts a zod issue to problems with their paths. */
function problemsOf({ path, code, ...issue }: z.core.$ZodIssue, json: unknown): Placed[] {
  if (code === 'unrecognized_keys' && 'keys' in issue) {
    return issue.keys.map((key) => [[...path, key], unknownField(key)]);
  }
  if (code === 'custom') return [[path, { key: 'tenants.company', values: {} }]];
  const field = path.findLast((part) => typeof part === 'string');
  const given = path.reduce(
    (value, part) => (value as Record<PropertyKey, unknown> | undefined)?.[part],
    json,
  );
  const value = shownValue(given);
  if (field === 'id' && typeof given === 'string') return [[path, { key: 'tenants.id', values: { value } }]];
  if (field === 'scopes' && path.at(-1) !== 'scopes') {
    return [[path, { key: 'tenants.scope', values: { value, choices: scopes.join(', ') } }]];
  }
  return [
    [path, { key: 'tenants.expected', values: { field: field === undefined ? 'tenants' : shown(field) } }],
  ];
}

/** Settings of a tenant: those it inherits, its own with absolute paths, and its only company as the default. */
function settingsOf(
  { companies, settings: given }: z.output<typeof tenant>,
  folder: string,
  inherited: Readonly<Record<string, string | undefined>>,
  base: Settings,
): Settings | Placed[] {
  const [only = '*'] = companies;
  const isOne = companies.length === 1 && !only.endsWith('*');
  const own = Object.entries(given).map(([variable, value]) => [
    variable,
    withAbsolutePaths(variable, value, folder),
  ]);
  const env = { ...inherited, ...(isOne && { DFE_CNPJ: only }), ...Object.fromEntries(own) };
  const disallowed = Object.keys(given).flatMap((variable): Placed[] => {
    const values = { variable };
    if (ofTheProcess.test(variable)) return [[[variable], { key: 'tenants.not_a_tenants_setting', values }]];
    return variable.startsWith('DFE_') || looksLikeOurs(variable)
      ? []
      : [[[variable], unknownField(variable)]];
  });
  try {
    // Names in a file are case-sensitive, on Windows too.
    const { settings } = configure(new Map(), env, 'linux');
    // A tenant can't lift the process's read-only mode.
    return disallowed.length > 0 ? disallowed : { ...settings, readOnly: settings.readOnly || base.readOnly };
  } catch (error) {
    if (!(error instanceof Misconfigured)) throw error;
    const wrong = error.problems.map((problem): Placed => {
      const { variable = problem.values.name ?? problem.values.first ?? '' } = problem.values;
      return [Object.hasOwn(given, variable) ? [variable] : [], problem];
    });
    return [...disallowed, ...wrong];
  }
}

/**
 * Parses a tenants file (JSON). Any mistake refuses the whole file.
 * @param folder the file's folder, which its paths are relative to
 * @param base settings that tenants inherit, except those of one tenant alone
 * @throws Misconfigured with the line of every mistake
 */
export function readTenantsFile(
  text: string,
  folder: string,
  base: Configuration,
): readonly TenantDefinition[] {
  const { value, problems, lineOf } = readJson(text.replace(/^\uFEFF/, ' '));
  if (problems.length > 0) throw new Misconfigured(problems);
  const refuse = (placed: readonly Placed[]) => {
    const wrong = placed.map(([path, problem]) => ({ ...problem, line: lineOf(path) }));
    if (wrong.length > 0) throw new Misconfigured(wrong);
  };
  const parsed = file.safeParse(value);
  refuse((parsed.error?.issues ?? []).flatMap((issue) => problemsOf(issue, value)));
  // A flag counts as a variable.
  const inherited = Object.fromEntries(
    [...Object.entries(base.environment()), ...base.flags].filter(
      ([name]) => name.startsWith('DFE_') && !ofOneTenant.test(name),
    ),
  );
  const wrong: Placed[] = [];
  const ids = new Set<string>();
  const tenants = (parsed.data?.tenants ?? []).flatMap((one, index): TenantDefinition[] => {
    const { id, who, companies } = one;
    const place: Path = ['tenants', index];
    if (ids.has(id)) wrong.push([[...place, 'id'], { key: 'tenants.same_id', values: { id } }]);
    ids.add(id);
    const settings = settingsOf(one, folder, inherited, base.settings);
    if (!Array.isArray(settings)) return [{ id, who, companies, settings: settings as Settings }];
    wrong.push(...settings.map(([path, problem]): Placed => [[...place, 'settings', ...path], problem]));
    return [];
  });
  refuse(wrong);
  return tenants;
}

/** Duplicate members; JSON.parse would silently keep the last. */
function* repeatedIn(node: Node): Generator<Node> {
  const names = new Set<unknown>();
  for (const child of node.children ?? []) {
    const name = child.type === 'property' ? child.children?.[0] : undefined;
    if (name !== undefined && names.has(name.value)) yield name;
    names.add(name?.value);
    yield* repeatedIn(child);
  }
}

/** Parses a JSON text, with the line of each problem and value. */
function readJson(text: string) {
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, { disallowComments: true, allowEmptyContent: false });
  } catch {
    // Nested too deeply for the parser.
  }
  const line = (offset = 0): number => text.slice(0, offset).split('\n').length;
  const isBroken = root === undefined || errors.length > 0;
  const syntax: Problem = { key: 'tenants.syntax', values: {}, line: line(errors[0]?.offset) };
  const repeated = [...(root === undefined ? [] : repeatedIn(root))].map(({ offset, value }): Problem => {
    return { key: 'tenants.twice', values: { field: shown(value) }, line: line(offset) };
  });
  return {
    value: isBroken ? undefined : (JSON.parse(text) as unknown),
    problems: isBroken ? [syntax, ...repeated] : repeated,
    /** The line of a value, or of its nearest existing ancestor. */
    lineOf(path: Path): number {
      for (let length = path.length; root !== undefined && length >= 0; length--) {
        const node = findNodeAtLocation(root, path.slice(0, length) as (string | number)[]);
        if (node !== undefined) return line(node.offset);
      }
      return 1;
    },
  };
}
