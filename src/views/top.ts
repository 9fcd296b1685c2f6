import type { Check, Figure, Page, Party, Press } from '../page/page.ts';
import { button, type Child, el, listOf, type Speaker } from './dom.ts';

/** Sends the call of a press to the server. */
export type OnPress = ((press: Press) => void) | undefined;

function figureElement(
  { value, before, strong, note, tone, leads, isVoid, isStruck }: Figure,
  { text }: Speaker,
): HTMLElement {
  const rest = text(note);
  return el(
    'div',
    { class: leads ? 'lead' : undefined },
    el(
      'dt',
      {},
      before !== undefined && `${text(before)} `,
      strong !== undefined && el('b', { class: tone }, text(strong)),
      strong !== undefined && /^[^;]/.test(rest) && ' ',
      rest,
    ),
    el('dd', { class: isVoid ? 'soft' : undefined }, isStruck ? el('s', {}, text(value)) : text(value)),
  );
}

/** Buttons of follow-up questions. */
export function pressesOf(presses: readonly Press[], onPress: OnPress, { text }: Speaker): Child {
  const buttons =
    onPress === undefined ? [] : presses.map((one) => button(text(one.text), () => onPress(one)));
  return listOf('p', { class: 'do only-screen' }, buttons);
}

/** Company, heading, figures and notices of a page. */
export function topOf(page: Page, speaker: Speaker): Child[] {
  const { role, company, heading, figures, states = [], notices, reasons = [] } = page;
  const { text } = speaker;
  const isWordy = figures.some(({ leads, note }) => !leads && text(note).length > 30);
  return [
    company &&
      el(
        'p',
        { class: 'who' },
        role !== undefined && `${text(role)} `,
        company.name !== undefined && el('b', {}, company.name),
        ' ',
        company.id,
      ),
    el('h1', { tabindex: -1 }, text(heading)),
    listOf(
      'dl',
      { class: isWordy ? 'figures wordy' : 'figures' },
      figures.map((figure) => figureElement(figure, speaker)),
    ),
    listOf(
      'ol',
      { class: 'events', 'aria-label': speaker.say('states') },
      states.map(({ name, at, tone }) =>
        el(
          'li',
          {},
          el('b', { class: tone }, text(name)),
          ' ',
          at !== undefined && el('small', {}, text(at)),
        ),
      ),
    ),
    ...notices.map(({ strong, text: more }) =>
      el('p', { class: 'part' }, el('b', {}, text(strong)), more !== undefined && ` ${text(more)}`),
    ),
    ...reasons.map((reason) => el('p', { class: 'say' }, text(reason))),
  ];
}

/** Basis of the page: one line, with the rest folded. */
export function basisOf({ basis }: Page, { text }: Speaker): HTMLElement | undefined {
  const sentences = basis?.sentences.map((sentence) => el('li', {}, text(sentence))) ?? [];
  return (
    basis &&
    el('details', { class: 'basis' }, el('summary', {}, text(basis.line)), el('ul', {}, ...sentences))
  );
}

/** Findings, deadline and authenticity of a document, then its parties. */
export function checksOf({ checks = [], parties = [] }: Page, onPress: OnPress, { text }: Speaker): Child[] {
  const check = ({ name, tone, lines, press }: Check) => {
    const parts = lines.flatMap(([what, more]) => [
      el('p', {}, text(what)),
      text(more) !== '' && el('p', { class: 'soft' }, text(more)),
    ]);
    const ask =
      press && onPress && button(text(press.text), () => onPress(press), { class: 'quiet only-screen' });
    return el('div', {}, el('dt', { class: tone }, text(name)), el('dd', {}, ...parts, ask));
  };
  const party = ({ role, name, lines }: Party) => {
    const rest = lines.map(text).filter((line) => line !== '');
    const named = el('p', {}, el('b', {}, name));
    return el('div', {}, el('h2', {}, text(role)), named, ...rest.map((line) => el('p', {}, line)));
  };
  return [
    listOf('dl', { class: 'todo' }, checks.map(check)),
    listOf('div', { class: 'pair' }, parties.map(party)),
  ];
}
