// Makes the pictures of views in docs/pictures from documents of the demo: `npm run pictures`. Needs Chromium.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, openHost, startBrowser } from '../test/interop/views/host.mjs';
import '../test/interop/install.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** What is further down says nothing new. */
const MOST_PIXELS = { 320: 1500, 900: 1300 };

/** Both languages, both themes, both widths. */
const looks = [
  { name: 'pt-light-wide', locale: 'pt-BR', theme: 'light', width: 900 },
  { name: 'pt-dark-narrow', locale: 'pt-BR', theme: 'dark', width: 320 },
  { name: 'en-dark-wide', locale: 'en', theme: 'dark', width: 900 },
  { name: 'en-light-narrow', locale: 'en', theme: 'light', width: 320 },
];

const inbound = { document: 'nfe', direction: 'inbound' };

/** What is pictured: the call, or what makes it of an answer before. */
const subjects = {
  document: async ({ call }) => {
    const { structuredContent } = await call('query_documents', { ...inbound, from: 'last_month', limit: 1 });
    return ['get_document', { document: 'nfe', key: structuredContent.listed[0].key }];
  },
  cancelled: async ({ call }) => {
    const asked = { document: 'nfe', from: 'last_quarter', status: ['cancelled'], limit: 1 };
    const { structuredContent } = await call('query_documents', asked);
    return ['verify_document', { document: 'nfe', key: structuredContent.listed[0].key }];
  },
  months: async () => ['query_documents', { ...inbound, from: 'this_year', group_by: ['month'] }],
  suppliers: async () => [
    'query_documents',
    { ...inbound, from: 'last_month', group_by: ['issuer'], measures: ['count', 'total', 'icms'] },
  ],
  pending: async () => ['list_pending_manifestations', { limit: 12 }],
};

async function picture(host, { name, locale, theme, width }) {
  for (const [subject, prepare] of Object.entries(subjects)) {
    const [tool, args] = await prepare(host);
    const result = await host.call(tool, args);
    const page = `ui://docfiscal/${tool.endsWith('_document') ? 'document' : 'period'}.html`;
    await host.page.setViewportSize({ width, height: 400 });
    await host.show({ page, args, result, context: { locale, theme } });
    const view = host.view();
    await view.locator(page.includes('document') ? '.sheet' : '.grid').waitFor();
    if (subject === 'document') await view.getByText('DADOS ADICIONAIS').waitFor();
    await host.page.waitForTimeout(300);
    const height = Math.min(MOST_PIXELS[width], await host.reportedHeight());
    await host.page.setViewportSize({ width, height });
    await host.page.waitForTimeout(300);
    await host.page.screenshot({ path: join(root, 'docs', 'pictures', `view-${subject}-${name}.png`) });
  }
}

if (chromium() === undefined)
  throw new Error("pictures of views need Chromium: Debian's package chromium, or CHROMIUM");
const folder = mkdtempSync(join(tmpdir(), 'docfiscal-views-'));
const browser = await startBrowser();
try {
  for (const look of looks) {
    const host = await openHost(browser, {
      width: look.width,
      colorScheme: look.theme,
      command: [
        process.execPath,
        join(root, 'dist', 'docfiscal-mcp.cjs'),
        '--demo',
        '--language',
        look.locale,
      ],
      env: { PATH: process.env.PATH, DFE_DATA_DIR: folder },
      era: 'modern',
    });
    await picture(host, look);
    await host.close();
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
