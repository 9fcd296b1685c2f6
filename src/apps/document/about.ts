import { createFormats } from '../../messages/formats.ts';
import { el } from '../frame/dom.ts';
import { listOf, membersOf, textOf, type Unknown } from '../frame/reading.ts';
import type { Speaker } from '../frame/words.ts';
import type { Known } from './known.ts';

const kinds: Readonly<Record<string, string>> = {
  nfe: 'NF-e',
  nfce: 'NFC-e',
  cte: 'CT-e',
  cteos: 'CT-e OS',
  nfse: 'NFS-e',
};

/** How a status is coloured. */
const tones: Readonly<Record<string, string>> = {
  authorized: 'good',
  cancelled: 'bad',
  denied: 'bad',
  no_protocol: 'bad',
};

const formatsOf = ({ language, timeZone }: Speaker) => createFormats(language, timeZone);

/** `NF-e 4711`. */
export function titleOf({ kind, number, key }: Unknown): string {
  const name = kinds[textOf(kind) ?? ''] ?? textOf(kind) ?? '';
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
      {},
      titleOf(document),
      standing !== undefined &&
        el('span', { class: `badge ${tones[standing] ?? 'open'}` }, speaker.name('view.status', standing)),
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
      ? speaker.say('view.status_as_of', {
          from: speaker.name('view.status_from', textOf(from) ?? ''),
          at: formatsOf(speaker).moment(textOf(at) ?? ''),
        })
      : '',
    textOf(source) ? speaker.name('view.source', textOf(source) ?? '') : '',
    typeof contents === 'number' ? `⚠ ${speaker.say('view.contents', { count: contents })}` : '',
    ...listOf(document.warnings).map((one) => `⚠ ${textOf(membersOf(one).message) ?? ''}`),
  ].filter((line) => line !== '');
  return el('div', { class: 'basis small' }, ...lines.map((line) => el('p', {}, line)));
}

/** What happened to the document since, one event a row; undefined where nothing is known of any. */
export function eventsOf({ document }: Known, speaker: Speaker): HTMLElement | undefined {
  const events = listOf(document.events).map(membersOf);
  if (events.length === 0) return undefined;
  const rows = events.map(({ code, name, at, text }) =>
    el(
      'li',
      {},
      el('strong', {}, textOf(name) ?? textOf(code) ?? ''),
      textOf(at) !== undefined && ` · ${formatsOf(speaker).moment(textOf(at) ?? '')}`,
      textOf(text) !== undefined && el('q', {}, textOf(text) ?? ''),
    ),
  );
  return el('section', { class: 'events' }, el('h3', {}, speaker.say('view.events')), el('ol', {}, ...rows));
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
  const line = (name: string, { result }: Unknown, ...details: readonly (string | undefined)[]) => {
    const said = textOf(result) ?? 'unknown';
    const [tone, sign] = signs[said] ?? ['open', '?'];
    return el(
      'li',
      { class: tone },
      el('span', { class: 'sign', 'aria-hidden': 'true' }, sign),
      el(
        'span',
        {},
        el('strong', {}, speaker.name('view.verify', `${name}_${said}`)),
        ...details.filter(Boolean).map((detail) => el('span', { class: 'small detail' }, detail)),
      ),
    );
  };
  const chain = textOf(signer?.chain);
  return el(
    'section',
    { class: 'verified', 'aria-label': speaker.say('view.verified') },
    el(
      'ul',
      {},
      line(
        'content',
        content ?? {},
        textOf(content?.reason) && speaker.name('view.reason', textOf(content?.reason) ?? ''),
      ),
      line(
        'signer',
        signer ?? {},
        [signer?.name, signer?.id].map(textOf).filter(Boolean).join(', '),
        signer?.valid_at_issue === false ? speaker.say('view.certificate_expired') : undefined,
        chain && speaker.name('view.chain', chain),
      ),
      line(
        'authorization',
        authorization ?? {},
        authorization?.protocol_matches === false ? speaker.say('view.protocol_differs') : undefined,
        authorization?.key_matches === false ? speaker.say('view.key_differs') : undefined,
        textOf(authorization?.reason),
      ),
    ),
    el('p', { class: 'small' }, speaker.say('view.three_answers')),
  );
}
