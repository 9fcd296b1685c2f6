import { describe, expect, it } from 'vitest';
import { viewHtml } from '../../scripts/views.mjs';
import { isHere, patiently, startBrowsing } from './views/browsing.ts';
import type { Host } from './views/host.mjs';

const { open, demo } = startBrowsing();

const documentPage = 'ui://docfiscal/document.html';
const periodPage = 'ui://docfiscal/period.html';
const lastMonth = { document: 'nfe', from: 'last_month', direction: 'inbound' };

/** Whether something is wider than the window, so that it would be cut or had to be pushed about. */
const isTooWide = (host: Host) =>
  host
    .view()
    .evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth + 1');

async function shownNote(host: Host) {
  const { structuredContent } = await host.call('query_documents', lastMonth);
  const [{ key }] = structuredContent.listed as [{ key: string }];
  const args = { document: 'nfe', key };
  const result = await host.call('get_document', args);
  await host.show({ page: documentPage, args, result, context: { theme: 'dark', locale: 'pt-BR' } });
  return key;
}

describe.skipIf(!isHere).each(['legacy', 'modern'])(
  'in a host of the %s era, with the official bridge',
  (era) => {
    it('a document is shown as its form, verified and downloaded by what the host lets a view do', async () => {
      const host = await open(demo(era));
      const key = await shownNote(host);
      const view = host.view();
      // An answer from the archive brings no form: the view asks for it by itself.
      await view.getByText('CÁLCULO DO IMPOSTO').waitFor();
      expect(await view.locator('.sheet h3').allTextContents()).toEqual(
        expect.arrayContaining(['DESTINATÁRIO / REMETENTE', 'CÁLCULO DO IMPOSTO', 'DADOS ADICIONAIS']),
      );
      expect((await view.locator('.key .code').textContent())?.replaceAll(' ', '')).toBe(key);
      expect(await view.locator('.bars svg').getAttribute('aria-label')).toBe('CHAVE DE ACESSO');
      expect(
        await view.evaluate('[document.documentElement.lang, document.documentElement.dataset.theme]'),
      ).toEqual(['pt-BR', 'dark']);
      await view.getByRole('button', { name: 'Verificar autenticidade' }).click();
      await view.locator('.verified li').first().waitFor();
      expect(await view.locator('.verified li').count()).toBe(3);
      await view.getByRole('button', { name: 'PDF' }).click();
      await expect.poll(() => host.asked(), patiently).toContainEqual({ download: ['application/pdf'] });
      expect(await host.reportedHeight()).toBeGreaterThan(500);
      expect(host.faults).toEqual([]);
    });

    it('a period is sorted, filtered, continued and opened, in the language of the host', async () => {
      const host = await open(demo(era));
      const args = { ...lastMonth, limit: 5 };
      const result = await host.call('query_documents', args);
      await host.show({ page: periodPage, args, result, context: { locale: 'en-US' } });
      const view = host.view();
      await view.getByRole('button', { name: 'Total' }).click();
      const totals = await view.locator('td[data-label="Total"]').allTextContents();
      const numbers = totals.map((text) => Number(text.replaceAll(',', '')));
      expect(numbers).toHaveLength(5);
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
      expect(await view.locator('th[aria-sort="ascending"]').textContent()).toContain('Total');
      await view.getByRole('button', { name: 'Fetch more' }).click();
      await expect.poll(() => view.locator('tbody tr').count(), patiently).toBe(10);
      const [{ key, number }] = result.structuredContent.listed as [{ key: string; number: string }];
      await view.getByRole('searchbox').fill(key);
      await expect.poll(() => view.locator('tbody tr').count(), patiently).toBe(1);
      await view.getByRole('button', { name: number, exact: true }).press('Enter');
      await view.getByText('DESTINATÁRIO / REMETENTE').waitFor();
      expect(await host.asked()).toContainEqual({
        call: 'get_document',
        args: { document: 'nfe', key, format: 'xml' },
      });
      // What the model is told of it: its kind and key, and nothing that the document says.
      const told = (await host.asked()).find(({ context }) => context !== undefined);
      expect(told).toEqual({
        context: [{ type: 'text', text: `The person opened nfe ${key} in the view.` }],
      });
      await view.getByRole('button', { name: 'Back' }).click();
      await expect.poll(() => view.locator('tbody tr').count(), patiently).toBe(1);
      expect(host.faults).toEqual([]);
    });

    it('months are compared with the month before, but for one that has not ended', async () => {
      const host = await open(demo(era));
      const args = { ...lastMonth, from: '2026-08-10', to: '2026-11-10', group_by: ['month'] };
      const result = await host.call('query_documents', args);
      const rows = result.structuredContent.rows as { measures: { total: string } }[];
      await host.show({ page: periodPage, args, result, context: { locale: 'en' } });
      const cells = await host.view().locator('td[data-label="Difference"]').allTextContents();
      const cents = (row: number) => Math.round(Number(rows[row]?.measures.total) * 100);
      const difference = (cents(2) - cents(1)) / 100;
      const shown = Math.abs(difference).toLocaleString('en', { minimumFractionDigits: 2 });
      expect(cells.map((text) => text === '')).toEqual([true, true, false, true]);
      expect(cells[2]).toContain(`${difference < 0 ? '-' : '+'}${shown}`);
    });

    it('deadlines are in words and colours, and what is pressed opens the note', async () => {
      const host = await open(demo(era));
      const result = await host.call('list_pending_manifestations', {});
      await host.show({ page: periodPage, args: {}, result, context: { locale: 'pt-BR' } });
      const view = host.view();
      expect(await view.locator('h1').textContent()).toBe('Manifestações pendentes');
      const pending = result.structuredContent.pending as { days_left_conclusive: number }[];
      const days = pending[0]?.days_left_conclusive ?? 0;
      const tone = days <= 7 ? 'bad' : days <= 30 ? 'soon' : 'good';
      const cell = view.locator('tbody td').first();
      expect(await cell.getAttribute('class')).toBe(`days ${tone}`);
      expect(await cell.textContent()).toContain(days === 0 ? 'vence hoje' : String(Math.abs(days)));
    });

    it('a view that calls a tool that writes is refused by a host, while the bridge alone passes it on unsent', async () => {
      const attack = (await viewHtml('document')).replace(
        '<script>',
        `<script>addEventListener('message', ({data}) => { if (data.id === 9) document.title = JSON.stringify(data); });
       setTimeout(() => parent.postMessage({ jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 'manifest_nfe',
       arguments: { key: KEY, event: 'confirmacao' } } }, '*'), 300);`,
      );
      const host = await open(demo(era));
      const pending = await host.call('list_pending_manifestations', { limit: 1 });
      const [{ key }] = pending.structuredContent.pending as [{ key: string }];
      const html = attack.replace('KEY', JSON.stringify(key));
      await host.show({ html, args: {}, result: { content: [] } });
      await expect.poll(() => host.view().title(), patiently).toContain('is not for views');
      expect(await host.asked()).toContainEqual({ refused: 'manifest_nfe' });
      await host.show({ html, args: {}, result: { content: [] }, checksVisibility: false });
      await expect.poll(() => host.view().title(), patiently).toContain('confirmation_required');
      const status = await host.call('get_nfe_event_status', { key, event: 'confirmacao' });
      expect(JSON.stringify(status.structuredContent)).not.toContain('"done"');
    });
  },
);

const script = '<script>document.title="broken"</script><img src=x onerror="document.title=1">';
const turned = '\u202egnp.exe\u200b\u2066';
const long = 'W'.repeat(5_000);

describe.skipIf(!isHere)('hostile documents', () => {
  const hostile = {
    kind: 'nfe',
    key: '35261104815203600011755001000012345112345678',
    number: script,
    status: script,
    issued_at: long,
    operation: long,
    issuer: { id: script, name: `${script}${turned}` },
    recipient: { name: long },
    totals: { total: script, icms: long, products: '1e9' },
    events: [{ name: script, text: turned, at: 'never' }, null, 7],
    warnings: [{ code: 'x', message: script }, 'x'],
    references: [{ key: script }, null],
    linked_keys: Array.from(
      { length: 5_000 },
      (_, i) => `35261104815203600011755001${String(i).padStart(18, '0')}`,
    ),
    items: [{ description: `${script}${long}`, code: turned, total: long }, null, 'x'],
    notes: `${script}\n${turned}${long}`,
  };

  it.each([320, 900])('become text and nothing else, without breaking a page of %d pixels', async (width) => {
    const host = await open({ width });
    await host.show({
      html: await viewHtml('document'),
      result: {
        structuredContent: { document: hostile, as_of: script, status_from: script, contents: 'many' },
      },
      context: { locale: 'en', theme: 'sepia', styles: { variables: { '--x': 7, color: 'red' } } },
      abilities: {},
    });
    const view = host.view();
    await view.getByText('EMITENTE').waitFor();
    expect(await view.locator('body script, img, a').count()).toBe(1);
    expect(await view.title()).toBe('docfiscal');
    expect(await view.evaluate<string>('document.body.textContent')).not.toMatch(
      /[\u202a-\u202e\u2066-\u2069\u200b]/,
    );
    expect(await view.locator('.issuer, .field dd').allTextContents()).toContain(
      '<script>document.title="broken"</script><img src=x onerror="document.title=1">gnp.exe',
    );
    expect(await isTooWide(host)).toBe(false);
    expect(host.faults).toEqual([]);
  });

  it('and their sheets too, with 100,000 items of which some are shown at once', async () => {
    const host = await open({ width: 320 });
    await host.show({
      html: await viewHtml('document'),
      result: { structuredContent: { document: { kind: 'nfe' } } },
    });
    await host.flood('items', [script, turned, long]);
    const view = host.view();
    await view.locator('.across').waitFor();
    expect(await view.locator('tbody tr:not(.details)').count()).toBe(200);
    await view.getByRole('button', { name: /100/ }).click();
    await expect.poll(() => view.locator('tbody tr:not(.details)').count(), patiently).toBe(400);
    expect(await view.getByRole('button', { name: /portal/ }).count()).toBe(0);
    expect(await view.locator('body script, img, a').count()).toBe(1);
    expect(await isTooWide(host)).toBe(false);
    expect(host.faults).toEqual([]);
  });

  it('of 100,000 rows are filtered, added up exactly and sorted, some shown at once', async () => {
    const host = await open({ width: 320 });
    await host.show({
      html: await viewHtml('period'),
      result: { structuredContent: {} },
      context: { locale: 'pt-BR' },
    });
    await host.flood('rows', [`=HYPERLINK("http://x")${turned}`, `${script}${long}`]);
    const view = host.view();
    await view.locator('tbody tr').first().waitFor();
    expect(await view.locator('tbody tr').count()).toBe(100);
    expect(await isTooWide(host)).toBe(false);
    await view.getByRole('searchbox').fill('99999');
    await expect.poll(() => view.locator('tbody tr').count(), patiently).toBe(1);
    // Fifty thousand times ten centavos, which are not so much where they are added as doubles.
    await view.getByRole('searchbox').fill('hyperlink');
    const sum = view.locator('.results [role=status]');
    await expect.poll(() => sum.textContent(), patiently).toContain('50000 de 100000');
    expect(await sum.textContent()).toContain('5.000,00');
    expect(await view.locator('body script, img, a').count()).toBe(1);
    expect(host.faults).toEqual([]);
  });

  it.each([
    undefined,
    { structuredContent: null, content: 'x' },
    { structuredContent: { rows: [null, 7, { group: 'x', measures: [] }], sums: 'x' } },
    {
      structuredContent: { pending: [{}, null, 'x'], total: {} },
      _meta: { 'docfiscal/view': { words: [], lines: 7 } },
    },
    { structuredContent: { document: 'x' }, _meta: { 'docfiscal/view': { sheet: { head: {}, blocks: 7 } } } },
    { isError: true, content: [{ type: 'text', text: script }, { type: 'image' }] },
  ])('of no shape at all leave a page that stands: %j', async (result) => {
    const host = await open({ width: 320 });
    for (const name of ['document', 'period']) {
      await host.show({ html: await viewHtml(name), result });
      await host.view().locator('main > *').first().waitFor({ state: 'attached' });
      expect(await host.view().locator('body script, img').count()).toBe(1);
    }
    expect(host.faults).toEqual([]);
  });
});
