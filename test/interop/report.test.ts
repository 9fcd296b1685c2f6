import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/built-program.ts';
import { isHere, startBrowsing } from './views/browsing.ts';

const { open, demo } = startBrowsing();
const folder = temporaryFolder();

it.skipIf(!isHere)('a report is no wider than its window, and follows dark mode', async () => {
  const { env, ...options } = demo('modern');
  const server = await open({ ...options, env: { ...env, DFE_DOWNLOAD_DIR: folder.path } });
  const report = { format: 'report', from: 'last_month' };
  const { structuredContent } = await server.call('export_documents', report);
  const html = JSON.stringify(readFileSync(String(structuredContent.path), 'utf8'));
  for (const width of [320, 360, 690, 820, 900, 1200]) {
    const host = await open({ width, colorScheme: 'dark' });
    await host.view().evaluate(`document.open(); document.write(${html}); document.close()`);
    const [beside, paper] = await host
      .view()
      .evaluate<[number, string]>(
        '[document.documentElement.scrollWidth - innerWidth, getComputedStyle(document.body).backgroundColor]',
      );
    expect([width, Math.max(0, beside)]).toEqual([width, 0]);
    expect(paper).toBe('rgb(27, 28, 31)');
  }
});
