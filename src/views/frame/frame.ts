import { el, type Unknown } from './dom.ts';
import { type Host, type HostContext, openHost, type ToolResult } from './host.ts';
import { languageFor, type Speaker, speakerOf, type Words } from './words.ts';

/** Who had the keyboard before a page was drawn anew: what it is elementNamed, and which of those it was. */
interface Focused {
  readonly name: string;
  readonly at: number;
}

function nameOf(element: Element): string {
  return `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent}`;
}

function alike(place: Element, name: string): HTMLElement[] {
  const all = place.querySelectorAll<HTMLElement>('h1,button,input,select,[tabindex]');
  return [...all].filter((one) => nameOf(one) === name);
}

const elementNamed = (place: Element, { name, at }: Focused) => alike(place, name)[at];

function focusedIn(place: Element): Focused | undefined {
  const one = document.activeElement as HTMLElement | null;
  if (one === null || !place.contains(one)) return undefined;
  const name = nameOf(one);
  return { name, at: alike(place, name).indexOf(one) };
}

/** Redraws a part of the page and restores the focus: the same element, else the last one still there. */
export function keyboardKeeper(place: HTMLElement): (draw: () => void) => void {
  const left: Focused[] = [];
  return (draw) => {
    const was = focusedIn(place);
    draw();
    if (was === undefined) return;
    let to = elementNamed(place, was);
    if (to === undefined) {
      const earlier = left.findLastIndex((one) => elementNamed(place, one));
      const [back] = earlier === -1 ? [] : left.splice(earlier);
      if (back === undefined) left.push(was);
      to = (back && elementNamed(place, back)) ?? place.querySelector<HTMLElement>('h1,button') ?? undefined;
    }
    to?.focus();
    // Who types goes on at the end.
    (to as HTMLInputElement | undefined)?.setSelectionRange?.(-1, -1);
  };
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** Keys beside Tab and Enter: arrows, Home and End go along the headings or the rows of a table, Escape goes back. */
function hearKeys(place: HTMLElement): void {
  document.addEventListener('keydown', (event) => {
    const { key } = event;
    const target = event.target as HTMLElement;
    // In a field it empties that first, as everywhere.
    if (key === 'Escape' && !(target as HTMLInputElement).value) {
      place.querySelector<HTMLButtonElement>('.back')?.click();
      return;
    }
    const all = [...(target.closest('thead,tbody')?.querySelectorAll('button') ?? [])];
    const at = all.indexOf(target as HTMLButtonElement);
    const to = key === 'Home' ? 0 : key === 'End' ? all.length - 1 : at + (steps[key] ?? Number.NaN);
    const next = at === -1 ? undefined : all[to];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  });
}

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

/** Calls of a page, one at a time, with what it says of them. */
export function createCalls(frame: Frame) {
  const calls = {
    /** What is being done; undefined between calls. */
    busy: undefined as string | undefined,
    /** Why the last call failed. */
    error: undefined as string | undefined,
    async ask(tool: string, args: Unknown, doing: string): Promise<ToolResult | undefined> {
      const host = frame.host();
      if (host === undefined || calls.busy !== undefined) return undefined;
      calls.busy = doing;
      calls.error = undefined;
      frame.changed();
      frame.announce(doing);
      try {
        const result = await host.call(tool, args);
        if (result.isError !== true) return result;
        calls.error = errorText(result);
      } catch (error) {
        calls.error = (error as Error).message;
      } finally {
        calls.busy = undefined;
        frame.changed();
      }
      return undefined;
    },
    /** Tells the model which document is open: its kind and key, and nothing that the document says. */
    tellModel(named: Unknown): void {
      const host = frame.host();
      if (host?.can('updateModelContext') !== true) return;
      const text = `The person opened ${Object.values(named).join(' ')} in the view.`;
      const params = { content: [{ type: 'text', text }] };
      void host.request('ui/update-model-context', params).catch(() => undefined);
    },
    /** What stands above the page. */
    status: () => [
      calls.busy !== undefined && el('p', { class: 'busy' }, calls.busy),
      calls.error !== undefined && el('p', { class: 'error', role: 'alert' }, calls.error),
    ],
  };
  return calls;
}
