import { expect, it } from 'vitest';
import { reportHtml } from '../../src/report/html.ts';
import type { Report } from '../../src/report/model.ts';

const HOSTILE = '</style><script>x</script> "; } * { display: none } \\ url(https://x) & \'';
const cells = { name: HOSTILE, state: HOSTILE, total: HOSTILE, share: '12.5', key: '7'.repeat(44) };

const report: Report = {
  language: 'en',
  answer: HOSTILE,
  company: { name: HOSTILE, id: HOSTILE },
  title: HOSTILE,
  summary: HOSTILE,
  warnings: [HOSTILE],
  figures: [{ label: HOSTILE, value: HOSTILE, remark: HOSTILE }],
  sections: [
    {
      id: 'one',
      number: 1,
      title: HOSTILE,
      intro: HOSTILE,
      blocks: [
        HOSTILE,
        {
          layout: 'rows',
          caption: HOSTILE,
          hasHeading: true,
          columns: [
            { name: 'name', heading: HOSTILE, kind: 'text', place: 'name' },
            { name: 'state', heading: HOSTILE, kind: 'code', place: 'wide' },
            { name: 'total', heading: HOSTILE, kind: 'money', place: 'value' },
            { name: 'share', heading: HOSTILE, kind: 'share', place: 'below' },
            { name: 'key', heading: '', kind: 'key', place: 'below' },
          ],
          rows: [{ cells, details: { name: HOSTILE.repeat(3) }, bar: 12.5 }],
          total: { cells: { name: HOSTILE, total: '1.00' } },
        },
      ],
    },
  ],
  signatures: [{ label: HOSTILE, hint: HOSTILE }],
  foot: HOSTILE,
  pageOf: '{page} of {pages}',
  more: '{count} more',
};

const html = reportHtml(report);

it('hostile names stay text, also in the footer', () => {
  expect(html.match(/<\/?(?:style|script)\b/g)).toEqual(['<style', '</style']);
  const foot = /@bottom-left \{ content: ("(?:\\.|[^"\\])*");/.exec(html)?.[1] ?? '';
  const read = foot
    .slice(1, -1)
    .replace(/\\([0-9a-f]+) /g, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)));
  expect(read).toBe(HOSTILE);
  expect(foot).not.toMatch(/[<>{}()\n]/);
});

it('the report loads and runs nothing', () => {
  const style = html
    .slice(html.indexOf('<style>'), html.indexOf('</style>'))
    .replace(/"(?:\\.|[^"\\])*"/g, '""');
  expect(style).not.toMatch(/url\(|@import|@font-face|https?:/);
  expect(html).toContain(
    `content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"`,
  );
  expect(html).not.toMatch(/<[^>]*\s(?:src|on\w+|action)=/);
});

it('keys are whole, and optional columns are marked in every row', () => {
  expect(html).toContain('7777 7777 7777 7777 7777 7777 7777 7777 7777 7777 7777');
  const rows = html.match(/<tr\b[\s\S]*?<\/tr>/g) ?? [];
  expect(rows.map((row) => row.match(/class="[^"]*\bat-wide\b/g)?.length)).toEqual([1, 1, 1]);
});
