import type { DossierDifference } from '../archive/export/verify-dossier.ts';
import { DossierUnreadable, verifyDossier } from '../archive/export/verify-dossier.ts';
import { dossierMessages } from '../messages/apart/dossier.ts';
import type { Translator } from '../messages/index.ts';
import { fill, textIn } from '../messages/message.ts';

/** Differences listed. */
const MOST_NAMED = 50;

type Name = keyof typeof dossierMessages extends `dossier.${infer Rest}` ? Rest : never;

/** Compares a dossier with its manifest, and the manifest with the hash reported at export. */
export async function verifyDossierFile(
  path: string,
  hash: string | undefined,
  { language }: Translator,
): Promise<string[]> {
  const say = (name: Name, values: Readonly<Record<string, string | number>> = {}) =>
    fill(textIn(dossierMessages[`dossier.${name}`], language), values, true);
  const named = ({ what, file }: DossierDifference) => `- ${say(`verify.${what}`, { file })}`;
  try {
    const { manifestSha256, files, differences } = await verifyDossier(path);
    const isOther = hash !== undefined && hash.toLowerCase() !== manifestSha256;
    if (isOther || differences.length > 0) process.exitCode = 1;
    const more = differences.length - MOST_NAMED;
    return [
      say('verify.manifest', { hash: manifestSha256 }),
      hash === undefined
        ? say('verify.no_hash')
        : say(isOther ? 'verify.hash_differs' : 'verify.hash_equal', { given: hash }),
      differences.length === 0
        ? say('verify.intact', { files })
        : say('verify.differs', { count: differences.length, files }),
      ...differences.slice(0, MOST_NAMED).map(named),
      ...(more > 0 ? [say('verify.more', { count: more })] : []),
    ];
  } catch (error) {
    if (!(error instanceof DossierUnreadable)) throw error;
    process.exitCode = 1;
    return [say(`problem.${error.problem}`)];
  }
}
