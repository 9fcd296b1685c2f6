import type { Check, Figure, Notice, Page, Party, Press, State } from '../page/page.ts';
import { button, el } from './dom.ts';
import type { Speaker } from './words.ts';

/** Asks the server what a press says. */
export type OnPress = ((press: Press) => void) | undefined;

function whoOf({ role, company }: Page, speaker: Speaker): HTMLElement | undefined {
  if (company === undefined) return undefined;
  const { name, id } = company;
  return el(
    'p',
    { class: 'who' },
    role !== undefined && `${speaker.text(role)} `,
    name !== undefined && el('b', {}, name),
    ' ',
    id,
  );
}

function figureElement(
  { value, before, strong, note, tone, leads, isVoid, isStruck }: Figure,
  speaker: Speaker,
): HTMLElement {
  const amount = speaker.text(value);
  const rest = speaker.text(note);
  const inside = isStruck ? el('s', {}, amount) : amount;
  return el(
    'div',
    { class: leads ? 'lead' : undefined },
    el(
      'dt',
      {},
      before !== undefined && `${speaker.text(before)} `,
      strong !== undefined && el('b', { class: tone }, speaker.text(strong)),
      strong !== undefined && /^[^;]/.test(rest) && ' ',
      rest,
    ),
    el('dd', { class: isVoid ? 'soft' : undefined }, inside),
  );
}

function noticeElement({ strong, text }: Notice, speaker: Speaker): HTMLElement {
  return el(
    'p',
    { class: 'part' },
    el('b', {}, speaker.text(strong)),
    text !== undefined && ` ${speaker.text(text)}`,
  );
}

function stateElement({ name, at, tone }: State, speaker: Speaker): HTMLElement {
  return el(
    'li',
    {},
    el('b', { class: tone }, speaker.text(name)),
    ' ',
    at !== undefined && el('small', {}, speaker.text(at)),
  );
}

/** Buttons of questions that follow. */
export function pressesOf(
  presses: readonly Press[],
  onPress: OnPress,
  speaker: Speaker,
): HTMLElement | undefined {
  if (presses.length === 0 || onPress === undefined) return undefined;
  return el(
    'p',
    { class: 'do only-screen' },
    ...presses.map((press) => button(speaker.text(press.text), () => onPress(press))),
  );
}

/** Company, heading, figures, and what changes the reading of a page. */
export function topOf(page: Page, speaker: Speaker): (HTMLElement | undefined)[] {
  const { heading, figures, states = [], notices, reasons = [] } = page;
  return [
    whoOf(page, speaker),
    el('h1', { tabindex: -1 }, speaker.text(heading)),
    figures.length > 0
      ? el(
          'dl',
          {
            class: figures.some(({ leads, note }) => !leads && speaker.text(note).length > 30)
              ? 'figures wordy'
              : 'figures',
          },
          ...figures.map((figure) => figureElement(figure, speaker)),
        )
      : undefined,
    states.length > 0
      ? el(
          'ol',
          { class: 'events', 'aria-label': speaker.say('states') },
          ...states.map((state) => stateElement(state, speaker)),
        )
      : undefined,
    ...notices.map((notice) => noticeElement(notice, speaker)),
    ...reasons.map((reason) => el('p', { class: 'say' }, speaker.text(reason))),
  ];
}

/** What the page rests on: one line, the rest folded behind it. */
export function basisOf({ basis }: Page, speaker: Speaker): HTMLElement | undefined {
  if (basis === undefined) return undefined;
  return el(
    'details',
    { class: 'basis' },
    el('summary', {}, speaker.text(basis.line)),
    el('ul', {}, ...basis.sentences.map((sentence) => el('li', {}, speaker.text(sentence)))),
  );
}

function checkElement({ name, tone, lines, press }: Check, onPress: OnPress, speaker: Speaker): HTMLElement {
  const parts = lines.flatMap(([what, more]) => [
    el('p', {}, speaker.text(what)),
    more !== undefined && speaker.text(more) !== '' && el('p', { class: 'soft' }, speaker.text(more)),
  ]);
  const ask =
    press &&
    onPress &&
    button(speaker.text(press.text), () => onPress(press), { class: 'quiet only-screen' });
  return el('div', {}, el('dt', { class: tone }, speaker.text(name)), el('dd', {}, ...parts, ask));
}

function partyElement({ role, name, lines }: Party, speaker: Speaker): HTMLElement {
  const rest = lines.map((line) => speaker.text(line)).filter((line) => line !== '');
  return el(
    'div',
    {},
    el('h2', {}, speaker.text(role)),
    el('p', {}, el('b', {}, name)),
    ...rest.map((line) => el('p', {}, line)),
  );
}

/** Findings, deadline and authenticity of a document, then its parties. */
export function checksOf(
  { checks = [], parties = [] }: Page,
  onPress: OnPress,
  speaker: Speaker,
): (HTMLElement | undefined)[] {
  return [
    checks.length > 0
      ? el('dl', { class: 'todo' }, ...checks.map((check) => checkElement(check, onPress, speaker)))
      : undefined,
    parties.length > 0
      ? el('div', { class: 'pair' }, ...parties.map((party) => partyElement(party, speaker)))
      : undefined,
  ];
}
