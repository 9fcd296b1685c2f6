import { el } from '../frame/dom.ts';

/** Copies a text; hosts don't grant their frames the newer clipboard API. */
export function copied(text: string): boolean {
  const area = el('textarea', { class: 'unseen', 'aria-hidden': 'true' });
  area.value = text;
  document.body.append(area);
  area.select();
  const isDone = document.execCommand('copy');
  area.remove();
  return isDone;
}
