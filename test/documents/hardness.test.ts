import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDocuments } from '../../src/documents/summary/read-document.ts';
import { decodeText, EncodingError } from '../../src/documents/xml/encoding.ts';
import { XmlError } from '../../src/documents/xml/xml.ts';
import { cpuTime } from '../support/cpu-time.ts';
import { rounds } from '../support/depth.ts';
import { item, note } from './inline-notes.ts';
import { sampleBytes, samplePaths, sampleText } from './samples.ts';

const layoutNames = (
  'nfeProc NFe infNFe det prod total ICMSTot evento infEvento NFSe CompNfse Nfse InfNfse IdentificacaoNfse nfse nf numero_nfse ' +
  'Nota NumeroNota NOTA_FISCAL tbnfd cteProc CTe infCte __proto__ constructor vNF Numero chNFe'
).split(' ');

function outcome(read: () => unknown[]): 'none' | 'some' | 'refused' {
  try {
    return read().length === 0 ? 'none' : 'some';
  } catch (error) {
    if (error instanceof XmlError || error instanceof EncodingError) return 'refused';
    throw error;
  }
}

/** Every start and end of a tag, and every 97th position; in the short suite a selection of them, and the last. */
function cuts(text: string): number[] {
  const places: number[] = [];
  for (let i = 1; i < text.length; i++) {
    if (i % 97 === 0 || text[i] === '<' || text[i - 1] === '>') places.push(i);
  }
  const step = Math.ceil(places.length / rounds(places.length, 40));
  return places.filter((_, i) => (places.length - 1 - i) % step === 0);
}

describe('a document that was cut', () => {
  const texts = [
    ['an inline note', note()],
    ...samplePaths()
      .filter((path) => path.endsWith('.xml'))
      .map((path) => [path, sampleText(path).trimEnd()]),
  ];

  it.each(texts)('%s: no strict beginning is taken for a document', (_, text) => {
    for (const cut of cuts(text ?? '')) {
      const start = (text ?? '').slice(0, cut);
      expect(outcome(() => readDocuments(start))).not.toBe('some');
    }
  });
});

it('documents with changed bytes throw no other errors', () => {
  const original = sampleBytes('nfe/nfe-importacao-idEstrangeiro.xml');
  const change = fc.tuple(fc.nat(original.length - 1), fc.nat(255));
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), (changes) => {
      const bytes = Buffer.from(original);
      for (const [at, value] of changes) bytes[at] = value;
      expect(['none', 'some', 'refused']).toContain(outcome(() => readDocuments(decodeText(bytes))));
    }),
    { numRuns: rounds(500) },
  );
});

it('trees of layout names throw no other errors', () => {
  const name = fc.constantFrom(...layoutNames);
  const { tree } = fc.letrec<{ tree: string }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 8 },
      fc.constantFrom('', '1.00', '\u202e', '&lt;'),
      fc
        .tuple(name, fc.array(tie('tree'), { maxLength: 3 }))
        .map(([tag, inner]) => `<${tag}>${inner.join('')}</${tag}>`),
    ),
  }));
  fc.assert(
    fc.property(tree, (xml) => {
      expect(['none', 'some']).toContain(outcome(() => readDocuments(`<r>${xml}</r>`)));
    }),
    { numRuns: rounds(1000) },
  );
});

describe('cost', () => {
  /** CPU time of a read: user and system time, since a short time may be attributed entirely to either. */
  function timeOf(xml: string): number {
    const start = cpuTime();
    let reads = 0;
    while (cpuTime() - start < 10_000) {
      readDocuments(xml);
      reads++;
    }
    return (cpuTime() - start) / reads;
  }

  const fastest = (xml: string): number => Math.min(...Array.from({ length: 5 }, () => timeOf(xml)));

  it.each([
    [
      'items',
      (size: number) => note({ items: Array.from({ length: size }, (_, i) => item(i + 1, '1.00')).join('') }),
    ],
    [
      'one long text',
      (size: number) => note({ rest: `<infAdic><infCpl>${'&lt;x'.repeat(size * 60)}</infCpl></infAdic>` }),
    ],
    ['unknown elements', (size: number) => note({ rest: '<novo a="1">x</novo>'.repeat(size * 20) })],
    ['documents', (size: number) => `<lote>${note().repeat(size)}</lote>`],
    ['documents without an envelope', (size: number) => note().repeat(size)],
  ])('grows with %s no faster than their number', (_, make) => {
    const size = rounds(500, 150);
    const [small, large] = [make(size), make(8 * size)];
    fastest(small);
    expect(fastest(large) / fastest(small)).toBeLessThan(8 * 4);
  });
});
