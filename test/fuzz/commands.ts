import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { temporaryFolder } from '../support/built-program.ts';
import { hostileEnvironment, hostileNote, hostileService, type Plant } from '../support/hostile-service.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { runInProcess } from '../support/run-in-process.ts';
import type { Random } from './random.ts';
import { differences, type Heard, harmless, hostile } from './words.ts';

/** What reads the files comes first: the others find them known. */
const commands = [
  ['archive', 'import', 'FOLDER'],
  ['doctor'],
  ['archive', 'fetch', '--from', '2026-11-09', '--until', '2026-11-11'],
  ['archive', 'info'],
  ['archive', 'verify'],
  ['archive', 'export', '--to', 'EXPORTED'],
  ['archive', 'purge', '--until', '2026-11-30'],
] as const;

/** What a file may be called: one part of a path, short enough. */
function inFileName(text: string): string {
  return [...text.replaceAll(/[/\0]/g, '')]
    .slice(0, 60)
    .join('')
    .replace(/\p{Cs}/gu, '');
}

/** Files and folders that say something by their names, and some that are no documents. */
function fillFolder(folder: string, plant: Plant): void {
  const named = (place: string) => inFileName(plant(place));
  const inner = `${folder}/3 ${named('name of a folder')}`;
  mkdirSync(inner, { recursive: true });
  writeFileSync(`${folder}/1 ${named('name of a note')}.xml`, hostileNote(plant));
  writeFileSync(`${folder}/2 ${named('name of a broken file')}.xml`, '<a><b>');
  writeFileSync(`${inner}/1 ${named('name of another')}.xml`, '<Odd><a>1</a></Odd>');
  writeFileSync(`${inner}/2 ${named('name of a ZIP')}.zip`, 'PK no more than that');
  // What was written within two seconds is read again, so that a busy machine would read less.
  const longAgo = new Date('2026-10-20T10:00:00Z');
  for (const one of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (one.isFile()) utimesSync(`${one.parentPath}/${one.name}`, longAgo, longAgo);
  }
}

/** Everything a person reads of the commands before hostile files and a hostile service. */
async function hear(plant: Plant): Promise<Heard[]> {
  const folder = temporaryFolder();
  const upstream = await startRecordingUpstream(hostileService(plant));
  try {
    const files = `${folder.path}/files`;
    mkdirSync(files);
    fillFolder(files, plant);
    const env = { ...hostileEnvironment(upstream.url, folder.path), DFE_FILES: files, DFE_ARCHIVE: 'file' };
    const heard: Heard[] = [];
    for (const words of commands) {
      const args = words.map((word) => word.replace('FOLDER', files).replace('EXPORTED', folder.path));
      const { stdout, stderr } = await runInProcess(args, env);
      const text = `${stdout}${stderr}`
        // How far it has come is told once in a while.
        .replaceAll(/^(?:\S+: )?\d+ (?:of \d+ days?|files? read), \d+ documents?\n/gm, '')
        .replaceAll(folder.path, '/folder')
        .replaceAll(upstream.url, 'http://service');
      heard.push({ what: words.join(' '), text, links: '' });
    }
    return heard;
  } finally {
    await upstream.close();
  }
}

/** One round: hostile texts in names of files, documents and the answers of a service, and the same with harmless ones. */
export async function fuzzCommands(random: Random): Promise<string[]> {
  return differences(await hear(hostile(random)), await hear(harmless));
}
