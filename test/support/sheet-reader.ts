import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pdfTexts } from './pdf-text.ts';

/** Whether a program that some tests need is installed; if not, the console names the skipped tests once. */
function isInstalled(program: string, without: string): boolean {
  const isThere = spawnSync(program, ['-v'], { stdio: 'ignore' }).error === undefined;
  if (!isThere) console.error(`${program} is not installed: ${without}`);
  return isThere;
}

const hasPoppler = isInstalled(
  'pdftotext',
  'the texts of sheets are read by this repository, not by poppler (poppler-utils)',
);
const hasZbar =
  hasPoppler && isInstalled('zbarimg', 'bar codes and QR codes of sheets are not read (zbar-tools)');

/** Whether pictures of a sheet can be made and its codes be read. */
export const canScan = hasZbar;

function inFolder<T>(pdf: Uint8Array, use: (folder: string, file: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'docfiscal-sheet-'));
  try {
    const file = join(folder, 'sheet.pdf');
    writeFileSync(file, pdf);
    return use(folder, file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(program: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  });
  // 4 is zbar's word for a picture without codes.
  if (status !== 0 && !(program === 'zbarimg' && status === 4)) throw new Error(`${program}: ${stderr}`);
  return stdout;
}

/** All that a sheet says, in the order it was drawn, a line for each piece. */
export function sheetText(pdf: Uint8Array): string {
  if (!hasPoppler) return pdfTexts(pdf).join('\n');
  return inFolder(pdf, (_, file) => run('pdftotext', '-raw', '-enc', 'UTF-8', file, '-'));
}

/** A text without blanks, so that it does not matter where its lines end. */
export const dense = (text: string): string => text.replace(/\s+/g, '');

/** The text of a sheet without blanks. */
export const sheetWords = (pdf: Uint8Array): string => dense(sheetText(pdf));

/** What the bar codes and QR codes in the head of a sheet's first page say, as zbar reads a picture of it. */
export function scannedCodes(pdf: Uint8Array, resolution = 200): string[] {
  return inFolder(pdf, (folder, file) => {
    // The head of a page, where the codes are.
    const area = ['-x', '0', '-y', '0', '-W', String(resolution * 9), '-H', String(resolution * 4)];
    run(
      'pdftoppm',
      '-gray',
      '-r',
      String(resolution),
      '-f',
      '1',
      '-l',
      '1',
      ...area,
      '-png',
      file,
      join(folder, 'page'),
    );
    const picture = readdirSync(folder).find((name) => name.endsWith('.png')) ?? '';
    return run('zbarimg', '-q', '--raw', join(folder, picture)).split('\n').filter(Boolean);
  });
}

/** How many pages a PDF has. */
export function pageCount(pdf: Uint8Array): number {
  return Number(
    /\/Type \/Pages[^>]*?\/Count (\d+)|\/Count (\d+)/
      .exec(Buffer.from(pdf).toString('latin1'))
      ?.slice(1)
      .find(Boolean),
  );
}
