import { escapeXml } from '../documents/untrusted.ts';
import {
  type DrawnCell,
  type DrawnColumn,
  type DrawnRow,
  type DrawnTable,
  drawnTable,
  type Report,
  type Section,
} from './model.ts';
import { pageStyle } from './style.ts';

/** Nothing is loaded and nothing runs, whatever a name in the report tries. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** A text as a CSS string: whatever is no letter, digit or harmless sign stands by its code. */
function cssString(text: string): string {
  const escaped = text.replace(
    /[^\p{L}\p{N} .,:·/-]/gu,
    (sign) => `\\${(sign.codePointAt(0) ?? 0).toString(16)} `,
  );
  return `"${escaped}"`;
}

/** What stands at the foot of each printed page. */
function pageRule({ foot, pageOf }: Report): string {
  const font = 'font: 7.5pt sans-serif; color: #55585f';
  const counters = pageOf
    .split(/(\{page\}|\{pages\})/)
    .filter((part) => part !== '')
    .map((part) => (/^\{\w+\}$/.test(part) ? `counter(${part.slice(1, -1)})` : cssString(part)))
    .join(' ');
  return `@page { size: A4; margin: 15mm 15mm 17mm;
  @bottom-left { content: ${cssString(foot)}; ${font} }
  @bottom-right { content: ${counters}; white-space: nowrap; ${font} } }`;
}

/** An element with its attributes; what is in it is markup. */
function element(name: string, inner: string, attributes: Readonly<Record<string, string | undefined>> = {}) {
  const written = Object.entries(attributes).map(([attribute, value]) =>
    value ? ` ${attribute}="${escapeXml(value)}"` : '',
  );
  return `<${name}${written.join('')}>${inner}</${name}>`;
}

function cellInner({ text, detail, below, key, isUrgent, bar, section }: DrawnCell): string {
  const words = escapeXml(text);
  const named = section === undefined ? words : element('a', words, { href: `#${section}` });
  return [
    bar === undefined ? '' : `<span aria-hidden="true"><i style="width:${bar.toFixed(1)}%"></i></span>`,
    isUrgent ? element('b', named, { class: 'bad' }) : named,
    detail === undefined ? '' : ` ${element('span', escapeXml(detail), { class: 'soft' })}`,
    ...below.map((line) => element('span', escapeXml(line), { class: 'below' })),
    key === undefined ? '' : element('span', escapeXml(key), { class: 'key' }),
  ].join('');
}

function rowHtml({ cells, isBold }: DrawnRow, columns: readonly DrawnColumn[]): string {
  let at = 0;
  const inner = cells.map((cell) => {
    const [name, scope] = at === 0 ? ['th', 'row'] : ['td', undefined];
    const spanned = columns.slice(at, at + cell.span);
    at += cell.span;
    if (spanned.length < 2)
      return element(name, cellInner(cell), { scope, class: spanned.map(classesOf).join('') });
    // Where optional columns are left out a cell must not go on taking their place.
    const optional = spanned.filter(({ isOptional }) => isOptional).map(() => '<td class="optional"></td>');
    const colspan = String(spanned.length - optional.length);
    return element(name, cellInner(cell), { scope, colspan }) + optional.join('');
  });
  return element('tr', inner.join(''), { class: isBold ? 'bold' : undefined });
}

const classesOf = ({ form, isOptional }: DrawnColumn): string =>
  [form === 'text' ? '' : form, isOptional ? 'optional' : ''].filter((one) => one !== '').join(' ');

function tableHtml({ caption, columns, rows, total }: DrawnTable): string {
  const headings = columns.map((column) =>
    element('th', escapeXml(column.heading), { scope: 'col', class: classesOf(column) }),
  );
  const hasHeadings = columns.some(({ heading }) => heading !== '');
  const parts = [
    caption === undefined ? '' : element('caption', escapeXml(caption)),
    hasHeadings ? element('thead', element('tr', headings.join(''))) : '',
    element('tbody', rows.map((row) => rowHtml(row, columns)).join('\n')),
    total === undefined ? '' : element('tfoot', rowHtml(total, columns)),
  ];
  return element('table', parts.filter((part) => part !== '').join('\n'));
}

function sectionHtml({ id, number, title, intro, blocks }: Section, report: Report): string {
  const numbered = number === undefined ? '' : `<span>${number}</span> `;
  return [
    `<section aria-labelledby="${escapeXml(id)}">`,
    `<h2 id="${escapeXml(id)}">${numbered}${escapeXml(title)}</h2>`,
    intro === undefined ? '' : element('p', escapeXml(intro)),
    ...blocks.map((block) =>
      typeof block === 'string'
        ? element('p', escapeXml(block), { class: 'foot' })
        : tableHtml(drawnTable(block, report)),
    ),
    '</section>',
  ].join('\n');
}

/** The report as one HTML file, whole in itself: no script, no address, readable and printable anywhere. */
export function reportHtml(report: Report): string {
  const { company, figures, signatures } = report;
  const kpi = figures.map(
    ({ label, value, remark }) =>
      `<div><dt>${escapeXml(label)}</dt><dd>${escapeXml(value)}</dd><dd>${escapeXml(remark)}</dd></div>`,
  );
  const signs = signatures.map(
    ({ label, hint }) => `<p><b>${escapeXml(label)}</b><br>${escapeXml(hint)}</p>`,
  );
  const name = company.name === undefined ? '' : `<b>${escapeXml(company.name)}</b> `;
  return `<!doctype html>
<html lang="${report.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="docfiscal-mcp">
<title>${escapeXml(report.answer)}</title>
<style>${pageStyle}
${pageRule(report)}
</style>
</head>
<body>
<main>
<header>
<p class="who">${name}${escapeXml(company.id)}</p>
<h1>${escapeXml(report.title)}</h1>
<p class="stand">${escapeXml(report.summary)}</p>
${report.warnings.map((words) => element('p', escapeXml(words), { class: 'part' })).join('\n')}
</header>
<dl class="kpi">
${kpi.join('\n')}
</dl>
${report.sections.map((section) => sectionHtml(section, report)).join('\n')}
<div class="sign keep">${signs.join('')}</div>
</main>
</body>
</html>
`;
}
