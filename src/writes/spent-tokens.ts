import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openOwnFile, syncFolder } from '../disk/regular-file.ts';
import { type DataFolder, systemCode } from './data-folder.ts';

/** What a token is known by once it is spent. */
export interface SpentMark {
  /** Milliseconds since 1970. */
  readonly mintedAt: number;
  /** In hexadecimal. */
  readonly nonce: string;
}

/** What is known of tokens that were spent. All moments are in milliseconds since 1970, 0 where there is none. */
export interface SpentState {
  readonly isSpent: boolean;
  /** When the latest token that is known as spent was minted. */
  readonly latest: number;
  /** Tokens minted up to here are dead, whatever the clock says: their marks were forgotten. */
  readonly forgottenUntil: number;
}

/** Where it is kept which tokens were spent. All of it throws `RecordUnusable` where that can't be used. */
export interface SpentTokens {
  lookUp(mark: SpentMark): Promise<SpentState>;
  /** Marks a token as spent for good; false where it is already, or was forgotten. Of several at it one has true. */
  spend(mark: SpentMark): Promise<boolean>;
  /**
   * Lets go of marks of tokens minted before a moment, a bounded number of them, oldest first. Before a mark goes, it is
   * kept for good up to where all are dead: otherwise a clock set forward and back again would revive its token.
   */
  forget(before: number): Promise<void>;
}

export const marksForgottenAtOnce = 200;
const SPENT_FOLDER = 'spent';
const WATERMARK = 'pruned-until';

/** Writes a file that isn't there yet; a system error where it is. */
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

/** When the token of a mark was minted; NaN for a file that is no mark. */
function mintedAtOf(mark: string): number {
  return /^\d+-[0-9a-f]{32}$/.test(mark) ? Number(mark.split('-', 1)[0]) : Number.NaN;
}

/**
 * Tokens minted up to here are dead, whatever the clock says: their marks were removed. The folder's own names tell it
 * (`pruned-until-<milliseconds>`), so that it is kept as atomically as the marks are.
 */
function watermarkIn(names: readonly string[]): number {
  const mark = `${WATERMARK}-`;
  const found = names.filter((name) => name.startsWith(mark)).map((name) => name.slice(mark.length));
  return Math.max(0, ...found.filter((text) => /^\d+$/.test(text)).map(Number));
}

/** Removes marks, once the watermark that stands for them is on the disk. */
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

/** Leaves a mark; false where it is there already. Atomic across processes. */
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

/** Spent tokens that are kept in a folder. */
export interface SpentInFolder extends SpentTokens {
  /** All that is known, for who keeps it elsewhere from now on. */
  all(): Promise<{ readonly marks: readonly SpentMark[]; readonly forgottenUntil: number }>;
}

/** Keeps marks as empty files in a folder inside the data folder, whose names tell all. */
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
