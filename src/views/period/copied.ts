import { el } from '../frame/dom.ts';

/**
 * Puts a text where a paste finds it; whether that went well. The older way, since hosts give the frames of views no
 * leave for the newer one.
 */
export function copied(text: string): boolean {
  const area = el('textarea', { class: 'unseen', 'aria-hidden': 'true' });
  area.value = text;
  document.body.append(area);
  area.select();
  const isDone = document.execCommand('copy');
  area.remove();
  return isDone;
}
