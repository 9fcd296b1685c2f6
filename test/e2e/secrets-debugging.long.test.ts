import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/built-program.ts';
import { toResult } from '../support/clients.ts';
import { startRaw } from '../support/raw-program.ts';
import { json, type RecordingUpstream, startRecordingUpstream } from '../support/recording-upstream.ts';

const secrets = {
  password: 'Dbg-Passw0rd-1',
  clientSecret: 'Dbg-Client-2',
  minted: 'Dbg-Minted-3',
} as const;
const setting = { company_id: 1, id: 1, set: 'X-A', name: 'a', value: 'b' };

let folder: ReturnType<typeof temporaryFolder>;
let upstream: RecordingUpstream;

beforeEach(async () => {
  folder = temporaryFolder();
  upstream = await startRecordingUpstream((request, response) => {
    if (request.path === '/token') {
      return json(response, { access_token: secrets.minted, token_type: 'Bearer' });
    }
    json(response, 'Conectado');
  });
});
afterEach(async () => {
  await upstream.close();
  folder.remove();
});

describe('the built program where NODE_DEBUG asks what it does', () => {
  it.each(['undici', 'fetch', 'http,https,net,tls', '*'])('(%s) tells no secret', async (debugged) => {
    const program = startRaw([], {
      NODE_DEBUG: debugged,
      DFE_URL: upstream.url,
      DFE_USER: 'user',
      DFE_PASSWORD: secrets.password,
      DFE_DATA_DIR: folder.path,
      DFE_ACCOUNT_URL: upstream.url,
      DFE_ACCOUNT_OAUTH_TOKEN_URL: `${upstream.url}/token`,
      DFE_ACCOUNT_OAUTH_CLIENT_ID: 'id',
      DFE_ACCOUNT_OAUTH_CLIENT_SECRET: secrets.clientSecret,
    });
    await program.initialize();
    let id = 100;
    const call = async (name: string, args: object) => {
      id += 1;
      program.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
      return toResult((await program.answerTo(id)).result);
    };
    await call('check_connection', {});
    const { structured } = await call('update_company_setting', setting);
    await call('update_company_setting', {
      ...setting,
      confirmation_token: structured?.confirmation_token,
    });
    await program.close();
    const sent = upstream.seen
      .map(({ rawQuery, headers }) => `${rawQuery} ${headers.authorization}`)
      .join(' ');
    expect(sent).toContain(secrets.password);
    expect(sent).toContain(`Bearer ${secrets.minted}`);
    const basic = Buffer.from(`id:${secrets.clientSecret}`).toString('base64');
    for (const secret of [...Object.values(secrets), basic]) expect(program.stderr()).not.toContain(secret);
    expect(program.stderr()).not.toMatch(/API\/|\/token/);
    // Node's own words are still written.
    if (debugged === '*') expect(program.stderr()).toMatch(/^NET \d+:/m);
  });
});
