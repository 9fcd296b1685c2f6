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

/** Styles for screen, narrow screen, dark mode and paper. They load nothing. */
const pageStyle = `
:root {
  color-scheme: light dark;
  --paper: #fff; --ink: #191a1d; --soft: #5b5e66; --hair: #dededa; --rule: #85878d;
  --bar: #6886ab; --link: #1b4f91; --bad: #ab1d18; --soon: #865000;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  --mono: ui-monospace, "Cascadia Mono", Consolas, monospace;
  --title: ui-serif, Charter, "Bitstream Charter", Cambria, Georgia, "Times New Roman", serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #1b1c1f; --ink: #ececea; --soft: #a9acb4; --hair: #36393f; --rule: #7d8189;
    --bar: #6485ad; --link: #9cc2f5; --bad: #ff9d95; --soon: #efc06a;
  }
}
* { box-sizing: border-box }
html { font: 400 100%/1.4 var(--sans); -webkit-text-size-adjust: 100% }
body { margin: 0; background: var(--paper); color: var(--ink); font-size: .8125rem }
main {
  max-width: 820px; margin: 0 auto; padding: 20px 12px 32px;
  font-variant-numeric: tabular-nums lining-nums; overflow-wrap: break-word;
}
h1, h2, p, dl, dd, ul, ol { margin: 0; padding: 0 }
a { color: var(--link) }
header { border-top: 3px solid var(--ink); padding-top: 8px }
h1 { font: 700 2rem/1.12 var(--title); margin: 4px 0 8px; text-wrap: balance }
h2 {
  font: 700 1.25rem/1.25 var(--title); border-top: 1px solid var(--ink);
  padding-top: 6px; margin-top: 2.25rem; display: flex; gap: .5em;
}
h2 span { color: var(--soft); font-weight: 400 }
h2 + p { margin-top: 2px; max-width: 44rem; color: var(--soft) }
.who { color: var(--soft); font-size: .75rem }
.who b { font-weight: 600; color: var(--ink) }
.stand { font-size: .9375rem; max-width: 44rem; line-height: 1.45 }
.part { border-left: 3px solid var(--soon); padding: 4px 0 4px 8px; margin-top: 8px; max-width: 44rem }
.kpi {
  display: grid; grid-template-columns: repeat(4, 1fr); gap: 0 20px; margin: 20px 0;
  border-block: 1px solid var(--rule); padding: 8px 0;
}
.kpi div { display: flex; flex-direction: column }
.kpi dt { font-size: .75rem; color: var(--soft) }
.kpi dd { font-size: 1.25rem; font-weight: 650; line-height: 1.3 }
.kpi dd + dd { font-size: .75rem; font-weight: 400; color: var(--soft) }
table { border-collapse: collapse; width: 100%; line-height: 1.35; margin-top: 8px }
caption { text-align: left; font-weight: 650; padding: 8px 0 4px }
th, td { text-align: left; vertical-align: baseline; padding: 3.2px 6px }
:is(th, td):first-child { padding-left: 0 }
:is(th, td):last-child { padding-right: 0 }
thead th { font-weight: 500; font-size: .75rem; color: var(--soft); vertical-align: bottom; border-bottom: 1px solid var(--rule) }
tbody th { font-weight: 400 }
tbody tr { border-bottom: 1px solid var(--hair) }
tbody tr:last-child { border-bottom: 0 }
tfoot tr > * { border-top: 1px solid var(--rule); font-weight: 650 }
.number, .share { text-align: right; white-space: nowrap }
.whole { white-space: nowrap }
thead .whole, thead .number, thead .share { white-space: normal }
tr.bold > * { font-weight: 650 }
tr.bold .soft { font-weight: 400 }
.share { width: 6.8rem }
.share span { float: left; width: calc(100% - 3.4rem); padding-top: .3rem }
.share i { display: block; height: .5rem; background: var(--bar) }
.soft { color: var(--soft); overflow-wrap: anywhere }
.bad { color: var(--bad) }
.below { display: block; font-size: .75rem; color: var(--soft); overflow-wrap: anywhere }
.key {
  display: block; font-family: var(--mono); font-size: .6875rem; color: var(--soft);
  white-space: nowrap; letter-spacing: -.03em;
}
.foot { font-size: .75rem; color: var(--soft); margin-top: 4px; max-width: 46rem }
.sign { display: grid; grid-template-columns: 1fr 1fr; gap: 0 32px; margin-top: 3.2rem }
.sign p { border-top: 1px solid var(--ink); padding-top: 4px; font-size: .75rem; color: var(--soft) }
.sign b { color: var(--ink) }
@media (max-width: 680px) {
  h1 { font-size: 1.5rem }
  .kpi { grid-template-columns: 1fr 1fr; gap: 8px 20px }
  .sign { grid-template-columns: minmax(0, 1fr); gap: 2.6rem }
  .share { width: 3rem }
  .whole { white-space: normal }
  .share span, .optional { display: none }
  :is(th, td) { padding-inline: 4px }
  tbody, tfoot { font-size: .75rem }
  .key { white-space: normal; overflow-wrap: anywhere }
}
@media (max-width: 360px) {
  :is(th, td) { padding-inline: 3px; overflow-wrap: anywhere }
  tbody, tfoot, thead th { font-size: .6875rem }
}
@media (forced-colors: active) { .share i { background: CanvasText; forced-color-adjust: none } }
@media print {
  :root {
    color-scheme: light; --paper: #fff; --ink: #191a1d; --soft: #55585f; --hair: #dededa; --rule: #85878d;
    --bar: #6886ab; --link: #191a1d; --bad: #ab1d18; --soon: #865000;
    print-color-adjust: exact; -webkit-print-color-adjust: exact;
  }
  html { font-size: 13px }
  main { max-width: none; padding: 0 }
  a { text-decoration: none }
  h2 { margin-top: 1.6rem }
  .kpi { margin: 12px 0 }
  tr, .keep { break-inside: avoid }
  h2, h2 + p, caption, thead { break-after: avoid }
}`;

/** Nothing is loaded and nothing runs, whatever a name in the report tries. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** Foot of each printed page. */
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

/** An element with its attributes; its content is markup. */
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
    bar === undefined ? '' : `<span aria-hidden="true"><i style="width:${bar.toFixed(1)}%"></i></span>`,
    isUrgent ? element('b', named, { class: 'bad' }) : named,
    detail === undefined ? '' : ` ${span(detail, 'soft')}`,
    span(below, 'below'),
    span(key, 'key'),
  ].join('');
}

const classesOf = ({ form, isOptional }: DrawnColumn): string =>
  [form === 'text' ? '' : form, isOptional ? 'optional' : ''].filter((one) => one !== '').join(' ');

function rowHtml({ cells, isBold }: DrawnRow, columns: readonly DrawnColumn[]): string {
  const inner = cells.map((cell) => {
    const [name, scope] = cell.at === 0 ? ['th', 'row'] : ['td', undefined];
    const spanned = columns.slice(cell.at, cell.at + cell.span);
    if (spanned.length < 2)
      return element(name, cellInner(cell), { scope, class: spanned.map(classesOf).join('') });
    // Without the optional columns a cell must not span their places.
    const optional = spanned.filter(({ isOptional }) => isOptional).map(() => '<td class="optional"></td>');
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
  return element('table', parts.filter((part) => part !== '').join('\n'));
}

function sectionHtml({ id, number, title, intro, blocks }: Section, report: Report): string {
  const numbered = number === undefined ? '' : `<span>${number}</span> `;
  const inner = [
    element('h2', `${numbered}${escapeXml(title)}`, { id }),
    intro === undefined ? '' : element('p', escapeXml(intro)),
    ...blocks.map((block) =>
      typeof block === 'string'
        ? element('p', escapeXml(block), { class: 'foot' })
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
