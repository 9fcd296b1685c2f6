import { spawn } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openArchive } from '../../src/archive/archive.ts';
import { cleanEnvironment, program, temporaryFolder } from '../support/built-program.ts';
import { authorisedNote, eventFile, ourCompany, supplier } from '../support/filed-documents.ts';
import { zipOf } from '../support/zip.ts';

const notes = 1_500;
/** The last of them are in ZIPs, and these in a ZIP inside one. */
const loose = 900;
const perZip = 100;

describe('an import that is killed', () => {
  const files = temporaryFolder();
  const data = temporaryFolder();

  beforeAll(() => {
    for (let number = 1; number <= notes; number++) {
      if (number <= loose) writeFileSync(join(files.path, `${number}.xml`), authorisedNote({ number }));
      if (number % 10 === 0) writeFileSync(join(files.path, `${number}-can.xml`), eventFile({ number }));
    }
    for (let first = loose + 1; first <= notes; first += perZip) {
      const numbers = Array.from({ length: perZip }, (_, i) => first + i);
      const zip = zipOf(
        numbers.map((number) => ({ name: `${number}.xml`, bytes: Buffer.from(authorisedNote({ number })) })),
      );
      const nested = first + perZip > notes ? zipOf([{ name: 'inner.zip', bytes: zip }]) : zip;
      writeFileSync(join(files.path, `lote-${first}.zip`), nested);
    }
    // A copy of what is loose already.
    const again = [1, 2, 3].map((number) => ({
      name: `copia/${number} (1).xml`,
      bytes: Buffer.from(authorisedNote({ number })),
    }));
    writeFileSync(join(files.path, 'copias.zip'), zipOf(again));
  });

  /** Bytes of the archive and of what is about to go into it. */
  const written = () =>
    ['archive.db', 'archive.db-wal'].reduce(
      (sum, name) => sum + (statSync(join(data.path, name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );

  /** Starts an import and kills it once it has written so much more; without a limit it ends by itself. */
  const run = (bytes: number | undefined) =>
    new Promise<number | null>((resolve, reject) => {
      const args = [program, 'archive', 'import', files.path, '--archive', 'file', '--data-dir', data.path];
      const child = spawn(process.execPath, args, {
        env: cleanEnvironment({ DFE_CNPJ: ourCompany }),
        stdio: 'ignore',
      });
      const before = written();
      const watch = setInterval(() => {
        if (bytes !== undefined && written() >= before + bytes) child.kill('SIGKILL');
      }, 2);
      child.once('error', reject);
      child.once('exit', (code) => {
        clearInterval(watch);
        resolve(code);
      });
    });

  const look = async () => {
    const archive = await openArchive({ mode: 'file', folder: data.path, keepXml: false });
    const { documents, events } = await archive.info();
    const { findings } = await archive.verify();
    const october = { from: '2026-10-01', to: '2026-10-31' } as const;
    const scope = { company: ourCompany, area: 'nfe', by: 'issue', ...october } as const;
    const { rows } = await archive.ask({
      ...{ ...scope, groupBy: ['issuer'], measures: ['count', 'total'], limit: 9 },
    });
    await archive.close();
    const sums = rows.map(({ group, measures }) => [group.issuer, measures.count, measures.total]);
    return { documents, events, findings, sums };
  };

  it('leaves an archive without damage at whatever moment, and the same import again completes it', async () => {
    for (const bytes of [1, 100_000, 300_000, 500_000, 200_000, 800_000, 400_000, 1_200_000]) {
      await run(bytes);
      expect((await look()).findings).toEqual([]);
    }
    expect(await run(undefined)).toBe(0);
    const count = notes - notes / 10;
    expect(await look()).toEqual({
      documents: notes,
      events: notes / 10,
      findings: [],
      sums: [[supplier, String(count), `${count}00.00`]],
    });
  });
});
