/** The languages a person can be answered in (`DFE_LANGUAGE`). */
export const languages = ['pt-BR', 'en'] as const;

export type Language = (typeof languages)[number];

/** One text in every language; `{name}` stands for a value. */
export type Message = Readonly<Record<Language, string>>;

type Placeholder<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

/** The values a message's words need, read from its English text. */
export type ValuesOf<M extends Message> = [Placeholder<M['en']>] extends [never]
  ? Record<string, never>
  : Readonly<Record<Placeholder<M['en']>, string | number>>;

/** Puts values into a text. A placeholder without a value stays as it is, so that a mistake is seen. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : String(value);
  });
}
