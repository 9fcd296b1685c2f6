import { viewMessages } from '../messages/apart/views.ts';
import { dayFormat, fill, type Language, textIn, type ValuesOf } from '../messages/message.ts';
import type { Writer } from '../page/cells.ts';
import type { HostContext } from './host.ts';

type Messages = typeof viewMessages;

type ValuesArgument<K extends keyof Messages> =
  ValuesOf<Messages[K]> extends Record<string, never> ? [] : [values: ValuesOf<Messages[K]>];

/** Says what a view has to say, in one language. */
export interface Speaker extends Writer {
  say<K extends keyof Messages>(key: K, ...values: ValuesArgument<K>): string;
}

/** A speaker of a language. */
export function speakerOf(language: Language): Speaker {
  return {
    language,
    day: dayFormat(language),
    say: (key, ...values) => fill(textIn(viewMessages[key], language), values[0] ?? {}),
    text(text) {
      const own: unknown = Array.isArray(text) ? textIn(text as Messages['key'], language) : text;
      return typeof own === 'string' ? own : '';
    },
  };
}

/** The server's language, in which the page came. */
const own: Language = document.documentElement.lang === 'en' ? 'en' : 'pt-BR';

/** The language of the host, or the server's. */
export function languageFor({ locale = '' }: HostContext): Language {
  if (/^pt\b/i.test(locale)) return 'pt-BR';
  return /^en\b/i.test(locale) ? 'en' : own;
}
