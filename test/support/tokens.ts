import { createRequire } from 'node:module';

interface Tokenizer {
  countTokens(text: string): number;
}

/** Of tools/, which `npm run test:long` installs. */
const { countTokens }: Tokenizer = createRequire(new URL('../../tools/package.json', import.meta.url))(
  'gpt-tokenizer/encoding/o200k_base',
);

/** What a text costs a model: its tokens by o200k_base. */
export const tokensOf = (text: string): number => countTokens(text);
