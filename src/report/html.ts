import { escapeXml } from '../documents/xml/escape.ts';
import type { Block, Cell, Column, Report, Section, Table } from './model.ts';
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

function element(name: string, inner: string, classes: readonly (string | false | undefined)[] = []): string {
  const named = classes.filter(Boolean).join(' ');
  return `<${name}${named === '' ? '' : ` class="${named}"`}>${inner}</${name}>`;
}

function cellInner({ text, detail, below, key, isUrgent, bar }: Cell): string {
  const words = escapeXml(text);
  return [
    bar === undefined
      ? ''
      : `<span aria-hidden="true"><i style="width:${(100 * bar).toFixed(1)}%"></i></span>`,
    isUrgent ? element('b', words, ['bad']) : words,
    detail === undefined ? '' : ` ${element('span', escapeXml(detail), ['soft'])}`,
    below === undefined ? '' : element('span', escapeXml(below), ['below']),
    key === undefined ? '' : element('span', escapeXml(key), ['key']),
  ].join('');
}

function rowOf(cells: readonly Cell[], columns: readonly Column[]): string {
  const inner = columns.map(({ form, isOptional }, at) => {
    const classes = [form !== 'text' && form, isOptional && 'optional'];
    const [name, scope] = at === 0 ? ['th', ' scope="row"'] : ['td', ''];
    return element(name, cellInner(cells[at] ?? { text: '' }), classes).replace(
      `<${name}`,
      `<${name}${scope}`,
    );
  });
  return element('tr', inner.join(''));
}

function table({ caption, remark, columns, rows, total }: Table): string {
  const headings = columns.map(({ heading, form, isOptional }) =>
    element('th', escapeXml(heading), [form !== 'text' && form, isOptional && 'optional']).replace(
      '<th',
      '<th scope="col"',
    ),
  );
  const small = remark === undefined ? '' : ` ${element('small', escapeXml(remark))}`;
  return element(
    'table',
    [
      caption === undefined ? '' : element('caption', `${escapeXml(caption)}${small}`),
      element('thead', element('tr', headings.join(''))),
      element('tbody', rows.map((cells) => rowOf(cells, columns)).join('\n')),
      total === undefined ? '' : element('tfoot', rowOf(total, columns)),
    ].join('\n'),
  );
}

function blockHtml(block: Block): string {
  switch (block.kind) {
    case 'table':
      return table(block);
    case 'note':
      return element('p', escapeXml(block.text), ['foot']);
    case 'remarks': {
      const items = block.items.map(({ about, text }) =>
        element('li', (about === undefined ? '' : `<b>${escapeXml(about)}:</b> `) + escapeXml(text)),
      );
      return element('ul', items.join('\n'), ['remarks']);
    }
    case 'sources': {
      const items = block.items.map(({ label, text, digest }) => {
        const sum = digest === undefined ? '' : element('span', escapeXml(digest), ['key']);
        return `<dt>${escapeXml(label)}</dt><dd>${escapeXml(text)}${sum}</dd>`;
      });
      return element('dl', items.join('\n'), ['sources']);
    }
    case 'tasks': {
      const items = block.items.map(({ when, isUrgent, text, section, amount }) => {
        const link = `<a href="#${escapeXml(section.id)}">${escapeXml(section.name)}</a>`;
        return element(
          'li',
          element('b', escapeXml(when), [isUrgent && 'bad']) +
            element('span', `${escapeXml(text)} ${link}`) +
            element('span', escapeXml(amount ?? ''), ['number']),
        );
      });
      return element('ol', items.join('\n'), ['tasks']);
    }
  }
}

function sectionHtml({ id, number, title, intro, blocks }: Section): string {
  const numbered = number === undefined ? '' : `<span>${number}</span> `;
  return [
    `<section aria-labelledby="${escapeXml(id)}">`,
    `<h2 id="${escapeXml(id)}">${numbered}${escapeXml(title)}</h2>`,
    intro === undefined ? '' : element('p', escapeXml(intro)),
    ...blocks.map(blockHtml),
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
${report.warnings.map((words) => element('p', escapeXml(words), ['part'])).join('\n')}
</header>
<dl class="kpi">
${kpi.join('\n')}
</dl>
${report.sections.map(sectionHtml).join('\n')}
<div class="sign keep">${signs.join('')}</div>
</main>
</body>
</html>
`;
}
