import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openOwnFile, syncFolder, systemCode } from '../disk/regular-file.ts';
import type { DataFolder } from './data-folder.ts';

/** Identity of a spent token. */
export interface SpentMark {
  /** Milliseconds since 1970. */
  readonly mintedAt: number;
  /** In hexadecimal. */
  readonly nonce: string;
}

/** State of the spent tokens; times in milliseconds since 1970, 0 for none. */
export interface SpentState {
  readonly isSpent: boolean;
  /** When the latest spent token was minted. */
  readonly latest: number;
  /** Watermark: tokens minted before are invalid, whatever the clock says, because their marks were pruned. */
  readonly forgottenUntil: number;
}

/** Storage of spent tokens. Methods throw `RecordUnusable`. */
export interface SpentTokens {
  lookUp(mark: SpentMark): Promise<SpentState>;
  /** Marks a token as spent; false if it was spent or pruned. Exactly one of several concurrent calls gets true. */
  spend(mark: SpentMark): Promise<boolean>;
  /**
   * Prunes a bounded number of marks minted before a time, oldest first. Stores the watermark first: otherwise
   * setting the clock back and forth would revive a token.
   */
  forget(before: number): Promise<void>;
}

export const marksForgottenAtOnce = 200;
const SPENT_FOLDER = 'spent';
const WATERMARK = 'pruned-until';

/** Creates a file. @throws the system's error if it exists */
export async function writeNew(path: string, content: Buffer): Promise<void> {
  const handle = await openOwnFile(path, 'write-new', Number.POSITIVE_INFINITY);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const nameOf = ({ mintedAt, nonce }: SpentMark): string => `${mintedAt}-${nonce}`;

/** When a mark's token was minted; NaN for other files. */
function mintedAtOf(mark: string): number {
  return /^\d+-[0-9a-f]{32}$/.test(mark) ? Number(mark.split('-', 1)[0]) : Number.NaN;
}

/** Watermark of pruned marks, from file names (`pruned-until-<milliseconds>`), which are as atomic as the marks. */
function watermarkIn(names: readonly string[]): number {
  const mark = `${WATERMARK}-`;
  const found = names.filter((name) => name.startsWith(mark)).map((name) => name.slice(mark.length));
  return Math.max(0, ...found.filter((text) => /^\d+$/.test(text)).map(Number));
}

/** Removes marks once their watermark is on disk. */
async function prune(spentFolder: string, oldest: number): Promise<void> {
  const names = await readdir(spentFolder);
  const old = names
    .filter((name) => mintedAtOf(name) < oldest)
    .sort((one, other) => mintedAtOf(one) - mintedAtOf(other))
    .slice(0, marksForgottenAtOnce);
  const last = old.at(-1);
  if (last === undefined) return;
  const watermark = Math.max(mintedAtOf(last), watermarkIn(names));
  await leaveMark(spentFolder, `${WATERMARK}-${watermark}`);
  const outdated = names.filter(
    (name) => name.startsWith(`${WATERMARK}-`) && watermarkIn([name]) < watermark,
  );
  for (const name of [...old, ...outdated]) await rm(join(spentFolder, name), { force: true });
}

/** Creates a mark atomically across processes; false if it exists. */
async function leaveMark(spentFolder: string, mark: string): Promise<boolean> {
  try {
    await writeNew(join(spentFolder, mark), Buffer.alloc(0));
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
  await syncFolder(spentFolder);
  return true;
}

/** Spent tokens in a folder. */
export interface SpentInFolder extends SpentTokens {
  /** Everything stored, for import into a database. */
  all(): Promise<{ readonly marks: readonly SpentMark[]; readonly forgottenUntil: number }>;
}

/** Keeps marks as empty files whose names hold all data. */
export function spentInFolder(folder: DataFolder): SpentInFolder {
  const namesOfAll = async () => (await folder.read((path) => readdir(join(path, SPENT_FOLDER)))) ?? [];
  return {
    async all() {
      const names = await namesOfAll();
      const marks = names
        .filter((name) => Number.isFinite(mintedAtOf(name)))
        .map((name) => ({ mintedAt: mintedAtOf(name), nonce: name.slice(name.indexOf('-') + 1) }));
      return { marks, forgottenUntil: watermarkIn(names) };
    },
    async lookUp(mark) {
      const names = await namesOfAll();
      const forgottenUntil = watermarkIn(names);
      const latest = Math.max(0, ...names.map(mintedAtOf).filter(Number.isFinite), forgottenUntil);
      return { isSpent: names.includes(nameOf(mark)), latest, forgottenUntil };
    },
    spend: (mark) => folder.write((path) => leaveMark(path, nameOf(mark)), SPENT_FOLDER),
    forget: (before) => folder.write((path) => prune(path, before), SPENT_FOLDER),
  };
}
