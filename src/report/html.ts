import { style } from 'view:page';
import { escapeXml } from '../documents/untrusted.ts';
import { cssString } from '../page/page.ts';
import {
  type DrawnCell,
  type DrawnColumn,
  type DrawnRow,
  type DrawnTable,
  drawnTable,
  type Report,
  type Section,
} from './model.ts';

/** Styles of a report besides those of the views: serif headings, figures in a grid, signatures. */
const reportStyle = `
:root { --title: ui-serif, Charter, Cambria, Georgia, "Times New Roman", serif }
main { padding-block: 20px 32px }
header { border-top: 3px solid var(--ink); padding-top: 8px }
h1 { font: 700 2rem/1.12 var(--title); margin: 4px 0 8px }
h2 {
  font: 700 1.25rem/1.25 var(--title); border-top: 1px solid var(--ink);
  padding-top: 6px; margin-top: 2.25rem; display: flex; gap: .5em;
}
h2 span { color: var(--soft); font-weight: 400 }
h2 + p, .fine { max-width: 46rem; color: var(--soft) }
a { color: var(--link) }
.stand { font-size: var(--large); max-width: 44rem }
.kpi {
  display: grid; grid-template-columns: repeat(4, 1fr); gap: 8px 20px; margin: 20px 0;
  border-block: 1px solid var(--rule); padding: 8px 0;
}
.kpi :is(dt, dd + dd) { font-size: var(--small); font-weight: 400; color: var(--soft) }
.kpi dd { font-size: 1.25rem; font-weight: 650 }
caption { font-size: inherit; padding-top: 8px }
td.whole { white-space: nowrap }
thead .n { white-space: normal }
.bold > * { font-weight: 650 }
.bold .soft { font-weight: 400 }
.soft { overflow-wrap: anywhere }
.below, .key { display: block; font-size: var(--small); color: var(--soft); overflow-wrap: anywhere }
.key { font: .6875rem var(--mono); letter-spacing: -.03em }
.sign { display: grid; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); gap: 42px 32px; margin-top: 52px }
.sign p { border-top: 1px solid var(--ink); padding-top: 4px }
.sign b { color: var(--ink) }
@media screen and (max-width: 800px) {
  h1 { font-size: 1.5rem }
  .kpi { grid-template-columns: 1fr 1fr; column-gap: 8px }
  td.whole { white-space: normal }
}
@media (max-width: 680px) {
  .share { width: auto }
  .bar { display: none }
  :is(th, td) { padding-inline: 4px }
  tbody, tfoot { font-size: var(--small) }
}
@media (max-width: 360px) {
  .kpi dd { font-size: 1.0625rem }
  :is(th, td) { padding-inline: 3px; overflow-wrap: anywhere }
  tbody, tfoot, thead th { font-size: .6875rem }
}
@media print { .keep { break-inside: avoid } }`;

/** Blocks all loading and scripts, in case a name in the report injects markup. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** CSS for the footer of printed pages. */
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

/** An element with escaped attributes; `inner` is markup. */
function element(name: string, inner: string, attributes: Readonly<Record<string, string | undefined>> = {}) {
  const written = Object.entries(attributes).map(([attribute, value]) =>
    value ? ` ${attribute}="${escapeXml(value)}"` : '',
  );
  return `<${name}${written.join('')}>${inner}</${name}>`;
}

function cellInner({ text, detail, below, key, isUrgent, bar, section }: DrawnCell): string {
  const span = (words: string | undefined, name: string) =>
    words === undefined ? '' : element('span', escapeXml(words), { class: name });
  const words = escapeXml(text);
  const named = section === undefined ? words : element('a', words, { href: `#${section}` });
  return [
    bar === undefined
      ? ''
      : `<span class="bar" aria-hidden="true"><i style="width:${bar.toFixed(1)}%"></i></span>`,
    isUrgent ? element('b', named, { class: 'bad' }) : named,
    detail === undefined ? '' : ` ${span(detail, 'soft')}`,
    span(below, 'below'),
    span(key, 'key'),
  ].join('');
}

/** CSS classes of a column by its form, as in the views. */
const classes = { text: '', whole: 'whole', number: 'n', share: 'n share' } as const;

const classesOf = ({ form, isOptional }: DrawnColumn): string =>
  `${classes[form]} ${isOptional ? 'at-wide' : ''}`.trim();

function rowHtml({ cells, isBold }: DrawnRow, columns: readonly DrawnColumn[]): string {
  const inner = cells.map((cell) => {
    const [name, scope] = cell.at === 0 ? ['th', 'row'] : ['td', undefined];
    const spanned = columns.slice(cell.at, cell.at + cell.span);
    if (spanned.length < 2)
      return element(name, cellInner(cell), { scope, class: spanned.map(classesOf).join('') });
    // A cell must not span optional columns, which narrow screens hide.
    const optional = spanned.filter(({ isOptional }) => isOptional).map(() => '<td class="at-wide"></td>');
    const colspan = String(spanned.length - optional.length);
    return element(name, cellInner(cell), { scope, colspan }) + optional.join('');
  });
  return element('tr', inner.join(''), { class: isBold ? 'bold' : undefined });
}

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
  return element('div', element('table', parts.filter((part) => part !== '').join('\n')), { class: 'table' });
}

function sectionHtml({ id, number, title, intro, blocks }: Section, report: Report): string {
  const numbered = number === undefined ? '' : `<span>${number}</span> `;
  const inner = [
    element('h2', `${numbered}${escapeXml(title)}`, { id }),
    intro === undefined ? '' : element('p', escapeXml(intro)),
    ...blocks.map((block) =>
      typeof block === 'string'
        ? element('p', escapeXml(block), { class: 'fine next' })
        : tableHtml(drawnTable(block, report)),
    ),
  ];
  return element('section', `\n${inner.join('\n')}\n`, { 'aria-labelledby': id });
}

/** The report as one self-contained HTML file without scripts or addresses. */
export function reportHtml(report: Report): string {
  const { company, figures, signatures } = report;
  const kpi = figures.map(
    ({ label, value, remark }) =>
      `<div><dt>${escapeXml(label)}</dt><dd>${escapeXml(value)}</dd><dd>${escapeXml(remark)}</dd></div>`,
  );
  const signs = signatures.map(
    ({ label, hint }) => `<p class="fine"><b>${escapeXml(label)}</b><br>${escapeXml(hint)}</p>`,
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
<style>${style}${reportStyle}
${pageRule(report)}
</style>
</head>
<body>
<main>
<header>
<p class="who fine">${name}${escapeXml(company.id)}</p>
<h1>${escapeXml(report.title)}</h1>
<p class="stand">${escapeXml(report.summary)}</p>
${report.warnings.map((words) => element('p', escapeXml(words), { class: 'part next' })).join('\n')}
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
