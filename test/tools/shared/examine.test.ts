import { describe, expect, it } from 'vitest';
import { type Archive, openArchive } from '../../../src/archive/archive.ts';
import { rules } from '../../../src/documents/rules/index.ts';
import { keepCheck, keptCheck } from '../../../src/tools/shared/check-parts.ts';
import { Examination } from '../../../src/tools/shared/examine.ts';
import { company, nfeKey, note } from '../../documents/rules/hand-made.ts';

const november = { from: '2026-11-01', to: '2026-11-30' } as const;
const { signal } = new AbortController();

/** Documents with one finding each: an item of 5102 in a note that comes in. */
async function archiveOf(count: number): Promise<Archive> {
  const archive = await openArchive({ mode: 'memory', keepXml: false });
  const arrivals = Array.from({ length: count }, (_, i) => ({
    summary: note({
      key: nfeKey(i + 1),
      number: String(i + 1),
      items: [{ cfop: '1102', taxes: {} }],
      item_count: 1,
    }),
  }));
  await archive.store({ company, area: 'nfe', by: 'issue', ...november, fetchedAt: new Date() }, arrivals);
  return archive;
}

function look(archive: Archive) {
  return new Examination({
    archive,
    selection: { ...november, company, area: 'nfe', by: 'issue' },
    rules: rules.filter(({ code }) => code === 'cfop_against_flow'),
    linked: undefined,
    covered: { days: { nfe: [november], cte: [], nfse: [] }, openFrom: '2026-12-01' },
    now: new Date('2026-12-01T12:00:00Z'),
    timeZone: 'America/Sao_Paulo',
  });
}

describe('a look at documents', () => {
  it('stops when its time is over, goes on where it stopped, and looks at no document twice', async () => {
    const archive = await archiveOf(260);
    const examination = look(archive);
    const seen: number[] = [];
    while (!examination.isDone) {
      await examination.proceed(0, signal);
      seen.push(examination.documents);
    }
    expect(seen.length).toBeGreaterThan(3);
    expect(seen).toEqual(seen.toSorted((one, other) => one - other));
    expect(examination.documents).toBe(260);
    expect(examination.byRule.get('cfop_against_flow')).toBe(260);
    await archive.close();
  });

  it('finds the same in one go, and by two callers at once', async () => {
    const archive = await archiveOf(120);
    const whole = look(archive);
    await Promise.all([
      whole.proceed(Number.POSITIVE_INFINITY, signal),
      whole.proceed(Number.POSITIVE_INFINITY, signal),
    ]);
    expect([whole.documents, whole.findings.length]).toEqual([120, 120]);
    expect(new Set(whole.findings.map(({ key }) => key)).size).toBe(120);
    await archive.close();
  });

  it('that one caller gave up goes on for the next', async () => {
    const archive = await archiveOf(120);
    const examination = look(archive);
    const gone = AbortSignal.abort(new Error('gone'));
    await expect(examination.proceed(Number.POSITIVE_INFINITY, gone)).rejects.toThrow('gone');
    await examination.proceed(Number.POSITIVE_INFINITY, signal);
    expect([examination.isDone, examination.documents]).toEqual([true, 120]);
    await archive.close();
  });
});

describe('a check that is kept', () => {
  it('is found by its question and its archive alone, and eight of them at once', async () => {
    const [archive, other] = [await archiveOf(1), await archiveOf(1)];
    keepCheck(archive, 'one', []);
    expect(keptCheck(archive, 'one')).toEqual([]);
    expect(keptCheck(archive, 'two')).toBeUndefined();
    expect(keptCheck(other, 'one')).toBeUndefined();
    for (let i = 0; i < 8; i++) keepCheck(archive, `later ${i}`, []);
    expect(keptCheck(archive, 'one')).toBeUndefined();
    expect(keptCheck(archive, 'later 0')).toEqual([]);
    await Promise.all([archive.close(), other.close()]);
  });
});
