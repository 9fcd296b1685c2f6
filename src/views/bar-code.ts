import { code128 } from '../sheets/draw/code-128.ts';
import { el, svg } from './dom.ts';

/** Modules of white that a scanner wants on both sides. Source: ISO/IEC 15417. */
const QUIET = 10;

/** A key as bars: black on white whatever the theme, as a scanner wants them. Undefined for what no bars can say. */
export function barCode(code: string, label: string): HTMLElement | undefined {
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
  return el('div', { class: 'bars' }, picture);
}
