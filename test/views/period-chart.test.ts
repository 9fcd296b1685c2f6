import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { periodViewMessages } from '../../src/messages/apart/views/period.ts';

/** As much of a page as a chart needs: elements by name, with the text in them. */
class FakeElement {
  readonly children: (FakeElement | string)[] = [];
  readonly attributes = new Map<string, string>();
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
  append(child: FakeElement | string) {
    this.children.push(child);
  }
  setAttribute(name: string, value: string) {
    this.attributes.set(name, value);
  }
  replaceChildren(...children: (FakeElement | string)[]) {
    this.children.splice(0, Infinity, ...children);
  }
  addEventListener() {}
  contains() {
    return false;
  }
  text(): string {
    return this.children.map((child) => (typeof child === 'string' ? child : child.text())).join('');
  }
  find(name: string): FakeElement | undefined {
    const inside = this.children.filter((child) => child instanceof FakeElement);
    return this.name === name ? this : inside.map((child) => child.find(name)).find(Boolean);
  }
}

const speaker = {
  language: 'pt-BR',
  day: (day: string) => day,
  name: (_group: string, value: string) => value,
  say: (key: keyof typeof periodViewMessages, values: Record<string, string | number> = {}) =>
    periodViewMessages[key][0]
      .replace(/\{(\w+):(\w+)\|(\w+)\}/g, (_all, name, one, more) => (values[name] === 1 ? one : more))
      .replace(/\{(\w+)\}/g, (_all, name) => String(values[name])),
};

/** The view's own code: it has the types of a browser, which are not the tests'. */
const ofView = (file: string) => import(`../../src/views/period/${file}.ts`);

beforeAll(() => {
  const document = {
    createElement: (name: string) => new FakeElement(name),
    createElementNS: (_space: string, name: string) => new FakeElement(name),
    documentElement: { clientWidth: 800 },
  };
  vi.stubGlobal('document', document);
});
afterAll(() => vi.unstubAllGlobals());

const group = (at: number) => ({
  group: { partner: `${at}` },
  measures: { count: '1', total: `${100 - at}.00` },
});
const listed = (at: number) => ({
  document: 'nfe',
  number: `${at}`,
  issued_at: `2026-11-${String(at + 10)}T10:00:00-03:00`,
  totals: { total: '10.00' },
});
const pending = (at: number) => ({ key: `${at}`, status: 'open', days_left_conclusive: at, total: '1.00' });
const ten = (one: (at: number) => object) => Array.from({ length: 10 }, (_, at) => one(at));

describe('the chart of a period', () => {
  it.each([
    ['groups', { rows: ten(group), total_groups: 27 }, 'total: os maiores', '10 de 27 linhas'],
    ['a list', { listed: ten(listed), total: 27 }, 'total no tempo', '10 de 27 linhas'],
    [
      'pending notes',
      { pending: ten(pending), total: 27, tacitly_confirmed: 3, settled_upstream: 1 },
      'Notas pelo prazo da manifestação conclusiva',
      'a resposta continua',
    ],
  ])('of one page of %s says so', async (_of, answer, title, extent) => {
    const { tableOf } = await ofView('table');
    const { resultsPart } = await ofView('results');
    const caption = (page: object, goesOn: boolean) => {
      const results = resultsPart();
      const looking = { filter: '', sorting: undefined, shown: 100, measure: 'total' };
      const asking = { open: undefined, goesOn, changed: () => undefined };
      results.show(looking, tableOf(page, {}, speaker), speaker, asking);
      return results.part.find('figcaption').text();
    };
    expect(caption(answer, true)).toBe(`${title} · ${extent}`);
    const whole = { ...answer, ...('total_groups' in answer ? { total_groups: 10 } : { total: 10 }) };
    expect(caption(whole, false)).toBe(title);
  });
});
