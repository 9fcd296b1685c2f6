import type { Check, Figure, Page, Party, Press } from '../page/page.ts';
import { button, type Child, el, listOf, type Speaker } from './dom.ts';

/** Sends the call of a press to the server. */
export type OnPress = ((press: Press) => void) | undefined;

function figureElement(figure: Figure, { text }: Speaker): HTMLElement {
  const { tone, leads, isVoid, isStruck } = figure;
  const [value, before, strong, note] = [figure.value, figure.before, figure.strong, figure.note].map(text);
  return el(
    'div',
    { class: leads ? 'lead' : undefined },
    el(
      'dt.fine',
      before && `${before} `,
      strong && el('b', { class: tone }, strong),
      strong && /^[^;]/.test(note ?? '') && ' ',
      note,
    ),
    el('dd', { class: isVoid ? 'soft' : undefined }, isStruck ? el('s', value) : value),
  );
}

/** Buttons of follow-up questions. */
export function pressesOf(presses: readonly Press[], onPress: OnPress, { text }: Speaker): Child {
  return (
    onPress &&
    listOf(
      'p.line next only-screen',
      presses.map((one) => button(text(one.text), () => onPress(one))),
    )
  );
}

/** Company, heading, figures and notices of a page. */
export function topOf(page: Page, speaker: Speaker): Child[] {
  const { role, company, heading, figures, states = [], notices, reasons = [] } = page;
  const { text } = speaker;
  const isWordy = figures.some(({ leads, note }) => !leads && text(note).length > 30);
  return [
    company &&
      el(
        'p.who fine',
        role && `${text(role)} `,
        company.name && el('b', text(company.name)),
        ' ',
        text(company.id),
      ),
    el('h1', { tabindex: -1 }, text(heading)),
    listOf(
      isWordy ? 'dl.figures line wordy' : 'dl.figures line',
      figures.map((figure) => figureElement(figure, speaker)),
    ),
    listOf(
      'ol.events line',
      states.map(({ name, at, tone }) =>
        el('li', el('b', { class: tone }, text(name)), ' ', at !== undefined && el('small.fine', text(at))),
      ),
      { 'aria-label': speaker.say('states') },
    ),
    ...notices.map(({ strong, text: more }) =>
      el('p.part next', el('b', text(strong)), more && ` ${text(more)}`),
    ),
    ...reasons.map((reason) => el('p.say next', text(reason))),
  ];
}

/** Basis of the page: one line, with the rest folded. */
export function basisOf({ basis }: Page, { text }: Speaker): HTMLElement | undefined {
  if (basis === undefined) return undefined;
  const sentences = basis.sentences.map((sentence) => el('li', text(sentence)));
  return el('details.basis fine', el('summary', text(basis.line)), el('ul', ...sentences));
}

/** Findings, deadline and authenticity of a document, then its parties. */
export function checksOf({ checks = [], parties = [] }: Page, onPress: OnPress, { text }: Speaker): Child[] {
  const check = ({ name, tone, lines, press }: Check) => {
    const parts = lines.flatMap(([what, more]) => [
      el('p', text(what)),
      text(more) !== '' && el('p.soft', text(more)),
    ]);
    const ask =
      press && onPress && button(text(press.text), () => onPress(press), { class: 'quiet only-screen' });
    return el('div', el('dt', { class: tone }, text(name)), el('dd', ...parts, ask));
  };
  const party = ({ role, name, lines }: Party) =>
    el(
      'div',
      el('h2', text(role)),
      el('p', el('b', text(name))),
      ...lines.map((line) => text(line) !== '' && el('p', text(line))),
    );
  return [listOf('dl.todo', checks.map(check)), listOf('div.pair', parties.map(party))];
}
