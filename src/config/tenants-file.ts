import { isAbsolute, join } from 'node:path';
import * as z from 'zod';
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

const scopeList = z.array(z.enum(scopes)).min(1);
const claimText = z.string().min(1).max(200);
const byClaim = z.strictObject({ claim: claimText, value: claimText, scopes: scopeList });
const byToken = z.strictObject({
  token_sha256: z.string().regex(/^[0-9a-f]{64}$/i),
  scopes: scopeList,
});

const tenant = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,62}$/),
  who: z.array(z.unknown()).default([]),
  companies: z.array(z.string()).min(1),
  settings: z.record(z.string(), z.string()).default({}),
});

const file = z.strictObject({ tenants: z.array(tenant).min(1) });

/** Belongs to the process as a whole; a tenant cannot have its own. */
const ofTheProcess = /^DFE_(?:HTTP_|AUTH_|METRICS_|TENANTS$|SIGNING_KEY_FILE$|DATA_DIR$|LANGUAGE$)/;
/** Speaks for one tenant: what the process has of these, no tenant inherits. */
const ofOneTenant = /^DFE_(?:USER|PASSWORD|PASSWORD_FILE|CNPJ|FILES|ACCOUNT_.*)$/;
const paths = new Set(['DFE_PASSWORD_FILE', 'DFE_DOWNLOAD_DIR', 'DFE_FILES', 'DFE_TRUST_STORE']);

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

  /** The value in the form of a schema; problems are told where it has another. */
  as<T>(schema: z.ZodType<T>, value: unknown, path: Path = []): T | undefined {
    const parsed = schema.safeParse(value);
    for (const issue of parsed.error?.issues ?? []) {
      const place = [...path, ...(issue.path as (string | number)[])];
      if (issue.code === 'unrecognized_keys') {
        for (const key of issue.keys) {
          this.at([...place, key], { key: 'tenants.unknown_field', values: { field: shown(key) } });
        }
      } else {
        this.at(place, { key: 'tenants.expected', values: { field: fieldOf(place) } });
      }
    }
    return parsed.data;
  }
}

/** The name of a field, as far as it can be one. */
const shown = (name: unknown): string => (/^\w{1,60}$/.test(String(name)) ? String(name) : '***');

function fieldOf(path: Path): string {
  const last = path.findLast((part) => typeof part === 'string');
  return last === undefined ? 'tenants' : shown(last);
}

function memberOf(raw: unknown, reading: Reading, path: Path): Member[] {
  if (typeof raw === 'object' && raw !== null && 'token_sha256' in raw) {
    const one = reading.as(byToken, raw, path);
    return one === undefined
      ? []
      : [{ tokenSha256: Buffer.from(one.token_sha256, 'hex'), scopes: one.scopes }];
  }
  const one = reading.as(byClaim, raw, path);
  return one === undefined ? [] : [one];
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
  const read = reading.problems.length > 0 ? undefined : reading.as(file, reading.value);
  const ids = new Set<string>();
  const configured = configureMany(inheritedFrom(base));
  const tenants = (read?.tenants ?? []).flatMap((one, index): TenantDefinition[] => {
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
    const settings = settingsOf(one.settings, folder, companies, configured, (variable, problem) =>
      reading.at([...place, 'settings', ...(variable === undefined ? [] : [variable])], problem),
    );
    const who = one.who.flatMap((raw, at) => memberOf(raw, reading, [...place, 'who', at]));
    if (settings === undefined) return [];
    let made: Settings | undefined;
    return [
      {
        id: one.id,
        who,
        companies,
        get settings() {
          made ??= withReadOnly(settings(), base.settings);
          return made;
        },
      },
    ];
  });
  if (reading.problems.length > 0) throw new TenantsFileWrong(reading.problems);
  return tenants;
}
