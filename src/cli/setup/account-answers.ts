import type { Configuration } from '../../config/configure.ts';
import { agree, askSecret, askSetting, choose, type Dialogue, withScheme } from './asking.ts';

type Way = 'key' | 'token' | 'oauth' | 'basic';

/** Fields of each way to authenticate to the account service; secrets are read without echo. */
const fields = {
  key: [{ variable: 'DFE_ACCOUNT_API_KEY', words: 'account_api_key', isSecret: true }],
  token: [{ variable: 'DFE_ACCOUNT_TOKEN', words: 'account_token', isSecret: true }],
  oauth: [
    { variable: 'DFE_ACCOUNT_OAUTH_TOKEN_URL', words: 'account_token_url', isSecret: false },
    { variable: 'DFE_ACCOUNT_OAUTH_CLIENT_ID', words: 'account_client_id', isSecret: false },
    { variable: 'DFE_ACCOUNT_OAUTH_CLIENT_SECRET', words: 'account_client_secret', isSecret: true },
  ],
  basic: [
    { variable: 'DFE_ACCOUNT_USER', words: 'account_user', isSecret: false },
    { variable: 'DFE_ACCOUNT_LICENSE_KEY', words: 'account_license_key', isSecret: true },
  ],
} as const satisfies Record<Way, unknown>;

/** Asks for the account service, if wanted. It has no read operation, so there is no trial. */
export async function askForAccount(
  { settings }: Configuration,
  dialogue: Dialogue,
): Promise<Record<string, string>> {
  const { terminal, say } = dialogue;
  if (!(await agree(terminal, say, say('account')))) return {};
  const variables: Record<string, string> = {
    DFE_ACCOUNT_URL: await askSetting(
      dialogue,
      'DFE_ACCOUNT_URL',
      say('account_url'),
      settings.accountUrl,
      withScheme,
    ),
  };
  const way = await choose<Way>(terminal, say, say('account_way'), [
    { value: 'key', words: say('account_api_key') },
    { value: 'token', words: say('account_token') },
    { value: 'oauth', words: say('account_oauth') },
    { value: 'basic', words: say('account_basic') },
  ]);
  for (const { variable, words, isSecret } of fields[way]) {
    const complete = variable === 'DFE_ACCOUNT_OAUTH_TOKEN_URL' ? withScheme : undefined;
    variables[variable] = isSecret
      ? await askSecret(dialogue, say('hidden', { question: say(words) }))
      : await askSetting(dialogue, variable, say(words), undefined, complete);
  }
  terminal.say(say('account_untried'));
  return variables;
}
