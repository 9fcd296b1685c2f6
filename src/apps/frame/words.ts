import { createFormats, type Formats } from '../../messages/formats.ts';
import { fill, type Language, type ValuesOf } from '../../messages/message.ts';
import { viewMessages } from '../../messages/views.ts';
import type { HostContext } from './host.ts';

type Words = typeof viewMessages;
export type WordKey = keyof Words;

type ValuesArgument<K extends WordKey> =
  ValuesOf<Words[K]> extends Record<string, never> ? [] : [values: ValuesOf<Words[K]>];

/** Says what a view has to say, in one language. */
export interface Speaker extends Formats {
  readonly language: Language;
  say<K extends WordKey>(key: K, ...values: ValuesArgument<K>): string;
  /** The word for a value that only comes at run time; the value itself where there is none. */
  name(group: string, value: string): string;
}

export function speakerOf(language: Language, timeZone: string): Speaker {
  return {
    ...createFormats(language, timeZone),
    language,
    say: (key, ...values) => fill(viewMessages[key][language], values[0] ?? {}, language),
    name(group, value) {
      const key = `${group}.${value}`;
      return Object.hasOwn(viewMessages, key) ? viewMessages[key as WordKey][language] : value;
    },
  };
}

/** The server's language, in which the page came. */
const own: Language = document.documentElement.lang === 'en' ? 'en' : 'pt-BR';

/** The language of the host, or the server's. */
export function languageFor({ locale = '' }: HostContext): Language {
  if (/^pt\b/i.test(locale)) return 'pt-BR';
  if (/^en\b/i.test(locale)) return 'en';
  return own;
}

/** The zone that moments are told in. */
export function zoneFor({ timeZone }: HostContext): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return timeZone ?? 'America/Sao_Paulo';
  } catch {
    return 'America/Sao_Paulo';
  }
}
