import { describe, expect, it } from 'vitest';
import { password, startConfiguredProgram } from '../support/configured-server.ts';
import { confirmed } from '../support/confirmed.ts';
import { setting } from '../support/quoting-calls.ts';
import { json } from '../support/recording-upstream.ts';

const clientSecret = 'Dbg-Client-2';
const minted = 'Dbg-Minted-3';

describe('the built program where NODE_DEBUG asks what it does', () => {
  it.each(['undici', 'fetch', 'http,https,net,tls', '*'])('(%s) tells no secret', async (debugged) => {
    const program = await startConfiguredProgram({
      respond: ({ path }, response) =>
        json(response, path === '/token' ? { access_token: minted, token_type: 'Bearer' } : 'Conectado'),
      env: { NODE_DEBUG: debugged },
      envAt: (url) => ({
        DFE_ACCOUNT_URL: url,
        DFE_ACCOUNT_OAUTH_TOKEN_URL: `${url}/token`,
        DFE_ACCOUNT_OAUTH_CLIENT_ID: 'id',
        DFE_ACCOUNT_OAUTH_CLIENT_SECRET: clientSecret,
      }),
    });
    await program.call('check_connection', {});
    await confirmed(program, 'update_company_setting', setting);
    await program.close();
    const sent = program.upstream.seen
      .map(({ query, headers }) => `${query} ${headers.authorization}`)
      .join(' ');
    expect(sent).toContain(password);
    expect(sent).toContain(`Bearer ${minted}`);
    const told = program.stderr();
    const basic = Buffer.from(`id:${clientSecret}`).toString('base64');
    for (const secret of [password, encodeURIComponent(password), clientSecret, minted, basic])
      expect(told).not.toContain(secret);
    expect(told).not.toMatch(/API\/|\/token/);
    // Node's own words are still written.
    if (debugged === '*') expect(told).toMatch(/^NET \d+:/m);
  });
});
