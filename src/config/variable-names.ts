import { nearestName } from './nearest-name.ts';
import type { Problem } from './problem.ts';
import { settings } from './settings.ts';

const variables: readonly string[] = settings.map(({ variable }) => variable);
const known = new Set(variables);

/** Renamed settings. */
const formerNames: Readonly<Record<string, string>> = { DFE_ARCHIVE_REFRESH_DAYS: 'DFE_ARCHIVE_REFRESH' };

/** Homoglyphs up to which a name counts as misspelt. */
const MOST_FOREIGN = 3;
const isForeign = (letter: string): boolean => letter > '\x7f';

/** Normalised upper-case letters and digits. */
const bare = (name: string): string =>
  name
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
const bareVariables = variables.map(bare);

/** Whether a name was meant for a setting: `DFE-READ-ONLY`, `dfeReadOnly`, one with a letter of another alphabet. */
export function looksLikeOurs(name: string): boolean {
  if (/^[\s\p{Cf}'"]*dfe[^a-z0-9]/iu.test(name)) return true;
  const letters = [...bare(name)];
  if (!/^[\s\p{Cf}'"]*\p{L}/u.test(name) || letters.filter(isForeign).length > MOST_FOREIGN) return false;
  return bareVariables.some(
    (ours) =>
      ours.length === letters.length &&
      letters.every((letter, at) => letter === ours[at] || isForeign(letter)),
  );
}

/** Quotes a name with invisible or unusual characters. */
function visibly(name: string): string {
  if (/^[\w.-]+$/.test(name)) return name;
  const asCode = (sign: string) => `\\u{${sign.codePointAt(0)?.toString(16)}}`;
  return JSON.stringify(name).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, asCode);
}

/**
 * Unknown variables that resemble settings. Names are case-insensitive on Windows, so `dfe_url` is known there.
 */
export function unknownVariables(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): Problem[] {
  const isKnown = (name: string) => known.has(platform === 'win32' ? name.toUpperCase() : name);
  return Object.keys(env)
    .filter((name) => !isKnown(name) && looksLikeOurs(name))
    .map((name) => {
      const upper = name.normalize('NFKC').toUpperCase();
      const proper = upper.replace(/[^A-Z0-9]+/g, '_').replace(/^_+/, '');
      const other = formerNames[proper];
      const values = { name: visibly(name) };
      return other === undefined
        ? { key: 'config.unknown_variable', values, nearest: nearestName(proper, variables) }
        : { key: 'config.renamed', values: { ...values, other } };
    });
}
