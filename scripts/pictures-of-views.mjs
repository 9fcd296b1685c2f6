// Makes the pictures of views in docs/pictures from documents of the demo: `npm run pictures`. Needs Chromium.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, openHost, startBrowser } from '../test/interop/views/host.mjs';
import '../test/interop/install.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const WIDTH = 900;
const MOST_PIXELS = 1300;

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
  suppliers: async () => [
    'query_documents',
    {
      document: 'nfe',
      direction: 'inbound',
      from: 'last_month',
      group_by: ['issuer'],
      measures: ['count', 'total', 'icms'],
    },
  ],
  pending: async () => ['list_pending_manifestations', { limit: 12 }],
};

async function picture(host, { name, locale, theme, subjects }) {
  for (const subject of subjects) {
    const [tool, args] = await calls[subject](host);
    const result = await host.call(tool, args);
    const page = `ui://docfiscal/${tool.endsWith('_document') ? 'document' : 'period'}.html`;
    await host.page.setViewportSize({ width: WIDTH, height: 400 });
    await host.show({ page, args, result, context: { locale, theme } });
    const view = host.view();
    await view.locator(page.includes('document') ? '.sheet' : '.grid').waitFor();
    await host.page.waitForTimeout(300);
    const height = Math.min(MOST_PIXELS, await host.reportedHeight());
    await host.page.setViewportSize({ width: WIDTH, height });
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
      width: WIDTH,
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
