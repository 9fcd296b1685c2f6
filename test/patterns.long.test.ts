import { createRequire } from 'node:module';
import { describe, expect, it, vi } from 'vitest';
import { patternsOfProgram } from './support/patterns.ts';

/** What the analysis of a pattern ends with. Source: recheck's documentation. */
interface Diagnostics {
  readonly status: 'safe' | 'vulnerable' | 'unknown';
  readonly complexity?: { readonly summary: string };
  readonly attack?: { readonly pattern: string };
}

const tools = createRequire(new URL('../tools/package.json', import.meta.url));
const { checkSync }: { checkSync(source: string, flags: string, options: object): Diagnostics } =
  tools('recheck');

/**
 * Whether what it matches has a longest length: then what it does from any place on is bounded too, whatever the text.
 * Analysis by trying would take the bound, which is that of a secret's length, for growth.
 */
function isBounded(source: string): boolean {
  return !/[*+]|\{\d+,\}/.test(bare(source));
}

/** The pattern with a letter for every escape and class: as long as it was, and without what only looks like a sign. */
function bare(source: string): string {
  const same = (part: string): string => 'x'.repeat(part.length);
  return source.replace(/\\(?:u\{[^}]*\}|p\{[^}]*\}|.)/gs, same).replace(/\[[^\]]*\]/g, same);
}

/** What stands between the bars outside all groups. A text costs the whole pattern what it costs these together. */
function alternatives(source: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let start = 0;
  `${bare(source)}|`.split('').forEach((sign, at) => {
    if (sign === '(') depth++;
    if (sign === ')') depth--;
    if (sign !== '|' || depth > 0) return;
    found.push(source.slice(start, at));
    start = at + 1;
  });
  return found;
}

/**
 * Undefined where its time grows no faster than the text it looks at, whatever that is. The analysis measures as well:
 * what it finds while the machine is busy must be found a second time.
 */
function fault(source: string, flags: string): string | undefined {
  for (let look = 1; ; look += 1) {
    const { status, complexity, attack } = checkSync(source, flags, { timeout: 60_000, randomSeed: look });
    if (status === 'safe') return undefined;
    if (look > 1) return `${status}, ${complexity?.summary}: ${attack?.pattern}`;
  }
}

/** What makes patterns when it is called, with texts of all the kinds it is called with. */
const calls: Readonly<Record<string, () => Promise<void>>> = {
  'clients/http/redact.ts': async () => {
    const { createRedaction } = await import('../src/clients/http/redact.ts');
    createRedaction(['a', 'ab  c', 'pass12', '%25', '\\\\']).redact('a');
  },
  'clients/documents/decoding/xml.ts': async () => {
    const { endOfDamage } = await import('../src/clients/documents/decoding/xml.ts');
    endOfDamage('<NFe a="b">', undefined);
    endOfDamage('<a.b-c>', '<list>');
  },
  'documents/books/table.ts': async () => {
    const { readCsv } = await import('../src/documents/books/table.ts');
    readCsv('a;b');
  },
  'documents/signatures/content.ts': async () => {
    const { checkContent } = await import('../src/documents/signatures/content.ts');
    await checkContent('<NFe/>', 'nfe');
  },
};

/** The sandbox's data is made of its own templates: no text of anybody else is read there. */
const ofTemplates = (place: string) => place.startsWith('sandbox/data/');

describe('every pattern of the program that reads what others wrote', () => {
  const all = patternsOfProgram();
  const written = all.written.filter(({ places }) => !places.every(ofTemplates));
  const making = all.making.filter((name) => !ofTemplates(name));

  it('is found', () => {
    expect(written.length).toBeGreaterThan(200);
    expect(making).toContain('clients/http/redact.ts');
  });

  it.each(
    written.map(({ source, flags, places }) => [`/${source}/${flags}`, places.join(', '), source, flags]),
  )('%s takes time in proportion to its text (%s)', (_pattern, _places, source, flags) => {
    expect(fault(source, flags)).toBeUndefined();
  });

  it.each(making)('takes time in proportion to its text where it is made: %s', async (name) => {
    const made: [string, string][] = [];
    vi.resetModules();
    const Original = RegExp;
    vi.stubGlobal(
      'RegExp',
      new Proxy(Original, {
        construct(target, [source, flags = '']: [string, string]) {
          made.push([source, flags]);
          return new target(source, flags);
        },
      }),
    );
    try {
      await import(`../src/${name}`);
      await calls[name]?.();
    } finally {
      vi.unstubAllGlobals();
      vi.resetModules();
    }
    expect(made.length).toBeGreaterThan(0);
    for (const [source, flags] of made)
      for (const one of alternatives(source).filter((each) => !isBounded(each)))
        expect(fault(one, flags), `/${one}/${flags}`).toBeUndefined();
  });
});

describe('the analysis', () => {
  it('takes apart what stands between bars, but for those of groups, classes and escapes', () =>
    expect(alternatives('a+|(?:b|[|)]|\\))|\\|c|')).toEqual(['a+', '(?:b|[|)]|\\))', '\\|c', '']));

  it.each([
    ['a run that may begin anywhere', '\\s+$'],
    ['a run before what is not there', '\\w+@'],
    ['a run in a run', '^(?:a+)+$'],
    ['two runs of the same', '^\\s*\\s*x'],
  ])('finds %s', (_what, source) => {
    expect(fault(source, '')).toMatch(/vulnerable/);
  });
});
