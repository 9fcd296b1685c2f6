import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openArchive } from '../../src/archive/store/open.ts';
import { cleanEnvironment, program, temporaryFolder } from '../support/built-program.ts';
import { authorisedNote, eventFile, ourCompany, supplier } from '../support/filed-documents.ts';

const notes = 1_500;

describe('an import that is killed', () => {
  const files = temporaryFolder();
  const data = temporaryFolder();

  beforeAll(() => {
    for (let number = 1; number <= notes; number++) {
      writeFileSync(join(files.path, `${number}.xml`), authorisedNote({ number }));
      if (number % 10 === 0) writeFileSync(join(files.path, `${number}-can.xml`), eventFile({ number }));
    }
  });

  afterAll(() => {
    files.remove();
    data.remove();
  });

  /** Starts an import and kills it once it has written so much; without a limit it ends by itself. */
  const run = (killAt: number | undefined) =>
    new Promise<number | null>((resolve, reject) => {
      const args = [program, 'archive', 'import', files.path, '--archive', 'file', '--data-dir', data.path];
      const child = spawn(process.execPath, args, {
        env: cleanEnvironment({ DFE_CNPJ: ourCompany }),
        stdio: 'ignore',
      });
      child.once('error', reject);
      child.once('exit', (code) => resolve(code));
      if (killAt !== undefined) setTimeout(() => child.kill('SIGKILL'), killAt);
    });

  const look = async () => {
    const archive = await openArchive({ mode: 'file', folder: data.path, keepXml: false });
    try {
      const { documents, events } = await archive.info();
      const { findings } = await archive.verify();
      const october = {
        company: ourCompany,
        area: 'nfe',
        by: 'issue',
        from: '2026-10-01',
        to: '2026-10-31',
      } as const;
      const question = { ...october, groupBy: ['issuer'], measures: ['count', 'total'], limit: 9 } as const;
      const { rows } = await archive.ask(question);
      return {
        documents,
        events,
        findings,
        sums: rows.map(({ group, measures }) => [group.issuer, measures.count, measures.total]),
      };
    } finally {
      await archive.close();
    }
  };

  it('leaves an archive without damage at whatever moment, and the same import again completes it', async () => {
    for (const moment of [300, 700, 1_200]) {
      await run(moment);
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
  }, 120_000);
});
