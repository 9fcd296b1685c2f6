import { describe, expect, it } from 'vitest';
import { viewHtml } from '../../scripts/views.mjs';
import { isHere, patiently, startBrowsing } from './views/browsing.ts';
import type { Host, Told } from './views/host.mjs';

const { open: openHost, demo } = startBrowsing();

/** A4 without its margins, in pixels of a screen. */
const PAPER = 718;
const inbound = { document: 'nfe', from: 'last_month', direction: 'inbound' };

const open = (width = 900): Promise<Host> => openHost({ width, ...demo('modern') });

/** Shows what a tool of the demo answers. */
async function showAnswer(host: Host, tool: string, args: object, context: object = { locale: 'en' }) {
  const page = `ui://docfiscal/${tool.endsWith('_document') ? 'document' : 'period'}.html`;
  const result = await host.call(tool, args);
  await host.show({ page, args, result, context });
  await host
    .view()
    .locator(tool.endsWith('_document') ? '.sheet' : '.grid')
    .waitFor();
  return result;
}

/** Has the page drawn anew by a change of the host's. */
async function darken(host: Host): Promise<void> {
  await host.change({ theme: 'dark' });
  const theme = () => host.view().evaluate<string>('document.documentElement.dataset.theme');
  await expect.poll(theme, patiently).toBe('dark');
}

const focused = (host: Host) =>
  host
    .view()
    .evaluate<string>(
      "[document.activeElement].map((one) => one.tagName + ' ' + (one.getAttribute('aria-label') ?? one.textContent))[0]",
    );
const named = (tree: readonly Told[], role: string) =>
  tree.filter((one) => one.role === role).map(({ name }) => name);

describe.skipIf(!isHere)('by keyboard alone', () => {
  it('a period is filtered, sorted and gone through, a document opened and left, and nothing loses the keyboard', async () => {
    const host = await open();
    const { structuredContent } = await showAnswer(host, 'query_documents', { ...inbound, limit: 5 });
    const numbers = (structuredContent.listed as { number: string }[]).map(({ number }) => number);
    // The tab key goes through everything in the order in which it stands.
    const order: string[] = [];
    for (let step = 0; step < 11; step += 1) {
      await host.press('Tab');
      order.push(await focused(host));
    }
    expect(order.slice(0, 3)).toEqual(['INPUT Filter', 'BUTTON Copy CSV', 'DIV Rows']);
    expect(order).toContain('BUTTON Total');
    expect(order.slice(-2)).toEqual([`BUTTON ${numbers[0]}`, `BUTTON ${numbers[1]}`]);

    const heading = host.view().locator('th[aria-sort] button');
    await heading.first().press('ArrowRight');
    expect(await focused(host)).toBe('BUTTON Date');
    await host.press('End');
    expect(await focused(host)).toBe('BUTTON Key');
    await host.press('Home');
    await host.press('Enter');
    expect(await host.view().locator('th[aria-sort="ascending"]').allTextContents()).toEqual(['Number']);
    expect(await focused(host)).toBe('BUTTON Number');
    await host.press('Enter');
    expect(await host.view().locator('th[aria-sort="descending"]').allTextContents()).toEqual(['Number']);

    const rows = await host.view().locator('tbody td:first-child').allTextContents();
    expect(rows).toEqual(
      numbers
        .map(Number)
        .toSorted((a, b) => b - a)
        .map(String),
    );
    await host.view().getByRole('button', { name: rows[0], exact: true }).press('ArrowDown');
    expect(await focused(host)).toBe(`BUTTON ${rows[1]}`);
    await host.press('Enter');
    await host.view().getByText('DESTINATÁRIO / REMETENTE').waitFor();
    expect(await focused(host)).toBe('BUTTON ← Back');
    await host.press('Escape');
    await host.view().locator('.grid').waitFor();
    expect(await focused(host)).toBe(`BUTTON ${rows[1]}`);
    await darken(host);
    expect(await focused(host)).toBe(`BUTTON ${rows[1]}`);

    const filter = host.view().getByRole('searchbox');
    await filter.fill(String(rows[2]));
    await expect.poll(() => host.view().locator('tbody tr').count(), patiently).toBe(1);
    await host.press('Escape');
    await expect.poll(() => host.view().locator('tbody tr').count(), patiently).toBe(5);
    await host.view().getByRole('button', { name: 'Fetch more' }).press('Enter');
    await expect.poll(() => host.view().locator('tbody tr').count(), patiently).toBe(10);
    expect(await focused(host)).toBe('BUTTON Fetch more');
    expect(host.faults).toEqual([]);
  });

  it('a document is verified and its XML opened and closed', async () => {
    const host = await open();
    const { structuredContent } = await host.call('query_documents', { ...inbound, limit: 1 });
    const [{ key }] = structuredContent.listed as [{ key: string }];
    await showAnswer(host, 'get_document', { document: 'nfe', key });
    await host.view().getByText('CÁLCULO DO IMPOSTO').waitFor();
    // The first steps may still be in the host's page.
    const passed: string[] = [];
    for (let step = 0; step < 4 && passed.at(-1) !== 'BUTTON XML'; step += 1) {
      await host.press('Tab');
      passed.push(await focused(host));
    }
    expect(passed.slice(-2)).toEqual(['BUTTON PDF', 'BUTTON XML']);
    await host.press('Enter');
    await host.view().locator('.xml pre').waitFor();
    expect(await focused(host)).toBe('BUTTON XML');
    await host.press('Enter');
    await expect.poll(() => host.view().locator('.xml').count(), patiently).toBe(0);
    await host.press('Tab');
    expect(await focused(host)).toBe('BUTTON Verify authenticity');
    await host.press('Enter');
    await host.view().locator('.verified li').first().waitFor();
    // The button is gone, and the keyboard is at the beginning of the page that has the answer.
    expect(await focused(host)).toMatch(/^H1 NF-e/);
    expect(host.faults).toEqual([]);
  });

  it('a page that nobody has touched leaves the keyboard where it is', async () => {
    const host = await open();
    await showAnswer(host, 'query_documents', { ...inbound, limit: 5 });
    await darken(host);
    expect(await focused(host)).toMatch(/^BODY/);
  });
});

describe.skipIf(!isHere)('to a screen reader', () => {
  it('a period is a heading, a field, a picture that has a name and a table with its caption', async () => {
    const host = await open();
    await showAnswer(host, 'query_documents', { ...inbound, limit: 5 });
    const tree = await host.tree();
    expect(tree).toContainEqual(
      expect.objectContaining({ role: 'heading', level: 1, name: expect.stringContaining(' – ') }),
    );
    expect(named(tree, 'searchbox')).toEqual(['Filter']);
    expect(named(tree, 'group')).toContain('Actions');
    expect(named(tree, 'image')).toEqual([expect.stringMatching(/^Total over time · 5 of \d+ rows$/)]);
    expect(named(tree, 'table')).toEqual(['Rows']);
    expect(named(tree, 'caption')).toHaveLength(1);
    expect(named(tree, 'columnheader')).toEqual(['Number', 'Date', 'Issuer', 'Total', 'Status', 'Key']);
    expect(named(tree, 'row')).toHaveLength(6);
    for (const role of ['button', 'searchbox', 'region', 'table', 'image'])
      expect(named(tree, role).filter((name) => name.trim() === '')).toEqual([]);
  });

  it('a filter tells how many rows are left, by the same words that are seen', async () => {
    const host = await open();
    await showAnswer(host, 'query_documents', { ...inbound, limit: 5 });
    const counts = (tree: readonly Told[]) =>
      tree.filter(({ role, live }) => role === 'status' && live === 'polite').map(({ element }) => element);
    const before = counts(await host.tree());
    await host.view().getByRole('searchbox').fill('no such thing');
    await expect
      .poll(() => host.view().locator('.results [role=status]').textContent(), patiently)
      .toMatch(/^0 of 5 rows/);
    // The same elements with other words: an element that comes anew is not told by all.
    expect(counts(await host.tree())).toEqual(before);
    expect(before).toHaveLength(2);
  });

  it('a table that is cards in a narrow window is still a table', async () => {
    const host = await open(320);
    await showAnswer(host, 'list_pending_manifestations', { limit: 3 });
    const tree = await host.tree();
    expect(named(tree, 'table')).toHaveLength(1);
    expect(named(tree, 'columnheader')).toHaveLength(10);
    expect(named(tree, 'row')).toHaveLength(4);
    expect(named(tree, 'cell')).toHaveLength(30);
  });

  it('a document is one article in Portuguese, whatever the language around it, with headings and named bars', async () => {
    const host = await open();
    const { structuredContent } = await host.call('query_documents', { ...inbound, limit: 1 });
    const [{ key }] = structuredContent.listed as [{ key: string }];
    await showAnswer(host, 'get_document', { document: 'nfe', key });
    await host.view().getByText('CÁLCULO DO IMPOSTO').waitFor();
    const tree = await host.tree();
    expect(named(tree, 'article')).toHaveLength(1);
    expect(await host.view().locator('article').getAttribute('lang')).toBe('pt-BR');
    expect(named(tree, 'image')).toEqual(['ACCESS KEY']);
    const levels = tree.filter(({ role }) => role === 'heading').map(({ level }) => level);
    expect(new Set(levels)).toEqual(new Set([1, 2, 3]));
    expect(named(tree, 'table')).toEqual(['DADOS DOS PRODUTOS / SERVIÇOS']);
    expect(named(tree, 'button')).toEqual(['PDF', 'XML', 'Verify authenticity']);
  });

  it('what an answer rests on is said in the language of the host', async () => {
    const host = await open();
    const args = { ...inbound, group_by: ['issuer'], measures: ['count', 'total', 'icms'] };
    await showAnswer(host, 'query_documents', args, { locale: 'pt-PT' });
    const basis = await host.view().locator('.basis').textContent();
    expect(basis).toMatch(/Base: \d+ documentos\./);
    expect(basis).toContain('ICMS não inclui R$ ');
    expect(basis).not.toMatch(/_|Basis|cancelled/);
    await host.change({ locale: 'en-GB' });
    await expect
      .poll(() => host.view().locator('.basis').textContent(), patiently)
      .toMatch(/Basis: \d+ documents\./);
  });
});

describe.skipIf(!isHere)('what an answer rests on', () => {
  it('has columns by their words, and all else that looks like one as it came', async () => {
    const host = await openHost();
    const lines = { en: ['icms leaves out 1.00 (icms_credit)', '⚠ icms_credit.xml, nota_fiscal: bad_form'] };
    const words = {
      'column.icms_credit': ['Crédito de ICMS', 'ICMS credit'],
      'column.icms': ['ICMS', 'ICMS'],
    };
    await host.show({
      html: await viewHtml('period'),
      result: { structuredContent: { listed: [{}] }, _meta: { 'docfiscal/view': { lines, words } } },
      context: { locale: 'en' },
    });
    await host.view().locator('.basis p').first().waitFor();
    expect(await host.view().locator('.basis p').allTextContents()).toEqual([
      'ICMS leaves out 1.00 (ICMS credit)',
      '⚠ icms_credit.xml, nota_fiscal: bad_form',
    ]);
  });
});

describe.skipIf(!isHere)('on paper', () => {
  const isWiderThanPaper = (host: Host) =>
    host
      .view()
      .evaluate<boolean>(
        '[...document.querySelectorAll("td, th, dd, p, svg")].some((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)',
      );
  const visible = (host: Host, selector: string) =>
    host
      .view()
      .evaluate<number>(
        `[...document.querySelectorAll(${JSON.stringify(selector)})].filter((one) => one.getClientRects().length > 0).length`,
      );

  it('a period has no buttons to press, its names and headings all the same, and nothing is cut', async () => {
    const host = await open(PAPER);
    const dark = {
      locale: 'en',
      theme: 'dark',
      styles: { variables: { '--color-background-primary': '#000' } },
    };
    await showAnswer(host, 'list_pending_manifestations', { limit: 20 }, dark);
    const [heads, links] = [await visible(host, 'th button'), await visible(host, 'td button')];
    expect(new TextDecoder('latin1').decode((await host.print()).slice(0, 5))).toBe('%PDF-');
    expect(await visible(host, '.tools, .next')).toBe(0);
    expect([await visible(host, 'th button'), await visible(host, 'td button')]).toEqual([heads, links]);
    expect(heads).toBe(10);
    expect(links).toBe(20);
    expect(await isWiderThanPaper(host)).toBe(false);
    const style = (of: string) => host.view().evaluate<string>(`getComputedStyle(document.body).${of}`);
    expect([await style('backgroundColor'), await style('color')]).toEqual([
      'rgb(255, 255, 255)',
      'rgb(23, 24, 28)',
    ]);
  });

  it('all rows of a long table are there, where a screen shows some at once', async () => {
    const host = await openHost({ width: PAPER });
    const listed = Array.from({ length: 450 }, (_, at) => ({
      number: String(at),
      totals: { total: '1.00' },
    }));
    await host.show({ html: await viewHtml('period'), result: { structuredContent: { listed } } });
    expect(await host.view().locator('tbody tr').count()).toBe(100);
    await host.print();
    expect(await host.view().locator('tbody tr').count()).toBe(450);
    expect(await visible(host, '.more')).toBe(0);
  });

  it('a document has its form, its lines and no buttons', async () => {
    const host = await open(PAPER);
    const { structuredContent } = await host.call('query_documents', { ...inbound, limit: 1 });
    const [{ key }] = structuredContent.listed as [{ key: string }];
    await showAnswer(host, 'get_document', { document: 'nfe', key });
    await host.view().getByText('DADOS ADICIONAIS').waitFor();
    await host.print();
    expect(await visible(host, 'button')).toBe(0);
    expect(await isWiderThanPaper(host)).toBe(false);
    const exact = await host
      .view()
      .evaluate<string>('getComputedStyle(document.querySelector(".row")).printColorAdjust');
    expect(exact).toBe('exact');
  });
});
