import type { documentViewMessages } from '../../messages/apart/views/document.ts';
import { frameMessages } from '../../messages/apart/views/frame.ts';
import type { periodViewMessages } from '../../messages/apart/views/period.ts';
import {
  dayFormat,
  type Formats,
  fill,
  type Language,
  type Message,
  textIn,
  type ValuesOf,
} from '../../messages/message.ts';
import type { HostContext } from './host.ts';

/** Words by key. */
export type Words = Readonly<Record<string, Message>>;

type Sayable = typeof frameMessages & typeof documentViewMessages & typeof periodViewMessages;

type ValuesArgument<K extends keyof Sayable> =
  ValuesOf<Sayable[K]> extends Record<string, never> ? [] : [values: ValuesOf<Sayable[K]>];

/** Says what a view has to say, in one language. */
export interface Speaker extends Pick<Formats, 'day'> {
  readonly language: Language;
  /** Where the host has its clock, as it names that. */
  readonly timeZone: string | undefined;
  say<K extends keyof Sayable>(key: K, ...values: ValuesArgument<K>): string;
  /** The word for a value that only comes at run time; the value itself where there is none. */
  name(group: string, value: string): string;
}

const MOST_DAYS = 5_000;

/** A speaker with the words of every page and those of one. */
export function speakerOf(language: Language, timeZone: string | undefined, own: Words): Speaker {
  const words = new Map(Object.entries<Message>({ ...frameMessages, ...own }));
  const textOf = (key: string) => {
    const message = words.get(key);
    return message && textIn(message, language);
  };
  const write = dayFormat(language);
  // Of a hundred thousand rows most have one of a few days, and writing a day takes long.
  const days = new Map<string, string>();
  return {
    language,
    timeZone,
    day(text) {
      const known = days.get(text) ?? write(text);
      if (days.size < MOST_DAYS) days.set(text, known);
      return known;
    },
    say: (key, ...values) => fill(textOf(key) ?? key, values[0] ?? {}),
    name: (group, value) => {
      const key = `${group}.${value}`;
      return textOf(key) ?? value;
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
