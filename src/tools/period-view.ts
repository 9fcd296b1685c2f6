import { createTranslator, type Language, languages } from '../messages/index.ts';
import type { CallContext } from '../services/call-context.ts';

/**
 * What the view of a period needs beside the answer: the sentences it rests on, without the first, which says what was
 * asked, and what columns and their values are called; in every language, since the host's need not be the server's. What
 * the service answered stays as it was said first. Undefined for clients that show no views.
 *
 * @param linesIn the sentences in the language of a call
 */
export async function periodView(linesIn: (context: CallContext) => readonly string[], context: CallContext) {
  if (!context.hasViews) return undefined;
  const { columnMessages } = await import('../messages/apart/views/columns.ts');
  const { translator, services } = context;
  const linesOf = (language: Language) => {
    const isOwn = translator.language === language;
    const { timeZone } = services.settings;
    return linesIn(isOwn ? context : { ...context, translator: createTranslator(language, timeZone) }).slice(
      1,
    );
  };
  return {
    lines: Object.fromEntries(languages.map((language) => [language, linesOf(language)])),
    words: columnMessages,
  };
}
