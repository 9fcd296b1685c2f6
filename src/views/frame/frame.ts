import { el } from './dom.ts';
import { type Host, type HostContext, openHost, type ToolResult } from './host.ts';
import { hearKeys, keyboardKeeper } from './keyboard.ts';
import { languageFor, type Speaker, speakerOf, type Words } from './words.ts';

/** One page: shows what it was told last, anew whenever that or the language changes. */
export interface Page {
  /** Shows itself in the element; called again after every change. */
  show(place: HTMLElement, speaker: Speaker, host: Host | undefined): void;
  input(args: Readonly<Record<string, unknown>>): void;
  result(result: ToolResult): void;
}

/** What a page may ask of its frame. */
export interface Frame {
  host(): Host | undefined;
  speaker(): Speaker;
  context(): HostContext;
  /** Shows the page anew. */
  changed(): void;
  /** Says a thing to who can't see it change. */
  announce(text: string): void;
}

function apply({ theme, styles }: HostContext): void {
  const root = document.documentElement;
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (name.startsWith('--') && typeof value === 'string') root.style.setProperty(name, value);
  }
}

/** Rows that are shown when somebody asks are asked for; each time are twice as many as before. */
const MOST_TIMES = 6;

/** On paper nothing can be pressed. */
function showAll(place: HTMLElement): void {
  for (let time = 0; time < MOST_TIMES; time += 1) {
    for (const more of place.querySelectorAll<HTMLButtonElement>('.more:not([hidden])')) more.click();
  }
}

/** Runs a page inside its host; language, theme and size follow the host. */
export function runPage(words: Words, make: (frame: Frame) => Page): void {
  const place = document.getElementById('view') ?? document.body;
  const spoken = el('p', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
  document.body.append(spoken);
  const keepingKeyboard = keyboardKeeper(place);
  hearKeys(place);
  window.addEventListener('beforeprint', () => showAll(place));
  let host: Host | undefined;
  let context: HostContext = {};
  let language = languageFor(context);
  let speaker = speakerOf(language, context.timeZone, words);
  const frame: Frame = {
    host: () => host,
    speaker: () => speaker,
    context: () => context,
    changed: () => {
      keepingKeyboard(() => {
        try {
          page.show(place, speaker, host);
        } catch {
          // Whatever an answer looks like, the page says that it can't show it: the text beside it is whole.
          place.replaceChildren(el('p', { class: 'error', role: 'alert' }, speaker.say('unshown')));
        }
      });
    },
    announce: (text) => {
      spoken.textContent = text;
    },
  };
  const page = make(frame);
  const opening = openHost({
    input: (args) => {
      page.input(args);
      frame.changed();
    },
    result: (result) => {
      page.result(result);
      frame.changed();
    },
    cancelled: () => {
      page.result({ isError: true, content: [{ type: 'text', text: speaker.say('cancelled') }] });
      frame.changed();
    },
    context: (changes) => {
      // Of a language that a host takes back, the page's own is left.
      context = { ...context, ...changes };
      language = languageFor(context);
      document.documentElement.lang = language;
      speaker = speakerOf(language, context.timeZone, words);
      apply(context);
      frame.changed();
    },
  });
  opening.then(
    (opened) => {
      host = opened;
      frame.changed();
    },
    () => undefined,
  );
  frame.changed();
}

/** A button that goes back to what was shown before; Escape presses it, too. */
export function backButton({ speaker, changed }: Frame, goBack: () => void): HTMLButtonElement {
  const press = () => {
    goBack();
    changed();
  };
  return el('button', { type: 'button', click: press, class: 'back' }, speaker().say('back'));
}

/** A button that shows the page in all of the window, where the host has that. */
export function fullScreenButton({ host, context, speaker }: Frame): HTMLButtonElement | undefined {
  const { displayMode = 'inline', availableDisplayModes = [] } = context();
  if (displayMode !== 'inline' || !availableDisplayModes.includes('fullscreen')) return undefined;
  const press = () => void host()?.request('ui/request-display-mode', { mode: 'fullscreen' });
  return el('button', { type: 'button', click: press }, speaker().say('full_screen'));
}

/** What went wrong with a call, as the server worded it. */
export function errorText({ content = [] }: ToolResult): string {
  return content.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n');
}
