import { documentViewMessages } from '../../messages/apart/views/document.ts';
import { verifyReasonMessages } from '../../messages/verify-reasons.ts';
import { button, el, listOf, membersOf, textOf, type Unknown } from '../frame/dom.ts';
import {
  backButton,
  createCalls,
  errorText,
  type Frame,
  fullScreenButton,
  type Page,
  runPage,
} from '../frame/frame.ts';
import type { ToolResult } from '../frame/host.ts';
import { basisOf, eventsOf, headingOf, titleOf, verificationOf } from './about.ts';
import { barCode } from './bar-code.ts';
import { type Known, knownFrom, namedByKey, officialAddress, relatedKeys } from './known.ts';
import { sheetElement } from './sheet.ts';
import { sheetOfSummary } from './sheet-of-summary.ts';

/** Related documents that are named one by one. */
const MOST_RELATED = 20;

/** What is on the page. */
interface State {
  readonly known?: Known | undefined;
  readonly verified?: Unknown | undefined;
  /** The document's text, where somebody asked for it. */
  readonly xml?: string | undefined;
}

/** The first text or file of an answer that has one in it. */
function embedded({ content = [] }: ToolResult): Unknown | undefined {
  return content
    .map(({ resource }) => membersOf(resource))
    .find(({ text, blob }) => text !== undefined || blob !== undefined);
}

function documentPage(frame: Frame): Page {
  let state: State = {};
  let args: Unknown = {};
  const calls = createCalls(frame);
  /** Documents that were shown before this one, so that there is a way back. */
  const before: State[] = [];

  const set = (changes: State) => {
    state = { ...state, ...changes };
    frame.changed();
  };

  const say = () => frame.speaker();
  const named = () => state.known?.named ?? {};

  /** Fetches the fields of the form, which an answer from the archive doesn't bring along. Nobody waits for it. */
  async function completeSheet(): Promise<void> {
    const host = frame.host();
    const { known } = state;
    if (host?.can('serverTools') !== true || known?.named === undefined || known.sheet !== undefined) return;
    const result = await host.call('get_document', { ...known.named, format: 'xml' }).catch(() => undefined);
    const sheet = result === undefined ? undefined : knownFrom(result)?.sheet;
    if (sheet !== undefined && state.known === known) set({ known: { ...known, sheet } });
  }

  async function open(what: Unknown): Promise<void> {
    const result = await calls.ask('get_document', what, say().say('opening'));
    const known = result && knownFrom(result);
    if (known === undefined) return;
    before.push(state);
    state = { known };
    frame.changed();
    frame.announce(titleOf(known.document));
    if (known.named !== undefined) calls.tellModel(known.named);
    void completeSheet();
  }

  async function verify(): Promise<void> {
    const result = await calls.ask('verify_document', named(), say().say('verifying'));
    if (result !== undefined) set({ verified: membersOf(result.structuredContent) });
  }

  async function showXml(): Promise<void> {
    if (state.xml !== undefined) return set({ xml: undefined });
    const wanted = { ...named(), format: 'xml', delivery: 'embed' };
    const result = await calls.ask('get_document', wanted, say().say('fetching', { format: 'XML' }));
    if (result !== undefined) set({ xml: textOf(embedded(result)?.text) });
  }

  async function download(format: 'xml' | 'pdf'): Promise<void> {
    const shown = format.toUpperCase();
    const host = frame.host();
    if (host?.can('downloadFile') !== true) {
      const text = say().say('ask_for_file', {
        format: shown,
        title: titleOf(state.known?.document ?? {}),
        key: Object.values(named()).slice(1).map(String).join(' '),
      });
      await host
        ?.request('ui/message', { role: 'user', content: [{ type: 'text', text }] })
        .catch(() => undefined);
      return;
    }
    const result = await calls.ask(
      'get_document',
      { ...named(), format, delivery: 'embed' },
      say().say('fetching', { format: shown }),
    );
    const resource = result && embedded(result);
    if (resource === undefined) return;
    await host
      .request('ui/download-file', { contents: [{ type: 'resource', resource }] })
      .catch(() => undefined);
  }

  function toolbar(known: Known): HTMLElement {
    const { say: word } = say();
    const host = frame.host();
    const can = (ability: Parameters<NonNullable<typeof host>['can']>[0]) => host?.can(ability) === true;
    const isNamed = known.named !== undefined && can('serverTools');
    const canSave = isNamed && can('downloadFile');
    const address = officialAddress(known);
    const attributes = { 'aria-disabled': String(calls.busy !== undefined) };
    return el(
      'div',
      { class: 'tools', role: 'group', 'aria-label': word('actions') },
      before.length > 0 &&
        backButton(frame, () => {
          state = before.pop() ?? {};
          calls.error = undefined;
        }),
      (canSave || (known.named !== undefined && can('message'))) &&
        button('PDF', () => void download('pdf'), attributes),
      isNamed &&
        button('XML', () => void showXml(), {
          ...attributes,
          'aria-expanded': String(state.xml !== undefined),
        }),
      isNamed &&
        state.verified === undefined &&
        known.verified === undefined &&
        button(word('verify'), () => void verify(), attributes),
      address !== undefined &&
        can('openLinks') &&
        button(
          word('portal'),
          () => void host?.request('ui/open-link', { url: address }).catch(() => undefined),
        ),
      fullScreenButton(frame),
    );
  }

  function related({ document }: Known): HTMLElement | undefined {
    const keys = relatedKeys(document);
    if (keys.length === 0) return undefined;
    const { say: word } = say();
    const canOpen = frame.host()?.can('serverTools') === true;
    const rows = keys.slice(0, MOST_RELATED).map((key) => {
      const what = namedByKey(key);
      const label = `${what?.document === 'cte' ? 'CT-e' : 'NF-e'} ${Number(key.slice(25, 34))}`;
      const open_ = () => void open(what ?? {});
      return el(
        'li',
        {},
        canOpen ? button(label, open_, { title: key }) : label,
        el('span', { class: 'code small' }, key),
      );
    });
    const left = keys.length - MOST_RELATED;
    return el(
      'section',
      { class: 'related' },
      el('h3', {}, word('related', { count: keys.length })),
      el('ul', {}, ...rows),
      left > 0 && el('p', { class: 'small' }, word('and_more', { count: left })),
    );
  }

  function text(xml: string): HTMLElement {
    const { say: word } = say();
    return el(
      'section',
      { class: 'xml' },
      el('h3', {}, 'XML'),
      frame.host()?.can('downloadFile') === true && button(word('save'), () => void download('xml')),
      el(
        'pre',
        { tabindex: 0, role: 'region', 'aria-label': 'XML' },
        ...(xml.match(/[\s\S]{1,15000}/g) ?? []),
      ),
    );
  }

  return {
    input(given) {
      args = given;
    },
    result(result) {
      const known = knownFrom(result);
      before.length = 0;
      if (known !== undefined) {
        state = { known };
        calls.error = undefined;
        void Promise.resolve().then(completeSheet);
        return;
      }
      state = {};
      calls.error = result.isError === true ? errorText(result) : undefined;
      const { key, number, issue_date, issuer_cnpj, document } = args;
      if (result.isError !== true) {
        void Promise.resolve().then(() => open({ document, key, number, issue_date, issuer_cnpj }));
      }
    },
    show(place, speaker) {
      const { known, xml } = state;
      const verified = state.verified ?? known?.verified;
      place.replaceChildren(
        ...[
          known && headingOf(known, speaker),
          known && toolbar(known),
          ...calls.status(),
          known === undefined &&
            calls.error === undefined &&
            el('p', { class: 'busy' }, speaker.say('waiting')),
          verified && verificationOf(verified, speaker),
          known && listOf(known.document.events).length > 0 && eventsOf(known, speaker),
          known && sheetElement(known.sheet ?? sheetOfSummary(known.document), speaker, barCode),
          known && related(known),
          xml !== undefined && text(xml),
          known && basisOf(known, speaker),
        ].filter((one) => one instanceof HTMLElement),
      );
    },
  };
}

runPage({ ...documentViewMessages, ...verifyReasonMessages }, documentPage);
