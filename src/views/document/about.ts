import { kindName } from '../../documents/summary/summary.ts';
import { createFormats } from '../../messages/message.ts';
import { el, listOf, membersOf, textOf, type Unknown } from '../frame/dom.ts';
import type { Speaker } from '../frame/words.ts';
import type { Known } from './known.ts';

/** How a status is coloured. */
const tones: Readonly<Record<string, string>> = {
  authorized: 'good',
  cancelled: 'bad',
  denied: 'bad',
  no_protocol: 'bad',
};

/** The zone that moments are told in: the host's, where it is one. */
function zoneOf({ timeZone = 'America/Sao_Paulo' }: Speaker): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return timeZone;
  } catch {
    return 'America/Sao_Paulo';
  }
}

const formatsOf = (speaker: Speaker) => createFormats(speaker.language, zoneOf(speaker));

/** `NF-e 4711`. */
export function titleOf({ kind, number, key }: Unknown): string {
  const name = kindName(textOf(kind) ?? '');
  return `${name} ${textOf(number) ?? textOf(key) ?? ''}`.trim();
}

/** What the document is, whose, how much, and whether it stands. */
export function headingOf({ document }: Known, speaker: Speaker): HTMLElement {
  const { status, issued_at: at, issuer, recipient, totals } = document;
  const total = textOf(membersOf(totals).total);
  const parties = [issuer, recipient].map((one) => textOf(membersOf(one).name) ?? textOf(membersOf(one).id));
  const standing = textOf(status);
  return el(
    'header',
    { class: 'about' },
    el(
      'h1',
      { tabindex: -1 },
      titleOf(document),
      standing !== undefined &&
        el('span', { class: `badge ${tones[standing] ?? 'open'}` }, speaker.name('status', standing)),
    ),
    el(
      'p',
      {},
      [textOf(at) && speaker.day(textOf(at) ?? ''), total && formatsOf(speaker).money(total)]
        .filter(Boolean)
        .join(' · '),
    ),
    el('p', { class: 'small' }, parties.filter(Boolean).join(' → ')),
  );
}

/** Where the status is from and what else a reader must know of the answer. */
export function basisOf({ answer, document }: Known, speaker: Speaker): HTMLElement {
  const { as_of: at, status_from: from, source, contents } = answer;
  const lines = [
    textOf(from) && textOf(at)
      ? speaker.say('status_as_of', {
          from: speaker.name('status_from', textOf(from) ?? ''),
          at: formatsOf(speaker).moment(textOf(at) ?? ''),
        })
      : '',
    textOf(source) ? speaker.name('source', textOf(source) ?? '') : '',
    typeof contents === 'number' ? `⚠ ${speaker.say('contents', { count: contents })}` : '',
    ...listOf(document.warnings).map((one) => `⚠ ${textOf(membersOf(one).message) ?? ''}`),
  ].filter((line) => line !== '');
  return el('div', { class: 'basis small' }, ...lines.map((line) => el('p', {}, line)));
}

/** What happened to the document since, one event a row; undefined where nothing is known of any. */
export function eventsOf({ document }: Known, speaker: Speaker): HTMLElement | undefined {
  const events = listOf(document.events).map(membersOf);
  if (events.length === 0) return undefined;
  const rows = events.map(({ code, name, title, at, text, undone }) =>
    el(
      'li',
      {},
      el('strong', {}, textOf(title) ?? textOf(name) ?? textOf(code) ?? ''),
      undone === true && ` · ${speaker.say('event_undone')}`,
      textOf(at) !== undefined && ` · ${formatsOf(speaker).moment(textOf(at) ?? '')}`,
      textOf(text) !== undefined && el('q', {}, textOf(text) ?? ''),
    ),
  );
  return el('section', { class: 'events' }, el('h3', {}, speaker.say('events')), el('ol', {}, ...rows));
}

/** What each of the three results stands for. */
const signs: Readonly<Record<string, readonly [tone: string, sign: string]>> = {
  unchanged: ['good', '✓'],
  matches: ['good', '✓'],
  confirmed: ['good', '✓'],
  changed: ['bad', '✗'],
  differs: ['bad', '✗'],
  contradicted: ['bad', '✗'],
};

/** Whether the document is genuine: three lines, of which none stands for the others. */
export function verificationOf(verified: Unknown, speaker: Speaker): HTMLElement {
  const [content, signer, authorization] = [verified.content, verified.signer, verified.authorization].map(
    membersOf,
  );
  const line = (
    { result }: Unknown,
    words: (said: string) => string,
    ...details: readonly (string | undefined)[]
  ) => {
    const said = textOf(result) ?? 'unknown';
    const [tone, sign] = signs[said] ?? ['open', '?'];
    return el(
      'li',
      { class: tone },
      el('span', { class: 'sign', 'aria-hidden': 'true' }, sign),
      el(
        'span',
        {},
        el('strong', {}, words(said)),
        ...details.filter(Boolean).map((detail) => el('span', { class: 'small detail' }, detail)),
      ),
    );
  };
  const chain = textOf(signer?.chain);
  return el(
    'section',
    { class: 'verified', 'aria-label': speaker.say('verified') },
    el(
      'ul',
      {},
      line(
        content ?? {},
        (said) => speaker.name('content', said),
        textOf(content?.reason) && speaker.name('verify', `reason_${textOf(content?.reason)}`),
      ),
      line(
        signer ?? {},
        (said) => speaker.name('signer', said),
        [signer?.name, signer?.id].map(textOf).filter(Boolean).join(', '),
        signer?.valid_at_issue === false ? speaker.say('certificate_expired') : undefined,
        chain && speaker.name('chain', chain),
      ),
      line(
        authorization ?? {},
        (said) => speaker.name('authorization', said),
        textOf(authorization?.status) && speaker.name('status', textOf(authorization?.status) ?? ''),
        authorization?.protocol_matches === false ? speaker.say('protocol_differs') : undefined,
        authorization?.key_matches === false ? speaker.say('key_differs') : undefined,
        textOf(authorization?.reason),
      ),
    ),
    el('p', { class: 'small' }, speaker.say('three_answers')),
  );
}
