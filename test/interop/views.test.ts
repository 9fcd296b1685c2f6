import { describe, expect, it } from 'vitest';
import { viewHtml } from '../../scripts/views.mjs';
import { aNote, isHere, lastMonth, patiently, showAnswer, startBrowsing } from './views/browsing.ts';
import type { Host } from './views/host.mjs';

const { open, demo } = startBrowsing();

/** Whether something is wider than the window, so that it would be cut or had to be pushed about. */
const isTooWide = (host: Host) =>
  host
    .view()
    .evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth + 1');
const cents = (text: string) => Math.round(Number(text) * 100);
const written = (amount: number) => (amount / 100).toLocaleString('en', { minimumFractionDigits: 2 });

describe.skipIf(!isHere).each(['legacy', 'modern'])(
  'in a host of the %s era, with the official bridge',
  (era) => {
    it('a document is shown at a glance, as its form, verified and downloaded by what the host lets a view do', async () => {
      const host = await open(demo(era));
      const note = await aNote(host);
      await showAnswer(host, 'get_document', note, { theme: 'dark', locale: 'pt-BR' });
      const view = host.view();
      await view.locator('.todo').waitFor();
      expect(await view.locator('.todo dt').allTextContents()).toEqual([
        'A conferir',
        'Prazo',
        'Autenticidade',
      ]);
      expect((await view.locator('.keyline code').textContent())?.replaceAll(' ', '')).toBe(note.key);
      expect(
        await view.evaluate('[document.documentElement.lang, document.documentElement.dataset.theme]'),
      ).toEqual(['pt-BR', 'dark']);
      await view.getByRole('button', { name: 'DANFE' }).click();
      await view.getByText('CÁLCULO DO IMPOSTO').waitFor();
      await view.getByRole('button', { name: 'Voltar' }).click();
      await view.getByRole('button', { name: 'Verificar autenticidade' }).click();
      await view.getByText('não dá para saber se foi alterado').waitFor();
      await view.getByRole('button', { name: 'PDF' }).click();
      await expect.poll(() => host.asked(), patiently).toContainEqual({ download: ['application/pdf'] });
      expect(await host.reportedHeight()).toBeGreaterThan(500);
    });

    it('a period is sorted, filtered, continued and opened, in the language of the host', async () => {
      const host = await open(demo(era));
      const args = { ...lastMonth, limit: 5 };
      const { sums, listed } = await showAnswer(host, 'query_documents', args, { locale: 'en-US' });
      const view = host.view();
      const rows = view.locator('tbody tr');
      // Its total is of all, whatever the page has.
      const { count, total } = sums[0].measures;
      const foot = await view.locator('tfoot').textContent();
      expect(foot).toContain(`${count} notes (5 in the table)`);
      expect(foot).toContain(written(cents(total)));
      expect(await view.title()).toBe(`Inbound notes of October · BRL ${written(cents(total))}`);
      await view.getByRole('button', { name: 'Value, BRL' }).click();
      const values = await view.locator('tbody .at-value').allTextContents();
      const numbers = values.map((text) => Number(text.replaceAll(',', '')));
      expect(numbers).toHaveLength(5);
      expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
      await view.getByRole('button', { name: 'Show more' }).click();
      await expect.poll(() => rows.count(), patiently).toBe(Number(count));
      const { key = '', number = '' } = listed[0] ?? {};
      await view.getByRole('searchbox').fill(key);
      await expect.poll(() => rows.count(), patiently).toBe(1);
      await view.getByRole('button', { name: number, exact: true }).press('Enter');
      await view.locator('.todo').waitFor();
      expect(await host.asked()).toContainEqual({ call: 'get_document', args: { document: 'nfe', key } });
      // The model receives its kind and key, and nothing of its content.
      const told = (await host.asked()).find(({ context }) => context !== undefined);
      const text = `The person opened nfe ${key} in the view.`;
      expect(told).toEqual({ context: [{ type: 'text', text }] });
      await view.getByRole('button', { name: 'Back' }).click();
      await expect.poll(() => rows.count(), patiently).toBe(1);
    });

    it('a view that calls a tool that writes is refused by a host, while the bridge alone passes it on unsent', async () => {
      const attack = (await viewHtml()).replace(
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

/** A page of the server, with a text wherever a document has a say: headings of columns are the server's own. */
function hostilePage(text: string, rows = 3) {
  const cells = (at: number) => ({
    name: `${text}${at}`,
    note: text,
    total: at % 2 === 0 ? text : '0.10',
    key: text,
  });
  const one = (at: number) => ({
    cells: cells(at),
    details: { name: text },
    bar: 1e9,
    tone: text,
    mark: text,
  });
  return {
    company: { name: text, id: text },
    role: text,
    heading: text,
    answer: text,
    figures: [{ leads: true, value: text, strong: text, note: text, isStruck: true }],
    notices: [{ strong: text, text }],
    states: [{ name: text, at: text }],
    reasons: [text],
    basis: { line: text, sentences: [text] },
    checks: [{ name: text, lines: [[text, text]] }],
    parties: [{ role: text, name: text, lines: [text] }],
    tables: ['rows', 'plain', 'pending', 'cross', 'periods'].map((layout) => ({
      layout,
      caption: 'Caption',
      hasHeading: true,
      columns: [
        { name: 'name', heading: 'Name', kind: 'text', place: 'name' },
        { name: 'note', heading: 'Note', kind: 'text', place: 'below', label: 'is {value}' },
        { name: 'total', heading: 'Total', kind: 'money', place: 'value' },
        { name: 'key', heading: 'Key', kind: 'key', place: 'below' },
      ],
      groups:
        layout === 'pending'
          ? [{ heading: text, note: text, sum: '1.00', total: 1, count: '1 note', rows: [one(0)], shown: 1 }]
          : [],
      rows: layout === 'rows' ? Array.from({ length: rows }, (_, at) => one(at)) : [one(1)],
      others: one(2),
      total: one(0),
      sorted: { by: 'name', descending: false },
    })),
    notes: [text],
    presses: [],
    document: { title: text, key: text, portal: 'javascript:alert(1)' },
  };
}

const answered = (shown: object) => ({ structuredContent: {}, _meta: { 'docfiscal/view': { page: shown } } });

describe.skipIf(!isHere)('hostile documents', () => {
  it.each([320, 900])('become text and nothing else, without breaking a page of %d pixels', async (width) => {
    const host = await open({ width });
    for (const text of [`${script}${turned}`, long]) {
      await host.show({
        html: await viewHtml(),
        result: answered(hostilePage(text)),
        context: { locale: 'en', theme: 'sepia', styles: { variables: { '--x': 7, color: 'red' } } },
        abilities: {},
      });
      const view = host.view();
      await view.locator('.todo').waitFor();
      expect(await view.locator('body script, img, a').count()).toBe(1);
      expect(await view.evaluate<string>('document.body.textContent')).not.toMatch(
        /[\u202a-\u202e\u2066-\u2069\u200b]/,
      );
      expect(await view.locator('h1').textContent()).toBe(text.replaceAll(/[\u202e\u200b\u2066]/g, ''));
      expect(await isTooWide(host)).toBe(false);
      await host.print();
    }
  });

  it('and their sheets too, with 100,000 items of which some are shown at once', async () => {
    const host = await open({ width: 320 });
    await host.show({ html: await viewHtml(), result: answered(hostilePage('x')) });
    await host.flood([script, turned, long]);
    const view = host.view();
    await view.getByRole('button', { name: 'DANFE' }).click();
    await view.locator('.across').waitFor();
    expect(await view.locator('.sheet tbody tr:not(.details)').count()).toBe(200);
    await view.getByRole('button', { name: /99800/ }).click();
    await expect.poll(() => view.locator('.sheet tbody tr:not(.details)').count(), patiently).toBe(400);
    expect(await view.getByRole('button', { name: /portal/i }).count()).toBe(0);
    expect(await view.locator('body script, img, a').count()).toBe(1);
    expect(await isTooWide(host)).toBe(false);
  });

  it('of 20,000 rows are filtered and sorted, some shown at once, and no cell becomes a formula', async () => {
    const host = await open({ width: 900 });
    const shown = hostilePage(`=HYPERLINK("http://x")${turned}`, 20_000);
    await host.show({
      html: await viewHtml(),
      result: answered({ ...shown, tables: [shown.tables[0]] }),
      context: { locale: 'pt-BR' },
    });
    const view = host.view();
    await view.locator('tbody tr').first().waitFor();
    // A hundred rows, one that has more of them, and one of all that the page leaves out.
    expect(await view.locator('tbody tr').count()).toBe(102);
    expect(await view.locator('tbody tr.rest').count()).toBe(1);
    await view.evaluate('document.execCommand = () => false');
    await view.getByRole('searchbox').fill('19999');
    await expect.poll(() => view.locator('tbody tr').count(), patiently).toBe(1);
    expect(await view.locator('.tools [role=status]').textContent()).toBe('1 de 20000 linhas');
    await view.getByRole('button', { name: 'Copiar CSV' }).click();
    const csv = await view.locator('.leftover').inputValue();
    expect(csv.split(/[\n;]/).filter((cell) => /^"?[=+@]/.test(cell))).toEqual([]);
  });

  it.each([
    undefined,
    { structuredContent: null, content: 'x' },
    { content: [{ type: 'text', text: script }] },
    answered({}),
    answered({ heading: 7, figures: 'x', notices: [], tables: [null] }),
    answered({ heading: ['a'], figures: [null], notices: {}, tables: [], presses: [] }),
    { isError: true, content: [{ type: 'text', text: script }, { type: 'image' }] },
  ])('of no shape at all leave a page that stands: %j', async (result) => {
    const host = await open({ width: 320 });
    await host.show({ html: await viewHtml(), result });
    await host.view().locator('main > *').first().waitFor({ state: 'attached' });
    expect(await host.view().locator('body script, img').count()).toBe(1);
  });
});

it.skipIf(!isHere)('an answer before the handshake offers the actions that the host allows', async () => {
  const host = await open();
  const { document, ...page } = hostilePage('x');
  const named = { document: 'nfe', key: 'x' };
  const params = answered({ ...page, document: { ...document, named } });
  const data = JSON.stringify({ jsonrpc: '2.0', method: 'ui/notifications/tool-result', params });
  const early = `<script>addEventListener('message', () => dispatchEvent(new MessageEvent('message',
    { source: parent, data: ${data} })), { once: true });</script><script>`;
  await host.show({ html: (await viewHtml()).replace('<script>', early) });
  await host.view().getByRole('button', { name: 'XML' }).waitFor();
});

describe.skipIf(!isHere)('an answer without a page', () => {
  it.each([
    ['a text', { content: [{ type: 'text', text: 'number,total\n1,2.00' }] }, 'Resposta', 'number,total'],
    [
      'an error',
      { isError: true, content: [{ type: 'text', text: 'Senha recusada.' }] },
      'Não foi possível responder',
      'Nada foi enviado nem alterado.',
    ],
  ])('is %s: the whole of it, or what went wrong', async (_name, result, heading, text) => {
    const host = await open({ width: 400 });
    await host.show({ html: await viewHtml(), result, context: { locale: 'pt-BR' } });
    expect(await host.view().locator('h1').textContent()).toBe(heading);
    expect(await host.view().locator('main').textContent()).toContain(text);
  });
});
