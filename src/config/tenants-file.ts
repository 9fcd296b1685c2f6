import { isAbsolute, join } from 'node:path';
import { checkCnpj } from '../documents/identity/tax-ids.ts';
import { type ConfigurationProblem, configureMany, type SettingsOfOne } from './configure.ts';
import { type JsonText, type Path, readJson } from './json-text.ts';
import { type Scope, scopes } from './scopes.ts';
import type { Settings } from './settings.ts';
import { looksLikeOurs } from './variable-names.ts';

/** Who belongs to a tenant: whoever has a claim in an access token, or holds a token with this SHA-256. */
export type Member = { readonly scopes: readonly Scope[] } & (
  | { readonly claim: string; readonly value: string }
  | { readonly tokenSha256: Buffer }
);

/** One tenant: a company or a group of them with credentials of its own. */
export interface TenantDefinition {
  readonly id: string;
  readonly who: readonly Member[];
  /** CNPJs, or the eight positions of a root with `*`; whatever is none of them is refused. */
  readonly companies: readonly string[];
  /** Made when they are first asked for, from texts that were found right when the file was read. */
  readonly settings: Settings;
}

/** What is wrong in the tenants file, with its line (from 1). Values never stand in it. */
export interface TenantsFileProblem {
  readonly line: number;
  readonly problem:
    | { key: 'tenants.syntax'; values: Record<string, never> }
    | { key: 'tenants.unknown_field'; values: { field: string } }
    | { key: 'tenants.twice'; values: { field: string } }
    | { key: 'tenants.same_id'; values: { id: string } }
    | { key: 'tenants.expected'; values: { field: string } }
    | { key: 'tenants.company'; values: Record<string, never> }
    | { key: 'tenants.not_a_tenants_setting'; values: { variable: string } }
    | ConfigurationProblem;
}

/** The tenants file cannot be used, as a whole: a mistake in it may let someone in, or out. */
export class TenantsFileWrong extends Error {
  readonly problems: readonly TenantsFileProblem[];

  constructor(problems: readonly TenantsFileProblem[]) {
    super(`the tenants file has ${problems.length} mistakes`);
    this.name = 'TenantsFileWrong';
    this.problems = problems;
  }
}

/** Belongs to the process as a whole; a tenant cannot have its own. */
const ofTheProcess = /^DFE_(?:HTTP_|AUTH_|METRICS_|TENANTS$|SIGNING_KEY_FILE$|DATA_DIR$|LANGUAGE$)/;
/** Speaks for one tenant: what the process has of these, no tenant inherits. */
const ofOneTenant = /^DFE_(?:USER|PASSWORD|PASSWORD_FILE|CNPJ|FILES|ACCOUNT_.*)$/;
const paths = new Set(['DFE_PASSWORD_FILE', 'DFE_DOWNLOAD_DIR', 'DFE_FILES', 'DFE_TRUST_STORE']);

class Tenant implements TenantDefinition {
  readonly id: string;
  readonly who: readonly Member[];
  readonly companies: readonly string[];
  readonly #make: () => Settings;
  #made: Settings | undefined;

  constructor(id: string, who: readonly Member[], companies: readonly string[], make: () => Settings) {
    this.id = id;
    this.who = who;
    this.companies = companies;
    this.#make = make;
  }

  get settings(): Settings {
    this.#made ??= this.#make();
    return this.#made;
  }
}

/** Reads the text of a tenants file. */
class Reading {
  readonly problems: TenantsFileProblem[];
  readonly #json: JsonText;

  constructor(text: string) {
    this.#json = readJson(text);
    this.problems = this.#json.faults.map(({ line, twice }): TenantsFileProblem => {
      const syntax = { key: 'tenants.syntax', values: {} } as const;
      const problem =
        twice === undefined ? syntax : ({ key: 'tenants.twice', values: { field: shown(twice) } } as const);
      return { line, problem };
    });
  }

  get value(): unknown {
    return this.#json.value;
  }

  /** Tells a problem at the nearest place that is there. */
  at(path: Path, problem: TenantsFileProblem['problem']): void {
    this.problems.push({ line: this.#json.lineOf(path), problem });
  }

  /** Tells that the value at a place is none that stands there. */
  expected(...path: Path): void {
    this.at(path, { key: 'tenants.expected', values: { field: fieldOf(path) } });
  }

  /** Tells members of an object that none of these are. */
  unknown(value: object, known: readonly string[], path: Path): void {
    for (const key of Object.keys(value)) {
      if (known.includes(key)) continue;
      this.at([...path, key], { key: 'tenants.unknown_field', values: { field: shown(key) } });
    }
  }
}

/** The name of a field, as far as it can be one. */
const shown = (name: unknown): string => (/^\w{1,60}$/.test(String(name)) ? String(name) : '***');

function fieldOf(path: Path): string {
  const last = path.findLast((part) => typeof part === 'string');
  return last === undefined ? 'tenants' : shown(last);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A tenant in the form it has in the file; who belongs to it is looked at by itself. */
interface Given {
  readonly id: string;
  readonly who?: readonly unknown[];
  readonly companies: readonly string[];
  readonly settings?: Readonly<Record<string, string>>;
}

const ID = /^[a-z0-9][a-z0-9_-]{0,62}$/;

/** Tells what of a tenant is not in its form. */
function checkForm(raw: unknown, reading: Reading, place: Path): void {
  if (!isObject(raw)) {
    reading.expected(...place);
    return;
  }
  const { id, who = [], companies, settings = {} } = raw;
  if (typeof id !== 'string' || !ID.test(id)) reading.expected(...place, 'id');
  if (!Array.isArray(who)) reading.expected(...place, 'who');
  if (!Array.isArray(companies) || companies.length === 0) reading.expected(...place, 'companies');
  else {
    for (const [at, company] of companies.entries()) {
      if (typeof company !== 'string') reading.expected(...place, 'companies', at);
    }
  }
  if (!isObject(settings)) reading.expected(...place, 'settings');
  else {
    for (const [variable, value] of Object.entries(settings)) {
      if (typeof value !== 'string') reading.expected(...place, 'settings', variable);
    }
  }
  reading.unknown(raw, ['id', 'who', 'companies', 'settings'], place);
}

/** The tenants of a file; none where anything is not in its form, which is told. */
function givenTenants(reading: Reading): readonly Given[] {
  const { value } = reading;
  if (!isObject(value)) {
    reading.expected();
    return [];
  }
  const { tenants } = value;
  if (!Array.isArray(tenants) || tenants.length === 0) reading.expected('tenants');
  else for (const [index, one] of tenants.entries()) checkForm(one, reading, ['tenants', index]);
  reading.unknown(value, ['tenants'], []);
  return reading.problems.length > 0 ? [] : (tenants as readonly Given[]);
}

const SHA_256 = /^[0-9a-f]{64}$/i;

const isClaimText = (value: unknown): boolean =>
  typeof value === 'string' && value.length > 0 && value.length <= 200;

const isScope = (value: unknown): boolean => scopes.some((one) => one === value);

function memberOf(raw: unknown, reading: Reading, path: Path): Member[] {
  const before = reading.problems.length;
  if (!isObject(raw)) {
    reading.expected(...path);
    return [];
  }
  const isByToken = 'token_sha256' in raw;
  const { token_sha256: hash, claim, value, scopes: granted } = raw;
  if (isByToken) {
    if (typeof hash !== 'string' || !SHA_256.test(hash)) reading.expected(...path, 'token_sha256');
  } else {
    if (!isClaimText(claim)) reading.expected(...path, 'claim');
    if (!isClaimText(value)) reading.expected(...path, 'value');
  }
  if (!Array.isArray(granted) || granted.length === 0) reading.expected(...path, 'scopes');
  else {
    for (const [at, one] of granted.entries()) {
      if (!isScope(one)) reading.expected(...path, 'scopes', at);
    }
  }
  reading.unknown(raw, isByToken ? ['token_sha256', 'scopes'] : ['claim', 'value', 'scopes'], path);
  if (reading.problems.length > before) return [];
  return isByToken
    ? [{ tokenSha256: Buffer.from(String(hash), 'hex'), scopes: granted as Scope[] }]
    : [{ claim: String(claim), value: String(value), scopes: granted as Scope[] }];
}

function companyPattern(raw: string): string | undefined {
  if (/^[0-9A-Z]{8}\*$/.test(raw)) return raw;
  const checked = checkCnpj(raw);
  return checked.ok ? checked.value : undefined;
}

/** What the process as a whole was started with. */
export interface ProcessSettings {
  readonly settings: Settings;
  /** By variable name; they win over the environment. */
  readonly flags: ReadonlyMap<string, string>;
  readonly env: NodeJS.ProcessEnv;
}

/** What a tenant has of the process where it has nothing of its own. */
function inheritedFrom({ env, flags }: ProcessSettings): Record<string, string | undefined> {
  return Object.fromEntries(
    [...Object.entries(env), ...flags].filter(([name]) => name.startsWith('DFE_') && !ofOneTenant.test(name)),
  );
}

function settingsOf(
  given: Readonly<Record<string, string>>,
  folder: string,
  companies: readonly string[],
  configured: (own: Readonly<Record<string, string>>) => SettingsOfOne,
  tell: (variable: string | undefined, problem: TenantsFileProblem['problem']) => void,
): (() => Settings) | undefined {
  const [only] = companies;
  const company = companies.length === 1 && only !== undefined && !only.endsWith('*') ? only : undefined;
  const own: Record<string, string> = company === undefined ? {} : { DFE_CNPJ: company };
  for (const [variable, value] of Object.entries(given)) {
    if (ofTheProcess.test(variable)) {
      tell(variable, { key: 'tenants.not_a_tenants_setting', values: { variable } });
    } else if (!variable.startsWith('DFE_') && !looksLikeOurs(variable)) {
      tell(variable, { key: 'tenants.unknown_field', values: { field: shown(variable) } });
    }
    const isRelative = paths.has(variable) && !isAbsolute(value) && !value.startsWith('~');
    own[variable] = isRelative ? join(folder, value) : value;
  }
  const made = configured(own);
  if (made.ok) return made.settings;
  for (const problem of made.problems) {
    const values: Readonly<Record<string, unknown>> = problem.values;
    const variable = [values.variable, values.name, values.first].find((one) => typeof one === 'string');
    tell(typeof variable === 'string' && variable in given ? variable : undefined, problem);
  }
  return undefined;
}

/** A tenant cannot undo that the process only reads. */
const withReadOnly = (own: Settings, { readOnly }: Settings): Settings =>
  readOnly ? { ...own, readOnly } : own;

/**
 * Reads a tenants file (JSON). What is wrong anywhere refuses the whole file.
 * @param folder the file's own, to which paths in it are relative
 * @param base holds for a tenant where it has nothing of its own, but for what speaks for one tenant alone
 * @throws TenantsFileWrong with the line of every mistake
 */
export function readTenantsFile(
  text: string,
  folder: string,
  base: ProcessSettings,
): readonly TenantDefinition[] {
  const reading = new Reading(text.replace(/^\uFEFF/, ' '));
  const given = reading.problems.length > 0 ? [] : givenTenants(reading);
  const ids = new Set<string>();
  const configured = configureMany(inheritedFrom(base));
  const tenants = given.flatMap((one, index): TenantDefinition[] => {
    const place: Path = ['tenants', index];
    if (ids.has(one.id)) {
      reading.at([...place, 'id'], { key: 'tenants.same_id', values: { id: one.id } });
    }
    ids.add(one.id);
    const companies = one.companies.flatMap((raw, at) => {
      const pattern = companyPattern(raw);
      if (pattern === undefined) {
        reading.at([...place, 'companies', at], { key: 'tenants.company', values: {} });
      }
      return pattern ?? [];
    });
    const settings = settingsOf(one.settings ?? {}, folder, companies, configured, (variable, problem) =>
      reading.at([...place, 'settings', ...(variable === undefined ? [] : [variable])], problem),
    );
    const who = (one.who ?? []).flatMap((raw, at) => memberOf(raw, reading, [...place, 'who', at]));
    if (settings === undefined) return [];
    return [new Tenant(one.id, who, companies, () => withReadOnly(settings(), base.settings))];
  });
  if (reading.problems.length > 0) throw new TenantsFileWrong(reading.problems);
  return tenants;
}
