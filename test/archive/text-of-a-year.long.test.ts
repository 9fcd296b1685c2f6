import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Archive } from '../../src/archive/archive.ts';
import { openArchive } from '../../src/archive/archive.ts';
import { readDocuments } from '../../src/documents/summary/read-document.ts';
import type { DocumentSummary } from '../../src/documents/summary/summary.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { documentsIn, samplePaths } from '../documents/samples.ts';
import { DEMO_CNPJ, list, period } from '../sandbox/calls.ts';
import { isFound } from './plain-texts.ts';

const lists = [
  ['nfe', 'Mercadoria/RetornaListaXml'],
  ['nfse', 'Servico/RetornaListaXmlPelaEmissao'],
  ['cte', 'Transporte/RetornaListaXmlPelaEmissao'],
] as const;
type Area = (typeof lists)[number][0];

const all = { company: DEMO_CNPJ, by: 'issue', from: '2010-01-01', to: '2030-12-31' } as const;
const status = ['authorized', 'cancelled', 'denied', 'no_protocol', 'unknown'] as const;

function areaOf({ kind }: DocumentSummary): Area {
  return kind === 'nfse' ? 'nfse' : kind === 'cte' || kind === 'cteos' ? 'cte' : 'nfe';
}

/** The same from one run to the next. */
function createPick(): <T>(from: readonly T[]) => T {
  let state = 5;
  return (from) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return from[Math.floor((state / 2 ** 32) * from.length)] as (typeof from)[number];
  };
}

/** Words, parts of words, numbers and keys that documents have in them, alone and two by two. */
function textsIn(documents: readonly DocumentSummary[]): string[] {
  const pick = createPick();
  const word = () => {
    const { issuer, recipient, number, key, operation, service, items } = pick(documents);
    const described = items.map(({ description }) => description);
    const said = [issuer?.name, issuer?.id, recipient?.name, number, key, operation, service?.description];
    const words = [...said, ...described]
      .flatMap((one) => one?.split(/\s+/) ?? [])
      .filter((one) => one !== '');
    const whole = pick(words);
    const start = pick([0, 0, 0, Math.floor(whole.length / 3)]);
    return whole.slice(start, pick([undefined, undefined, start + 3, start + 6]));
  };
  return Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? word() : `${word()} ${word()}`));
}

describe('texts of a year and of the samples', () => {
  const documents: DocumentSummary[] = [];
  let archive: Archive;

  beforeAll(async () => {
    const sandbox = await startSandbox({ now: () => new Date('2026-11-20T12:00:00-03:00') });
    for (const [, name] of lists) {
      const held = await list(sandbox, name, period('01/01/2020', '31/12/2040', ''));
      for (const xml of held) documents.push(...readDocuments(xml));
    }
    await sandbox.close();
    const samples = samplePaths()
      .filter((path) => path.endsWith('.xml'))
      .flatMap(documentsIn);
    const keys = new Set(documents.map(({ key }) => key));
    for (const sample of samples) {
      // No answer has what is from the test environment, and each document counts once.
      if (sample.kind === 'event' || sample.environment === 'test' || (sample.key && keys.has(sample.key)))
        continue;
      keys.add(sample.key ?? '');
      documents.push(sample);
    }
    archive = await openArchive({ mode: 'memory', keepXml: false });
    for (const [area] of lists) {
      const arrivals = documents.filter((one) => areaOf(one) === area).map((summary) => ({ summary }));
      await archive.store({ ...all, area, fetchedAt: new Date() }, arrivals);
    }
  });
  afterAll(() => archive?.close());

  it('find what a calculation by hand finds', async () => {
    const texts = textsIn(documents);
    let found = 0;
    for (const text of texts) {
      for (const [area] of lists) {
        const { total } = await archive.list({ ...all, area, filters: { text, status }, limit: 1 });
        const expected = documents.filter((one) => areaOf(one) === area && isFound(one, text)).length;
        expect([text, area, total]).toEqual([text, area, expected]);
        found += total;
      }
    }
    expect(found).toBeGreaterThan(texts.length);
  });
});
