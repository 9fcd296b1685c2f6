import { membersOf } from '../documents/untrusted.ts';
import { type Call, cssString, type DocumentActions, type Page } from '../page/page.ts';
import { keyGroups } from '../sheets/printed.ts';
import type { Sheet } from '../sheets/sheet.ts';
import {
  button,
  type Child,
  el,
  languageFor,
  listOf,
  type Speaker,
  speakerOf,
  textOf,
  type Unknown,
} from './dom.ts';
import { type Host, type HostContext, openHost, type ToolResult } from './host.ts';
import { hearKeys, keepingFocus } from './keyboard.ts';
import { sheetElement } from './sheet.ts';
import { type Actions, keyButton, tableParts } from './table.ts';
import { basisOf, checksOf, pressesOf, topOf } from './top.ts';

/** Key of the data for views in an answer's `_meta`; the server uses the same. */
const VIEW_DATA = 'docfiscal/view';

/** A page of the view, kept with its filter and order for going back. */
interface Shown {
  /** Undefined for an answer. */
  readonly state?: 'loading' | 'cancelled' | 'failed';
  readonly page?: Page | undefined;
  /** The text of an answer without a page, or of a failure. */
  readonly text?: string;
  /** The sheet shown instead of the overview. */
  readonly sheet?: Sheet | undefined;
  /** Drawn on first display. */
  element?: HTMLElement | undefined;
  /** The focused element when another page replaced this one. */
  focused?: HTMLElement | undefined;
}

const place = document.getElementById('view') ?? document.body;
const spoken = el('p.sr', { role: 'status', 'aria-live': 'polite' });
const [bar, busyLine, content] = [el('div'), el('p.busy', { 'aria-hidden': 'true' }), el('div')];
let host: Host | undefined;
let context: HostContext = {};
let speaker: Speaker = speakerOf(languageFor(context.locale));
let shown: Shown = { state: 'loading' };
let asked: Unknown = {};
/** Pages to go back to. */
const before: Shown[] = [];

const can: Host['can'] = (ability) => host?.can(ability) === true;
const announce = (text: string): void => {
  spoken.textContent = text;
};

function shownOf({ content, isError = false, _meta }: ToolResult): Shown {
  const { page } = membersOf(membersOf(_meta)[VIEW_DATA]);
  if (page !== undefined && !isError) return { page: page as Page };
  const blocks = Array.isArray(content) ? content : [];
  const text = blocks.flatMap((block) => textOf(membersOf(block).text) ?? []).join('\n');
  return isError ? { text, state: 'failed' } : { text };
}

function elementOf(one: Shown): HTMLElement {
  try {
    return el('div', ...partsOf(one));
  } catch {
    // An answer that can't be drawn leaves the page a message; the answer's text is complete.
    return el('p.part err next', { role: 'alert' }, speaker.say('unshown'));
  }
}

function redraw(): void {
  shown.element ??= elementOf(shown);
  const { element, focused } = shown;
  keepingFocus(
    place,
    () => {
      bar.replaceChildren(...navigation());
      // Reinserting an element loses its focus and scroll position.
      if (content.firstChild !== element) content.replaceChildren(element);
    },
    focused,
  );
  document.title = titleOf(shown);
}

/** Calls a tool, one call at a time; undefined if it can't be called or fails, which the page then reports. */
async function ask({ tool, args }: Pick<Call, 'args'> & { tool: string }): Promise<ToolResult | undefined> {
  if (host === undefined || busyLine.textContent !== '') return undefined;
  busyLine.textContent = speaker.say('fetching');
  announce(speaker.say('fetching'));
  try {
    const result = await host.call(tool, args);
    if (result.isError !== true) return result;
    show(shownOf(result));
  } catch (error) {
    show({ text: (error as Error).message, state: 'failed' });
  } finally {
    busyLine.textContent = '';
  }
  return undefined;
}

/** Shows another page, with a way back to the one before. */
function show(next: Shown): void {
  shown.focused = document.activeElement as HTMLElement;
  before.push(shown);
  shown = next;
  redraw();
  window.scrollTo(0, 0);
}

/** Opens another page, or replaces this one by the same with more or newer data. */
async function follow(call: Call, isOther: boolean): Promise<void> {
  const from = shown;
  const result = await ask(call);
  // If the person went back meanwhile, the answer is dropped.
  if (result === undefined || shown !== from) return;
  if (isOther) show(shownOf(result));
  else {
    shown = shownOf(result);
    redraw();
  }
  announce(document.title);
  // The model learns the kind and key of a document, and nothing of its content.
  if (!isOther || call.tool !== 'get_document' || !can('updateModelContext')) return;
  const text = `The person opened ${Object.values(call.args).join(' ')} in the view.`;
  host?.request('ui/update-model-context', { content: [{ type: 'text', text }] });
}

/** The first embedded text or file of an answer. */
function embedded({ content = [] }: ToolResult): Unknown | undefined {
  return content
    .map(({ resource }) => membersOf(resource))
    .find(({ text, blob }) => text !== undefined || blob !== undefined);
}

async function showSheet({ named = {}, sheet }: DocumentActions): Promise<void> {
  const result =
    sheet === undefined ? await ask({ tool: 'get_document', args: { ...named, format: 'xml' } }) : undefined;
  const fetched = sheet ?? (result && shownOf(result).page?.document?.sheet);
  if (fetched !== undefined) show({ page: shown.page, sheet: fetched });
  else if (result !== undefined) show({ text: speaker.say('no_form') });
}

/** Shows the document's text below its page, or closes it again. */
async function toggleXml(actions: DocumentActions): Promise<void> {
  const { element } = shown;
  const open = element?.querySelector('.xml');
  if (open) return open.remove();
  const args = { ...actions.named, format: 'xml', delivery: 'embed' };
  const result = await ask({ tool: 'get_document', args });
  const xml = result && textOf(embedded(result)?.text);
  if (xml !== undefined) element?.append(xmlPart(xml, actions));
}

async function download({ named = {}, title }: DocumentActions, format: 'xml' | 'pdf'): Promise<void> {
  if (!can('downloadFile')) {
    const key = Object.values(named).slice(1).map(String).join(' ');
    const text = speaker.say('ask_for_file', { format: format.toUpperCase(), title, key });
    host?.request('ui/message', { role: 'user', content: [{ type: 'text', text }] });
    return;
  }
  const result = await ask({ tool: 'get_document', args: { ...named, format, delivery: 'embed' } });
  const resource = result && embedded(result);
  if (resource !== undefined)
    host?.request('ui/download-file', { contents: [{ type: 'resource', resource }] });
}

const forms: Readonly<Record<string, string>> = { nfe: 'DANFE', cte: 'DACTE', nfse: 'DANFSe' };

/** The key of a document, with its actions. */
function keyLine(actions: DocumentActions): HTMLElement {
  const { key, named, portal } = actions;
  const canCall = named !== undefined && can('serverTools');
  const canSave = (canCall && can('downloadFile')) || (named !== undefined && can('message'));
  const act = (text: string, press: () => void) => button(text, press, { class: 'quiet' });
  const openPortal = () => host?.request('ui/open-link', { url: portal });
  return el(
    'div.keyline line fine',
    key !== undefined && el('span', `${speaker.say('key')} `, el('code', keyGroups(key))),
    el(
      'span.line only-screen',
      key !== undefined && keyButton(key, speaker.say('copy_key', { key: '' }).trim(), speaker, { announce }),
      (canCall || actions.sheet !== undefined) &&
        act(forms[String(named?.document)] ?? 'DANFE', () => void showSheet(actions)),
      canSave && act('PDF', () => void download(actions, 'pdf')),
      canCall && act('XML', () => void toggleXml(actions)),
      portal !== undefined && can('openLinks') && act(speaker.say('portal'), openPortal),
    ),
  );
}

function xmlPart(xml: string, saved: DocumentActions): HTMLElement {
  const pieces = xml.match(/[\s\S]{1,15000}/g) ?? [];
  return el(
    'section.xml',
    el('h2', 'XML'),
    can('downloadFile') &&
      button(speaker.say('save'), () => void download(saved, 'xml'), { class: 'only-screen' }),
    el('pre', { tabindex: 0, role: 'region', 'aria-label': 'XML' }, ...pieces),
  );
}

function pageParts(page: Page): Child[] {
  const canCall = can('serverTools');
  const actions: Actions = { open: canCall ? (call) => void follow(call, true) : undefined, announce };
  const onPress = canCall ? (call: Call) => void follow(call, false) : undefined;
  const tables = page.tables.map((table) => tableParts(table, speaker, actions));
  const { document: actionsOfDocument, notes = [], presses } = page;
  const basis = basisOf(page, speaker);
  // Short tables of a document are side by side.
  const short = tables.filter((_, at) => page.tables[at]?.layout === 'plain').slice(0, 2);
  const pair = short.length > 1 ? short : [];
  // A single table's tools go beside the basis, those of several below each table.
  const isOne = tables.length === 1;
  return [
    ...topOf(page, speaker),
    pressesOf(
      presses.filter(({ isMore }) => !isMore),
      onPress,
      speaker,
    ),
    basis && el('div.bar-tools line next', basis, isOne && tables[0]?.tools),
    ...checksOf(page, onPress, speaker),
    listOf(
      'div.cols',
      pair.map(({ element }) => element),
    ),
    ...tables
      .filter((one) => !pair.includes(one))
      .flatMap(({ tools, element }) => [element, isOne && basis !== undefined ? undefined : tools]),
    pressesOf(
      presses.filter(({ isMore }) => isMore),
      onPress,
      speaker,
    ),
    listOf(
      'div.notes fine next',
      notes.map((note) => el('p', speaker.text(note))),
    ),
    actionsOfDocument && keyLine(actionsOfDocument),
  ];
}

function titleOf({ page, state }: Shown): string {
  return page === undefined ? speaker.say(state ?? 'answer') : speaker.text(page.answer) || 'docfiscal';
}

/** A page of text: a failure, a cancelled call, or an answer without a page. */
function plainParts(one: Shown): Child[] {
  const { text = '', state } = one;
  const { say } = speaker;
  const tool = context.toolInfo?.tool?.name as Call['tool'] | undefined;
  // The failed call can be repeated, unless there is a page to go back to.
  const canRetry = tool !== undefined && before.length === 0 && can('serverTools');
  const retry = canRetry && button(say('retry'), () => void follow({ tool, args: asked }, false));
  const head = el('h1', { tabindex: -1 }, titleOf(one));
  if (state === undefined) return [head, el('pre.plain', text || say('unshown'))];
  const what =
    state === 'cancelled'
      ? el('p.say next', say('cancelled_more'))
      : el('div.part err next', { role: 'alert' }, el('p.plain', text), el('p.soft', say('nothing_changed')));
  return [head, what, retry && el('p.line next only-screen', retry)];
}

function waitingParts(): Child[] {
  const lines = Array.from({ length: 4 }, () => el('div', el('i'), el('i'), el('i')));
  return [
    el('h1', { tabindex: -1 }, speaker.say('loading')),
    el('div.wait', { 'aria-hidden': 'true' }, ...lines),
  ];
}

function back(): void {
  shown = before.pop() ?? shown;
  redraw();
}

function navigation(): HTMLElement[] {
  const { displayMode = 'inline', availableDisplayModes = [] } = context;
  const isEnlarged = displayMode !== 'inline' || !availableDisplayModes.includes('fullscreen');
  const enlarge = () => host?.request('ui/request-display-mode', { mode: 'fullscreen' });
  const buttons = listOf('nav.line next only-screen', [
    before.length > 0 && button(speaker.say('back'), back),
    shown.state !== 'loading' &&
      !isEnlarged &&
      button(speaker.say('full_screen'), enlarge, { class: 'quiet' }),
  ]);
  return buttons === undefined ? [] : [buttons];
}

function partsOf(one: Shown): Child[] {
  const { sheet, page, state } = one;
  if (state === 'loading') return waitingParts();
  if (sheet !== undefined) return [sheetElement(sheet, speaker)];
  return page === undefined ? plainParts(one) : pageParts(page);
}

const footer = el('style');

/** Prepares printing: shows all rows, and puts the company at the foot of every page. */
function beforePrint(): void {
  for (const table of place.querySelectorAll('.table, .scroll')) table.dispatchEvent(new Event('showall'));
  const { name, id = '' } = shown.page?.company ?? {};
  const line = [name ?? id, speaker.text(shown.page?.basis?.line)].filter(Boolean).join(' · ').slice(0, 120);
  footer.textContent = `@page { @bottom-left { content: ${cssString(line)} } @bottom-right { content: counter(page) " / " counter(pages) } }`;
}

function apply({ theme, styles }: HostContext): void {
  const root = document.documentElement;
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (name.startsWith('--') && typeof value === 'string') root.style.setProperty(name, value);
  }
}

function arrived(next: Shown): void {
  before.length = 0;
  shown = next;
  redraw();
}

place.replaceChildren(bar, busyLine, content);
document.body.append(spoken);
document.head.append(footer);
hearKeys(() => before.length > 0 && back());
window.addEventListener('beforeprint', beforePrint);
openHost({
  input(args) {
    asked = args;
  },
  result: (result) => arrived(shownOf(result)),
  cancelled: () => arrived({ state: 'cancelled' }),
  context(changes) {
    // If a host withdraws its language, the page's own applies.
    context = { ...context, ...changes };
    const language = languageFor(context.locale);
    if (language !== speaker.language) for (const one of [shown, ...before]) one.element = undefined;
    speaker = speakerOf(language);
    document.documentElement.lang = language;
    apply(context);
    redraw();
  },
}).then(
  (opened) => {
    host = opened;
    // An earlier page was drawn without the host's capabilities.
    shown.element = undefined;
    redraw();
  },
  () => undefined,
);
redraw();
