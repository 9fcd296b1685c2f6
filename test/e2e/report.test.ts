import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askSandbox, company } from '../support/asked-sandbox.ts';
import { temporaryFolder } from '../support/built-program.ts';
import { authorisedNote, ourCompany } from '../support/filed-documents.ts';
import { connectInProcess } from '../support/in-process.ts';
import type { PlainDocument } from '../support/independent-documents.ts';
import { pdfTexts } from '../support/pdf-text.ts';

const october = { from: '2026-10-01', to: '2026-10-31' } as const;
const [saved, data] = [temporaryFolder(), temporaryFolder()];
const asked = askSandbox({ env: { DFE_DATA_DIR: data.path, DFE_DOWNLOAD_DIR: saved.path } });

afterAll(() => {
  saved.remove();
  data.remove();
});

async function report(args: object) {
  const { data: answer, text } = await asked.ask('export_documents', { format: 'report', ...args });
  const { path = '' } = answer as { path?: string };
  expect(text).toContain(path);
  return { path, file: readFileSync(path), text, answer };
}

/** What a person reads of a page, with one blank between its parts. */
function textOf(html: string): string {
  const body = html.slice(html.indexOf('<body>')).replace(/<[^>]*>/g, ' ');
  const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };
  return body.replace(/&\w+;/g, (entity) => entities[entity] ?? entity).replace(/\s+/g, ' ');
}

async function page(args: object): Promise<{ html: string; text: string }> {
  const { path, file } = await report(args);
  expect(path).toMatch(/\.html$/);
  const html = file.toString('utf8');
  return { html, text: textOf(html) };
}

/** Cents as an English reader writes them. */
const written = (cents: bigint): string =>
  `${(cents / 100n).toLocaleString('en')}.${String(cents % 100n).padStart(2, '0')}`;

const sum = (documents: readonly PlainDocument[]): bigint =>
  documents.reduce((all, { amounts }) => all + (amounts.total ?? 0n), 0n);

describe('the month closing', () => {
  let notes: readonly PlainDocument[];
  beforeAll(async () => {
    notes = (await asked.documents('nfe', october)).filter(({ status }) => status === 'authorized');
  });
  const isInbound = ({ issuer, isEntry }: PlainDocument) => issuer.id !== company || isEntry;

  it('says what another reader adds up, and what the tools answer', async () => {
    const { text } = await page(october);
    const [bought, sold] = [notes.filter(isInbound), notes.filter((note) => !isInbound(note))];
    for (const part of [bought, sold]) {
      expect(text).toContain(`${written(sum(part))} ${part.length} NF-e`);
      expect(text).toContain(`Total ${part.length} ${written(sum(part))} 100%`);
    }
    const amounts = async (args: object) => {
      const { data: answer } = await asked.ask('query_documents', { cnpj: company, ...october, ...args });
      const { sums } = answer as { sums: { measures: Record<string, string> }[] };
      return (sums[0]?.measures ?? {}) as Record<string, string>;
    };
    const cents = (amount = '') => written(BigInt(amount.replace('.', '')));
    const services = await amounts({
      document: 'nfse',
      direction: 'inbound',
      measures: ['services', 'total', 'irrf'],
    });
    expect(text).toContain(cents(services.services));
    expect(text).toContain(cents(services.irrf));
    expect(text).toContain(cents(services.total));
    const freight = await amounts({ document: 'cte', direction: 'inbound', payer: [company] });
    expect(text).toContain(cents(freight.total));
    const taxes = await amounts({ document: 'nfe', direction: 'inbound', measures: ['icms', 'cbs'] });
    expect(text).toContain(
      `ICMS NF-e ${cents((await amounts({ document: 'nfe', direction: 'outbound', measures: ['icms'] })).icms)} ${cents(taxes.icms)}`,
    );
    const pending = await asked.ask('list_pending_manifestations', {});
    expect(text).toContain(`${pending.data.total} notes without a conclusive event`);
    const checks = await asked.ask('check_documents', { document: ['nfe', 'nfse', 'cte'], ...october });
    expect(text).toContain(`${checks.data.total} findings`);
  });

  it('compares with the month before, where both are over and complete', async () => {
    const before = (await asked.documents('nfe', { from: '2026-09-01', to: '2026-09-30' })).filter(
      ({ status }) => status === 'authorized',
    );
    const { text } = await page(october);
    const [now, then] = [notes, before].map((part) => sum(part.filter(isInbound))) as [bigint, bigint];
    const change = (Number(now - then) / Number(then)) * 100;
    expect(text).toContain(`${change < 0 ? '\u2212' : '+'}${Math.abs(change).toFixed(1)}% on September`);
    const { text: current } = await page({ from: '2026-11' });
    expect(current).toContain('under way until Nov 20, 2026');
    const { text: beyond } = await page({ from: '2026-11-01', to: '2026-12-10' });
    expect(beyond).toContain('under way until Nov 20, 2026');
    expect(beyond).toContain('goes beyond today');
    expect(current).not.toMatch(/% on October/);
  });

  it('says the same as a PDF', async () => {
    const { text } = await page(october);
    const { path, file } = await report({ ...october, pdf: true });
    expect(path).toMatch(/\.pdf$/);
    const drawn = pdfTexts(file).join(' ').replace(/\s+/g, ' ');
    for (const title of ['Purchases', 'Sales', 'Taxes and credits', 'What is incomplete', 'Prepared by'])
      expect(
        [text, drawn].every((one) => one.includes(title)),
        title,
      ).toBe(true);
    for (const amount of [sum(notes.filter(isInbound)), sum(notes.filter((note) => !isInbound(note)))])
      expect(drawn).toContain(written(amount));
    for (const { issuer } of notes.filter(isInbound))
      expect(drawn).toContain((issuer.name ?? '').slice(0, 20));
  });

  it('has no script and no address, so that it reads the same anywhere', async () => {
    const { html } = await page(october);
    expect(html).not.toMatch(/<script|<link|<img|<iframe|javascript:|https?:|url\(|@import|\son\w+=|\ssrc=/i);
    expect(html).toContain(`<meta http-equiv="Content-Security-Policy" content="default-src 'none';`);
  });

  it('says of a month without documents that it was read', async () => {
    const { text } = await page({ from: '2024-03', document: ['nfe', 'cte'] });
    expect(text).toContain('No document that counts in totals in the period');
    expect(text).toContain('No inbound NF-e in the period');
    expect(text).toContain('No CT-e that the company pays in the period');
    expect(text).not.toContain('NFS-e');
  });

  it('says of missing days that its amounts are a minimum, and compares nothing', async () => {
    const faults = `${asked.sandbox.url}/__sandbox/faults`;
    const fault = { match: 'Mercadoria', status: 404, body: '{"Message":"not found"}', times: 40 };
    await fetch(faults, { method: 'POST', body: JSON.stringify(fault) });
    try {
      const { text } = await page({ from: '2026-08' });
      expect(text).toContain('Days of NF-e are missing');
      expect(text).toContain('Read the missing days before using the totals');
      expect(text).toMatch(/What is incomplete Period: INCOMPLETE: could not get/);
      expect(text).not.toMatch(/NF-e, .?\d+\.\d% on July/);
    } finally {
      await fetch(faults, { method: 'DELETE' });
    }
  });

  it('takes no filter that would make a part look like the whole', async () => {
    const wrong: [object, RegExp][] = [
      [{ direction: 'inbound' }, /direction: the report is of the whole period/],
      [{ issuer: ['horizonte'], status: ['cancelled'] }, /issuer: .*status: /s],
      [{ rows: 'items' }, /rows: /],
      [{ from: '2026-12-01', to: '2026-12-31' }, /from: the period has not begun/],
      [{ cnpj: [company, '11222333000181'] }, /a report is of one company/],
      [{ format: 'csv', document: 'nfe', pdf: true }, /pdf goes with format: "report" only|pdf: /],
      [{ format: 'csv' }, /document/],
    ];
    for (const [args, words] of wrong) {
      const refusal = await asked.refused('export_documents', { format: 'report', ...october, ...args });
      expect(refusal, JSON.stringify(args)).toMatch(words);
    }
  });
});

describe('a report of the user’s files', () => {
  const hostile = [
    '</style><script>alert(1)</script>',
    '"; } @import "//evil.example/x"; a { b: "',
    '<img src=x onerror=alert(2)>',
    '{count} \\22 &quot;',
  ].map((text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'));

  it('shows names for what they are, on the page, in its foot and as a PDF', async () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, 'notas'));
    for (const [at, name] of hostile.entries()) {
      const note = authorisedNote({
        number: at + 1,
        total: '100.00',
        issuer: ['11222333000181', '58716523000119'][at % 2],
      });
      const named = note.replace(/Fornecedor \d+/, name).replace('Compradora ção', name);
      writeFileSync(join(folder.path, 'notas', `${at}.xml`), named);
    }
    await using connection = await connectInProcess('v1', {
      env: {
        DFE_FILES: join(folder.path, 'notas'),
        DFE_DOWNLOAD_DIR: folder.path,
        DFE_DATA_DIR: join(folder.path, 'data'),
        DFE_LANGUAGE: 'en',
      },
      now: () => Date.parse('2026-11-20T12:00:00-03:00'),
    });
    for (const pdf of [false, true]) {
      const args = { format: 'report', ...october, pdf };
      const { structured, isError, text: words } = await connection.call('export_documents', args);
      expect(isError, words).toBe(false);
      const file = readFileSync((structured as { path: string }).path);
      if (pdf) {
        expect(file.subarray(0, 5).toString()).toBe('%PDF-');
        continue;
      }
      const html = file.toString('utf8');
      const style = html.slice(html.indexOf('<style>') + 7, html.indexOf('</style>'));
      expect(html.match(/<\/?style>/g)).toEqual(['<style>', '</style>']);
      expect(style).not.toMatch(/@import|evil\.example|<|script/);
      expect(html).not.toMatch(/<script|<img/);
      const text = textOf(html);
      expect(text).toContain('Only the given files were read');
      expect(text).toContain('at least 400.00');
      expect(text).toContain(ourCompany.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5'));
    }
  });
});
