import { createHash, randomBytes } from 'node:crypto';
import type { Translator } from '../messages/index.ts';

/** Recognisable by secret scanners and people. */
const PREFIX = 'dfe_';
const RANDOM_BYTES = 32;

/** Creates a token for HTTP and prints it once, with the line for the tenants file, which holds only its hash. */
export function runToken(translator: Translator): void {
  const token = `${PREFIX}${randomBytes(RANDOM_BYTES).toString('base64url')}`;
  const hash = createHash('sha256').update(token).digest('hex');
  const line = `{ "token_sha256": "${hash}", "scopes": ["documents:read"] }`;
  process.stdout.write(
    [translator.say('token.made'), token, '', translator.say('token.line'), line, ''].join('\n'),
  );
}
