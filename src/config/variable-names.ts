import { nearestName } from './nearest-name.ts';
import { settings } from './settings.ts';

/** A variable that is none of ours and looks like one, by catalogue key. Its value is not in it. */
export type VariableProblem =
  | { key: 'config.unknown_variable'; values: { name: string }; nearest: string | undefined }
  | { key: 'config.renamed'; values: { name: string; other: string } };

const known: readonly string[] = settings.map(({ variable }) => variable);

/** Settings that have another name now. */
const formerNames: Readonly<Record<string, string>> = { DFE_ARCHIVE_REFRESH_DAYS: 'DFE_ARCHIVE_REFRESH' };

/** What begins like a name of ours, in whatever case, with other separators, behind blanks or quotes. */
export const looksLikeOurs = /^[\s\p{Cf}'"]*dfe[^a-z0-9]/iu;

/** A name as it would be spelt if it were ours. */
function properly(name: string): string {
  return name
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
  const isKnown = (name: string) => known.includes(platform === 'win32' ? name.toUpperCase() : name);
  return Object.keys(env)
    .filter((name) => looksLikeOurs.test(name) && !isKnown(name))
    .map((name): VariableProblem => {
      const proper = properly(name);
      const other = formerNames[proper];
      return other === undefined
        ? {
            key: 'config.unknown_variable',
            values: { name: visibly(name) },
            nearest: nearestName(proper, known),
          }
        : { key: 'config.renamed', values: { name: visibly(name), other } };
    });
}
