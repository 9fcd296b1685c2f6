// Makes the pictures in docs/pictures from documents of the demo: `npm run pictures`. Sheets need pdftoppm (poppler-utils),
// views need Chromium.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, openHost, startBrowser } from '../test/interop/views/host.mjs';
import '../test/interop/install.mjs';
import { connect, program } from './shown.mjs';

const pictures = join(import.meta.dirname, '..', 'docs', 'pictures');
const WIDTH = 900;
const MOST_PIXELS = 1300;

/** The first document of each kind whose XML has such a part. */
const sheets = [
  { name: 'danfe', document: 'nfe', part: '<IBSCBSTot' },
  { name: 'dacte', document: 'cte', part: '<infCte' },
  { name: 'danfse', document: 'nfse', part: '<infNFSe' },
  { name: 'espelho-nfse', document: 'nfse', part: '<CompNfse' },
];

async function drawSheet(client, folder, { name, document, part }) {
  const args = { document, from: 'last_month', direction: 'inbound' };
  const { structuredContent } = await client.callTool({ name: 'list_documents', arguments: args });
  for (const { uri, status } of structuredContent.documents) {
    if (status !== 'authorized') continue;
    const [xml] = (await client.readResource({ uri: uri.replace(/summary$/, 'xml') })).contents;
    if (!xml.text.includes(part)) continue;
    const [{ blob }] = (await client.readResource({ uri: uri.replace(/summary$/, 'pdf') })).contents;
    const options = ['-r', '64', '-gray', '-png', '-singlefile', '-', join(pictures, name)];
    return void execFileSync('pdftoppm', options, { input: Buffer.from(blob, 'base64'), cwd: folder });
  }
  throw new Error(`the demo has nothing for ${name}`);
}

const looks = [
  { name: 'pt-light-wide', locale: 'pt-BR', theme: 'light', subjects: ['cancelled', 'suppliers'] },
  { name: 'en-dark-wide', locale: 'en', theme: 'dark', subjects: ['pending', 'suppliers'] },
];

/** The call whose answer each picture shows. */
const calls = {
  cancelled: async ({ call }) => {
    const asked = { document: 'nfe', from: 'last_quarter', status: ['cancelled'], limit: 1 };
    const { structuredContent } = await call('query_documents', asked);
    return ['verify_document', { document: 'nfe', key: structuredContent.listed[0].key }];
  },
  suppliers: async () => {
    const measured = { group_by: ['counterparty'], compare: 'previous_period' };
    return ['query_documents', { document: 'nfe', direction: 'inbound', from: 'last_month', ...measured }];
  },
  pending: async () => ['list_pending_manifestations', { limit: 12 }],
};

async function picture(host, { name, locale, theme, subjects }) {
  for (const subject of subjects) {
    const [tool, args] = await calls[subject](host);
    const result = await host.call(tool, args);
    const page = 'ui://docfiscal/period.html';
    await host.page.setViewportSize({ width: WIDTH, height: 400 });
    await host.show({ page, args, result, context: { locale, theme } });
    await host
      .view()
      .locator(tool.endsWith('_document') ? '.todo' : 'tfoot')
      .waitFor();
    await host.page.waitForTimeout(300);
    const height = Math.min(MOST_PIXELS, await host.reportedHeight());
    await host.page.setViewportSize({ width: WIDTH, height });
    await host.page.waitForTimeout(300);
    await host.page.screenshot({ path: join(pictures, `view-${subject}-${name}.png`) });
  }
}

const folder = mkdtempSync(join(tmpdir(), 'docfiscal-pictures-'));
try {
  const client = await connect(['--demo'], { DFE_DATA_DIR: folder });
  for (const sheet of sheets) await drawSheet(client, folder, sheet);
  await client.close();
  if (chromium() === undefined) throw new Error('pictures of views need Chromium, or its path in CHROMIUM');
  const browser = await startBrowser();
  for (const look of looks) {
    const command = [process.execPath, program, '--demo', '--language', look.locale];
    const env = { PATH: process.env.PATH, DFE_DATA_DIR: folder };
    const options = { width: WIDTH, colorScheme: look.theme, command, env, era: 'modern' };
    const host = await openHost(browser, options);
    await picture(host, look);
    await host.close();
  }
  await browser.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
