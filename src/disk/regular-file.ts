import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';

/**
 * What stands in the place of a file of ours is none: a link, a folder, a FIFO, a device, a file of somebody else, or
 * one that is larger than ours can be. Carries no path.
 */
class NotOurFile extends Error {
  /** As a system error has it, so that it is told like one: `ENOTREG`, `ENOTOWN` or `EFBIG`. */
  readonly code: string;
  readonly syscall = 'open';

  constructor(code: 'ENOTREG' | 'ENOTOWN' | 'EFBIG') {
    super(`not a file of ours (${code})`);
    this.name = 'NotOurFile';
    this.code = code;
  }
}

/** Links are not followed, and a FIFO or a device doesn't hold up who opens it. Windows knows neither. */
export const careful = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

const flagsFor = {
  read: constants.O_RDONLY,
  append: constants.O_RDWR | constants.O_APPEND,
  'append-new': constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL,
  'write-new': constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
} as const;

/** A new file is for its owner alone. */
const PRIVATE = 0o600;

interface FileFacts {
  isFile(): boolean;
  readonly uid: number;
  readonly size: number;
}

function checkForm(facts: FileFacts, largest: number): void {
  if (!facts.isFile()) throw new NotOurFile('ENOTREG');
  if (facts.size > largest) throw new NotOurFile('EFBIG');
}

function check(facts: FileFacts, largest: number): void {
  const user = process.getuid?.();
  if (facts.isFile() && user !== undefined && facts.uid !== user) throw new NotOurFile('ENOTOWN');
  checkForm(facts, largest);
}

/**
 * Opens a file that this program keeps for itself, and nothing else that may stand in its place.
 * @param largest bytes
 * @throws NotOurFile; the system's errors, `ELOOP` for a link among them
 */
export async function openOwnFile(
  path: string,
  mode: keyof typeof flagsFor,
  largest: number,
): Promise<FileHandle> {
  const handle = await open(path, flagsFor[mode] | careful, PRIVATE);
  try {
    check(await handle.stat(), largest);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The content of a file that this program keeps for itself. @throws what `openOwnFile` throws */
export async function readOwnFile(path: string, largest: number): Promise<Buffer> {
  const handle = await openOwnFile(path, 'read', largest);
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/**
 * Looks at what stands in the place of a file that something else will open, such as a database engine.
 * @throws NotOurFile; nothing where there is no such file yet
 */
export async function checkOwnFile(path: string, largest: number): Promise<void> {
  try {
    check(await lstat(path), largest);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

/**
 * The content of a file that a setting names. Links are followed and whoever may own it, as container platforms keep
 * their secrets; a FIFO, a device or more than it can be is refused, for reading it may never end.
 * @param largest bytes
 * @throws NotOurFile; the system's errors
 */
export async function readNamedFile(path: string, largest: number): Promise<Buffer> {
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    checkForm(await handle.stat(), largest);
    const chunks: Buffer[] = [];
    // What the system makes up as it is read says nothing of its size beforehand.
    for await (const chunk of handle.createReadStream({ end: largest, autoClose: false })) chunks.push(chunk);
    const content = Buffer.concat(chunks);
    if (content.length > largest) throw new NotOurFile('EFBIG');
    return content;
  } finally {
    await handle.close();
  }
}

/** Puts a folder's list of names on the disk. Windows has no such call and does it with the file. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
