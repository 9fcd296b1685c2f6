import { nearestName } from './nearest-name.ts';
import { settings } from './settings.ts';

/** A variable that is none of ours and looks like one, by catalogue key. Its value is not in it. */
export type VariableProblem =
  | { key: 'config.unknown_variable'; values: { name: string }; nearest: string | undefined }
  | { key: 'config.renamed'; values: { name: string; other: string } };

const variables: readonly string[] = settings.map(({ variable }) => variable);
const known = new Set(variables);

/** Settings that have another name now. */
const formerNames: Readonly<Record<string, string>> = { DFE_ARCHIVE_REFRESH_DAYS: 'DFE_ARCHIVE_REFRESH' };

/** What begins like a name of ours, in whatever case, with other separators, behind blanks or quotes. */
const begunLikeOurs = /^[\s\p{Cf}'"]*dfe[^a-z0-9]/iu;

/** Letters of other alphabets that a name of ours may be misspelt with: more of them are a word of their own. */
const MOST_FOREIGN = 3;

/** Letters and digits alone, in capitals; those of full width as the others. */
function bare(name: string): string[] {
  return [...name.normalize('NFKC').toUpperCase()].filter((sign) => /[\p{L}\p{N}]/u.test(sign));
}

let bareOnes: readonly string[][] | undefined;

/** The names of ours, bare. */
function knownBare(): readonly string[][] {
  bareOnes ??= variables.map(bare);
  return bareOnes;
}

/** Whether a name is one of ours without its separators, or with letters that only look like those of ours. */
function isSpeltLikeOurs(name: string): boolean {
  // Ours begin with D, most others with another letter, which is itself as long as no mark follows that makes it one.
  if (/^[\s'"]*[a-ce-z0-9][\x20-\x7e]/i.test(name)) return false;
  const letters = bare(name);
  if (letters[0] === undefined || !/^[\s\p{Cf}'"]*\p{L}/u.test(name)) return false;
  const foreign = letters.filter((letter) => letter > '\x7f').length;
  if (foreign > MOST_FOREIGN) return false;
  return knownBare().some(
    (ours) =>
      ours.length === letters.length && letters.every((letter, at) => letter === ours[at] || letter > '\x7f'),
  );
}

/** Whether a name was meant for a setting: `DFE-READ-ONLY`, `dfeReadOnly`, one with a letter of another alphabet. */
export function looksLikeOurs(name: string): boolean {
  return begunLikeOurs.test(name) || isSpeltLikeOurs(name);
}

/** A name as it would be spelt if it were ours. */
function properly(name: string): string {
  return name
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_+|(?<!_)_+$/g, '');
}

/** A name of odd characters is quoted, so that they can be seen. */
function visibly(name: string): string {
  return /^[\w.-]+$/.test(name)
    ? name
    : JSON.stringify(name).replace(
        /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
        (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`,
      );
}

/**
 * The variables that look like settings and are none. Names in Windows have no case, so that there `dfe_url` is one.
 */
export function unknownVariables(env: NodeJS.ProcessEnv, platform = process.platform): VariableProblem[] {
  const isKnown = (name: string) => known.has(platform === 'win32' ? name.toUpperCase() : name);
  return Object.keys(env)
    .filter((name) => !isKnown(name) && looksLikeOurs(name))
    .map((name): VariableProblem => {
      const proper = properly(name);
      const other = formerNames[proper];
      return other === undefined
        ? {
            key: 'config.unknown_variable',
            values: { name: visibly(name) },
            nearest: nearestName(proper, variables),
          }
        : { key: 'config.renamed', values: { name: visibly(name), other } };
    });
}
