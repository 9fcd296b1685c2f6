import { escapeXml } from '../../documents/xml/escape.ts';
import type { Translator } from '../../messages/index.ts';
import type { DossierRow } from './documents.ts';
import type { DossierWords } from './words.ts';

/** What the page says before its list of documents. */
export interface DossierPage {
  /** Whose and of when, label and value. */
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** Files of tables, and what each holds. */
  readonly tables: readonly (readonly [file: string, words: string])[];
  /** What the documents rest on. */
  readonly basis: readonly string[];
  readonly rows: readonly DossierRow[];
}

const STYLE =
  'body{font:14px/1.5 system-ui,sans-serif;margin:2rem;color:#1c2733}h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}' +
  'table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .5rem;border-bottom:1px solid #d5dde5;vertical-align:top}' +
  'td.amount{text-align:right;white-space:nowrap}td small{color:#5b6b7b;word-break:break-all}';

const cells = (values: readonly string[]) => values.map((value) => `<td>${value}</td>`).join('');

/** A document as a row; the name of its file is made of letters and digits. */
function rowOf(row: DossierRow, words: DossierWords, { money, day }: Translator): string {
  const { summary, document, file, reason } = row;
  const text = (value: string | undefined) => escapeXml(value ?? '');
  const { number, issuer, issued_at: issued = '', totals, key } = summary;
  const amount = totals?.total === undefined ? '' : escapeXml(money(totals.total));
  const place = file === undefined ? text(reason) : `<a href="${file}">XML</a>`;
  return [
    '<tr>',
    `<td>${text(number)}<br><small>${text(key)}</small></td>`,
    cells([text(issuer?.name ?? issuer?.id), issued === '' ? '' : escapeXml(day(issued.slice(0, 10)))]),
    `<td>${escapeXml(words.status(document.status))}</td><td class="amount">${amount}</td>`,
    cells([text(words.content(row)), text(words.signer(row)), text(words.authorization(row)), place]),
    '</tr>',
  ].join('');
}

/** The index as one HTML page without scripts or anything from elsewhere. */
export function indexPage(page: DossierPage, words: DossierWords, translator: Translator): Buffer {
  const { say, language } = words;
  const heading = (...names: Parameters<typeof say>[0][]) =>
    names.map((name) => `<th>${escapeXml(say(name))}</th>`).join('');
  const parts = [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${escapeXml(say('title'))}</title><style>${STYLE}</style></head><body><h1>${escapeXml(say('title'))}</h1><table>`,
    ...page.facts.map(
      ([label, value]) => `<tr><th>${escapeXml(label)}</th><td>${escapeXml(value)}</td></tr>`,
    ),
    `</table><p>${escapeXml(say('page.manifest'))}</p><p>${escapeXml(say('page.xml'))}</p>`,
    `<h2>${escapeXml(say('page.tables'))}</h2><ul>`,
    ...page.tables.map(([file, about]) => `<li><a href="${file}">${file}</a>: ${escapeXml(about)}</li>`),
    `</ul><h2>${escapeXml(say('page.basis'))}</h2><ul>`,
    ...page.basis.map((sentence) => `<li>${escapeXml(sentence)}</li>`),
    `</ul><h2>${escapeXml(say('page.documents'))}</h2><table><tr>`,
    heading('column.number', 'column.issuer', 'column.issued', 'column.status', 'column.total'),
    `${heading('column.content', 'column.signer', 'column.authorization', 'column.file')}</tr>`,
    ...page.rows.map((row) => rowOf(row, words, translator)),
    '</table></body></html>\n',
  ];
  return Buffer.from(parts.join('\n'));
}
