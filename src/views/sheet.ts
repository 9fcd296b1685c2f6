import { code128 } from '../sheets/draw/code-128.ts';
import { keyGroups } from '../sheets/printed.ts';
import type { Block, Field, FieldBlock, Sheet, SheetHead, TableBlock } from '../sheets/sheet.ts';
import { button, el, type Speaker, svg } from './dom.ts';

/** Quiet zone on both sides, in modules. Source: ISO/IEC 15417. */
const QUIET = 10;

/** A key as a Code 128 bar code, black on white in every theme; undefined for text that can't be encoded. */
function barCode(code: string, label: string): HTMLElement | undefined {
  const widths = code128(code);
  if (widths === undefined) return undefined;
  let at = QUIET;
  let path = '';
  for (const [place, width] of widths.entries()) {
    if (place % 2 === 0) path += `M${at} 0h${width}v1h-${width}z`;
    at += width;
  }
  const picture = svg(
    'svg',
    { viewBox: `0 0 ${at + QUIET} 1`, preserveAspectRatio: 'none', role: 'img', 'aria-label': label },
    svg('path', { d: path }),
  );
  return el('div.bars', picture);
}

/** Rows of a table shown at first; each request for more doubles them. */
const FIRST_ROWS = 200;
/** Longest word that is never broken. */
const LONGEST_WHOLE = 22;

function fieldOf({ label, value, width, align }: Field): HTMLElement {
  const box = el('div', { class: `field ${align ?? ''}` }, el('dt', label), el('dd', value));
  box.style.setProperty('--width', String(width));
  const longest = Math.max(0, ...value.split(/\s+/).map(({ length }) => length));
  if (longest <= LONGEST_WHOLE) box.style.setProperty('--longest', String(longest));
  return box;
}

function rowsOf({ rows }: Pick<FieldBlock, 'rows'>): HTMLElement[] {
  return rows.map((fields) => el('dl.row', ...fields.map(fieldOf)));
}

/** A table of the form; in narrow windows rows become cards, with headings beside their cells. */
function tableOf({ columns, rows, title }: TableBlock, speaker: Speaker): HTMLElement {
  const headings = columns.map(({ heading, align }) => el('th', { scope: 'col', class: align }, heading));
  const body = el('tbody');
  const table = el('table', { 'aria-label': title }, el('thead', el('tr', ...headings)), body);
  const box = el('div.scroll', { tabindex: 0, role: 'region', 'aria-label': title }, table);
  let shown = 0;
  const showUpTo = (most: number) => {
    for (const { cells, details = [] } of rows.slice(shown, most)) {
      const boxes = cells.map((cell, at) =>
        el('td', { class: columns[at]?.align, 'data-label': columns[at]?.heading }, cell),
      );
      body.append(el('tr', ...boxes));
      if (details.length > 0)
        body.append(el('tr.details', el('td', { colspan: columns.length }, details.join('\n'))));
    }
    shown = Math.min(rows.length, most);
    // Keeps the focus by the rows when the button disappears.
    if (shown === rows.length && document.activeElement === more) box.focus();
    more.hidden = shown === rows.length;
    more.textContent = speaker.say('more', { count: rows.length - shown });
  };
  const more = button('', () => showUpTo(shown * 2), { class: 'more' });
  showUpTo(FIRST_ROWS);
  box.addEventListener('showall', () => showUpTo(rows.length));
  box.append(more);
  return box;
}

function blockOf(block: Block, speaker: Speaker): HTMLElement {
  if (block.kind === 'sentence') return el('p.sentence', block.text);
  const title = block.title && el('h3', block.title);
  if (block.kind === 'table') return el('section', title, tableOf(block, speaker));
  const rows = block.kind === 'text' ? [block.parts] : block.rows;
  return el('section', { class: block.kind }, title, ...rowsOf({ rows }));
}

function headOf(head: SheetHead, speaker: Speaker): HTMLElement {
  const [name, ...address] = head.issuer;
  const facts = head.facts.map(({ label, value }) => el('p.fact', el('span', label), ` ${value}`));
  const { flow, key, secondCode } = head;
  const lines = (texts: readonly string[]) => texts.map((line) => el('p', line));
  const code = (text: string, label: string) =>
    el('div', barCode(text, label), el('p.label', label), el('p', keyGroups(text)));
  return el(
    'header.head',
    name !== undefined && el('div.issuer', el('strong', name), ...lines(address)),
    el(
      'div.form',
      el('h2', head.title),
      ...lines(head.subtitle),
      flow && el('p.flow', el('b', flow.code), ` ${flow.meanings.join(' · ')}`),
      ...facts,
    ),
    el(
      'div.codes',
      head.warning !== undefined && el('p.warning', head.warning),
      ...lines(head.corner),
      key !== undefined && code(key, speaker.say('access_key')),
      secondCode && code(secondCode.code, secondCode.label),
      head.consultation !== '' && el('p', head.consultation),
    ),
  );
}

/** A sheet as a page: blocks in the norm's order, with the marks of an invalid document. */
export function sheetElement({ form, head, blocks, marks, foot }: Sheet, speaker: Speaker): HTMLElement {
  // The tear-off receipt repeats fields below and is useless on a screen.
  const shown = blocks.filter((block) => block.kind === 'table' || block.place !== 'top');
  return el(
    'article',
    { class: `sheet ${form}`, lang: 'pt-BR' },
    ...marks.map((mark) => el('p.mark', { role: 'note' }, mark)),
    headOf(head, speaker),
    ...shown.map((block) => blockOf(block, speaker)),
    foot !== '' && el('p', foot),
    marks.length > 0 && el('div.across', { 'aria-hidden': 'true' }, el('span', marks.join(' · '))),
  );
}
