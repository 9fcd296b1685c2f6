import { describe, expect, it } from 'vitest';
import { viewHtml } from '../../scripts/views.mjs';
import {
  aNote,
  lastMonth as inbound,
  isHere,
  patiently,
  showAnswer as show,
  startBrowsing,
} from './views/browsing.ts';
import type { Host, Told } from './views/host.mjs';

const { open: openHost, demo } = startBrowsing();

/** A4 without its margins, in pixels of a screen. */
const PAPER = 718;

const open = (width = 900): Promise<Host> => openHost({ width, ...demo('modern') });

/** Shows the answer of a demo tool, and waits for it. */
async function showAnswer(host: Host, tool: string, args: object, context?: object) {
  const answer = await show(host, tool, args, context);
  const end = tool.endsWith('_document') ? '.todo' : 'tbody';
  await host.view().locator(end).last().waitFor();
  return answer;
}

/** Redraws the page by a change of the host context. */
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
    const { listed } = await showAnswer(host, 'query_documents', { ...inbound, limit: 20 });
    const numbers = listed.map(({ number }) => number);
    // Tab follows the order of the page.
    const order: string[] = [];
    for (let step = 0; step < 9; step += 1) {
      await host.press('Tab');
      order.push(await focused(host));
    }
    expect(order.filter((one) => !one.startsWith('BODY') && !one.startsWith('SUMMARY')).slice(0, 6)).toEqual([
      'INPUT Filter',
      'BUTTON Copy CSV',
      'BUTTON Number, supplier',
      'BUTTON Date',
      'BUTTON Value, BRL',
      `BUTTON ${numbers[0]}`,
    ]);

    const heading = host.view().locator('th[aria-sort] button');
    await heading.first().press('ArrowRight');
    expect(await focused(host)).toBe('BUTTON Value, BRL');
    await host.press('Home');
    await host.press('Enter');
    expect(await host.view().locator('th[aria-sort="ascending"]').allTextContents()).toEqual([
      'Number, supplier',
    ]);
    expect(await focused(host)).toBe('BUTTON Number, supplier');
    await host.press('Enter');
    expect(await host.view().locator('th[aria-sort="descending"]').allTextContents()).toEqual([
      'Number, supplier',
    ]);

    const rows = await host.view().locator('tbody th button').allTextContents();
    expect(rows).toEqual(
      numbers
        .map(Number)
        .toSorted((a, b) => b - a)
        .map(String),
    );
    await host.view().getByRole('button', { name: rows[0], exact: true }).press('ArrowDown');
    expect(await focused(host)).toBe(`BUTTON ${rows[1]}`);
    await host.press('Enter');
    await host.view().locator('.todo').waitFor();
    expect(await focused(host)).toBe('BUTTON ← Back');
    await host.press('Escape');
    await host.view().locator('tfoot').waitFor();
    expect(await focused(host)).toBe(`BUTTON ${rows[1]}`);
    await darken(host);
    expect(await focused(host)).toBe(`BUTTON ${rows[1]}`);

    const filter = host.view().getByRole('searchbox');
    await filter.fill(String(rows[2]));
    await expect.poll(() => host.view().locator('tbody tr').count(), patiently).toBe(1);
    await host.press('Escape');
    await expect.poll(() => host.view().locator('tbody tr').count(), patiently).toBe(20);
    await host.view().getByRole('button', { name: 'Show more' }).press('Enter');
    await expect.poll(() => host.view().locator('tbody tr').count(), patiently).toBeGreaterThan(20);
  });

  it('typing continues while the host changes its colours, and a page with more rows keeps the focus', async () => {
    const host = await open();
    await showAnswer(host, 'query_documents', { ...inbound, limit: 20 });
    const view = host.view();
    const filter = view.getByRole('searchbox');
    await filter.press('4');
    await darken(host);
    await host.press('1');
    expect(await filter.inputValue()).toBe('41');
    expect(await focused(host)).toBe('INPUT Filter');
    await showAnswer(host, 'query_documents', { ...inbound, limit: 5 });
    const copy = host.view().getByRole('button', { name: 'Copy CSV' });
    await host.view().getByRole('button', { name: 'Show more' }).press('Enter');
    await copy.press('Shift');
    await expect.poll(() => host.view().locator('tbody tr').count(), patiently).toBeGreaterThan(5);
    expect(await focused(host)).toBe('BUTTON Copy CSV');
  });

  it('a document is verified, its form and its XML opened and closed', async () => {
    const host = await open();
    await showAnswer(host, 'get_document', await aNote(host));
    const view = host.view();
    await view.getByRole('button', { name: 'XML' }).press('Enter');
    await view.locator('.xml pre').waitFor();
    expect(await focused(host)).toBe('BUTTON XML');
    await host.press('Enter');
    await expect.poll(() => view.locator('.xml').count(), patiently).toBe(0);
    await view.getByRole('button', { name: 'Verify authenticity' }).press('Enter');
    await view.getByText('Authorisation: confirmed by the service').waitFor();
    // The button is gone, and the keyboard is at the beginning of the page that has the answer.
    expect(await focused(host)).toMatch(/^H1 NF-e/);
    await view.getByRole('button', { name: 'DANFE' }).press('Enter');
    await view.locator('.sheet').waitFor();
    await host.press('Escape');
    await expect.poll(() => view.locator('.sheet').count(), patiently).toBe(0);
    expect(await focused(host)).toBe('BUTTON DANFE');
  });

  it('an answer for a page that was left does not replace the one gone back to', async () => {
    const host = await open();
    const { listed } = await showAnswer(host, 'query_documents', { ...inbound, limit: 5 });
    const view = host.view();
    await view.getByRole('button', { name: listed[0]?.number ?? '', exact: true }).press('Enter');
    await view.locator('.todo').waitFor();
    await view.evaluate(
      `[...document.querySelectorAll('button')].find((one) => one.textContent === 'Verify authenticity').click();
       document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))`,
    );
    const busy = () => view.locator('p.busy').textContent();
    await expect.poll(busy, patiently).toBe('');
    expect(await view.locator('tfoot').count()).toBe(1);
    expect(await view.locator('.todo').count()).toBe(0);
  });

  it('a page that nobody has touched leaves the keyboard where it is', async () => {
    const host = await open();
    await showAnswer(host, 'query_documents', { ...inbound, limit: 5 });
    await darken(host);
    expect(await focused(host)).toMatch(/^BODY/);
  });
});

describe.skipIf(!isHere)('to a screen reader', () => {
  it('a period is a heading, a field and a table with its caption', async () => {
    const host = await open();
    await showAnswer(host, 'query_documents', { ...inbound, limit: 20 });
    const tree = await host.tree();
    expect(tree).toContainEqual(
      expect.objectContaining({ role: 'heading', level: 1, name: 'Inbound notes of October' }),
    );
    expect(named(tree, 'searchbox')).toEqual(['Filter']);
    expect(named(tree, 'table')).toEqual(['NF-e']);
    expect(named(tree, 'caption')).toHaveLength(1);
    expect(named(tree, 'columnheader')).toEqual(['Number, supplier', 'Date', 'Value, BRL', 'Key']);
    expect(named(tree, 'row')).toHaveLength(22);
    for (const role of ['button', 'searchbox', 'region', 'table', 'image'])
      expect(named(tree, role).filter((name) => name.trim() === '')).toEqual([]);
  });

  it('a filter tells how many rows are left, by an element that stays', async () => {
    const host = await open();
    await showAnswer(host, 'query_documents', { ...inbound, limit: 20 });
    const counts = (tree: readonly Told[]) =>
      tree.filter(({ role, live }) => role === 'status' && live === 'polite').map(({ element }) => element);
    const before = counts(await host.tree());
    await host.view().getByRole('searchbox').fill('no such thing');
    await expect
      .poll(() => host.view().locator('.tools [role=status]').textContent(), patiently)
      .toMatch(/^0 of 20 rows/);
    // The same elements with other words: not every screen reader announces a new element.
    expect(counts(await host.tree())).toEqual(before);
    expect(before).toHaveLength(2);
  });

  it('a table that is cards in a narrow window is still a table, and opens its notes', async () => {
    const host = await open(320);
    await showAnswer(host, 'list_pending_manifestations', { limit: 3 });
    const tree = await host.tree();
    expect(named(tree, 'table')).toEqual(['Pending manifestations by deadline']);
    expect(named(tree, 'row').length).toBeGreaterThan(6);
    expect(named(tree, 'rowheader').length).toBeGreaterThan(6);
    const keys = named(tree, 'button').filter((name) => name.startsWith('Copy the key'));
    expect(keys.length).toBeGreaterThan(3);
    expect(keys[0]).toMatch(/^Copy the key (?:[0-9A-Z]{4} ){10}[0-9A-Z]{4}$/);
    await host.view().locator('tbody .note button').first().click();
    await host.view().locator('.todo').waitFor();
  });

  it('findings of books and assessments are grouped, each group with the count and sum of the answer', async () => {
    const host = await open();
    const { structuredContent: there } = await host.call('reconcile', {});
    const file = (there.files as { file: string }[]).map((one) => one.file);
    const answer = await showAnswer(host, 'reconcile', { file });
    const found = answer.by_finding as { count: number; amount: string }[];
    expect(found.length).toBeGreaterThan(8);
    const headings = await host.view().locator('tr.grp').allTextContents();
    expect(headings).toHaveLength(found.length);
    for (const [at, { count, amount }] of found.entries()) {
      expect(headings[at]).toContain(`${count} finding`);
      expect(headings[at]).toContain(Number(amount).toLocaleString('en', { minimumFractionDigits: 2 }));
    }
    expect(await host.view().title()).toMatch(/^Reconciliation .* · \d+ findings$/);
  });

  it('a form is one article in Portuguese, whatever the language around it, with headings and named bars', async () => {
    const host = await open();
    await showAnswer(host, 'get_document', await aNote(host));
    const glance = await host.tree();
    expect(glance.filter(({ role, level }) => role === 'heading' && level === 1)).toHaveLength(1);
    expect(named(glance, 'table')).toEqual(['Amounts', 'Taxes shown', 'Items']);
    await host.view().getByRole('button', { name: 'DANFE' }).click();
    await host.view().getByText('CÁLCULO DO IMPOSTO').waitFor();
    const tree = await host.tree();
    expect(named(tree, 'article')).toHaveLength(1);
    expect(await host.view().locator('article').getAttribute('lang')).toBe('pt-BR');
    expect(named(tree, 'image')).toEqual(['ACCESS KEY']);
    // Bars high enough to be scanned, and lines between the fields.
    const seen = (what: string) => host.view().evaluate<string>(what);
    const bars = await seen('document.querySelector(".bars svg").getBoundingClientRect().height');
    expect(Number(bars)).toBeGreaterThan(30);
    expect(await seen('getComputedStyle(document.querySelector(".row")).backgroundColor')).not.toBe(
      'rgba(0, 0, 0, 0)',
    );
    expect(named(tree, 'table')).toEqual(['DADOS DOS PRODUTOS / SERVIÇOS']);
  });

  it('the basis of an answer is in the language of the host', async () => {
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

  it('notes that wait are all there with their whole keys, on white, and nothing is cut', async () => {
    const host = await open(PAPER);
    const dark = {
      locale: 'en',
      theme: 'dark',
      styles: { variables: { '--color-background-primary': '#000' } },
    };
    const answer = await showAnswer(host, 'list_pending_manifestations', {}, dark);
    const { total, tacitly_confirmed: tacit } = answer;
    expect(new TextDecoder('latin1').decode((await host.print()).slice(0, 5))).toBe('%PDF-');
    expect(await visible(host, '.only-screen, .more')).toBe(0);
    expect(await visible(host, 'td [data-key]')).toBe(Number(total) + Number(tacit));
    const key = await host
      .view()
      .evaluate<string>('getComputedStyle(document.querySelector("td [data-key]"), "::after").content');
    expect(key).toMatch(/[0-9A-Z]{44}/);
    expect(await isWiderThanPaper(host)).toBe(false);
    const style = (of: string) => host.view().evaluate<string>(`getComputedStyle(document.body).${of}`);
    expect([await style('backgroundColor'), await style('color')]).toEqual([
      'rgb(255, 255, 255)',
      'rgb(25, 26, 29)',
    ]);
  });

  it('all rows of a long table are there, where a screen shows some at once', async () => {
    const host = await openHost({ width: PAPER });
    const rows = Array.from({ length: 450 }, (_, at) => ({ cells: { name: String(at) } }));
    const columns = [{ name: 'name', heading: 'Name', kind: 'text', place: 'name' }];
    const table = { layout: 'rows', caption: 'Rows', columns, groups: [], rows };
    const page = { heading: 'Rows', answer: 'Rows', figures: [], notices: [], tables: [table], presses: [] };
    const result = { structuredContent: {}, _meta: { 'docfiscal/view': { page } } };
    await host.show({ html: await viewHtml(), result });
    expect(await host.view().locator('tbody tr:not(.more)').count()).toBe(100);
    await host.print();
    expect(await host.view().locator('tbody tr').count()).toBe(450);
    expect(await visible(host, '.more')).toBe(0);
  });

  it('a document has its figures, its form its lines, and neither a button', async () => {
    const host = await open(PAPER);
    await showAnswer(host, 'get_document', await aNote(host));
    await host.view().getByRole('button', { name: 'DANFE' }).click();
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
