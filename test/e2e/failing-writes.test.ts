import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ConfiguredServer, startConfigured } from '../support/configured-server.ts';
import { accessKey } from '../support/documents.ts';
import { asJson, send } from '../support/failed-answers.ts';
import type { Responder, SeenRequest } from '../support/recording-upstream.ts';

const idle: Responder = (_request, response) => {
  response.end();
};

/** Writes are the other half of a promise: what may have been sent is never sent again. */
describe('a write', () => {
  let program: ConfiguredServer;

  beforeAll(async () => {
    program = await startConfigured({
      respond: idle,
      hasNotes: false,
      envAt: (url) => ({ DFE_ACCOUNT_URL: url, DFE_ACCOUNT_API_KEY: 'k3y-as-it-is' }),
    });
  });
  afterAll(() => program.close());
  beforeEach(() => {
    program.upstream.seen.length = 0;
  });

  const setting = { company_id: 1, id: 2, set: 'X-docfiscal', name: 'a', value: 'b' };

  async function confirmed(tool: string, args: object, asked = program) {
    asked.upstream.seen.length = 0;
    const preview = await asked.call(tool, { ...args });
    expect(preview.structured).toMatchObject({ status: 'confirmation_required' });
    expect(asked.upstream.seen).toEqual([]);
    return asked.call(tool, { ...args, confirmation_token: preview.structured?.confirmation_token });
  }

  const broken = (_request: SeenRequest, response: ServerResponse): void => void response.destroy();

  it('does not know the outcome where the reply is lost', async () => {
    program.upstream.respond(broken);
    const result = await confirmed('update_company_setting', { ...setting, value: 'c' });
    expect(result.structured).toMatchObject({ status: 'unknown' });
    expect(result.text).not.toMatch(/Nothing was (changed|replaced)/);
    const manifested = await confirmed('manifest_nfe', { key: accessKey({ number: 5 }), event: 'ciencia' });
    expect(manifested.structured).toMatchObject({ status: 'unknown', results: [{ status: 'unknown' }] });
    expect(manifested.text).toContain('get_nfe_event_status');
  });

  it.each([
    ['an error in a 200', '{"Message":"An error has occurred."}'],
    ['an error page in XML', '<Error><Message>An error has occurred.</Message></Error>'],
    [
      'a batch that was taken',
      '<retEnvEvento><cStat>128</cStat><xMotivo>Lote processado</xMotivo></retEnvEvento>',
    ],
    ['a registration without a record', '{"cStat":"135","xMotivo":"Evento registrado"}'],
  ])('has an unknown outcome where a reply neither is a record nor says no: %s', async (_, body) => {
    program.upstream.respond(send(200, body, asJson));
    const sent = await confirmed('manifest_nfe', { key: accessKey({ number: 6 }), event: 'ciencia' });
    expect(sent.structured).toMatchObject({ status: 'unknown', results: [{ status: 'unknown' }] });
    expect(sent.text).toContain('get_nfe_event_status');
  });

  it.each([
    ['no such operation', '{"Message":"No action was found on the controller that matches the request."}'],
    ['a code that is a no', '{"cStat":"596","xMotivo":"Evento apresentado fora do prazo"}'],
  ])('was refused where a reply without a record says so for certain: %s', async (_, body) => {
    program.upstream.respond(send(200, body, asJson));
    const sent = await confirmed('manifest_nfe', { key: accessKey({ number: 7 }), event: 'ciencia' });
    expect(sent.structured).toMatchObject({ status: 'refused', results: [{ status: 'refused' }] });
  });

  it('is not sent, and not refused, where the service is out of reach', async () => {
    await using away = await startConfigured({
      respond: idle,
      env: {
        DFE_URL: 'http://127.0.0.1:9',
        DFE_ACCOUNT_URL: 'http://127.0.0.1:9',
        DFE_ACCOUNT_API_KEY: 'k3y-as-it-is',
      },
    });
    const keys = [8, 9].map((number) => accessKey({ number }));
    const one = await confirmed('manifest_nfe', { key: keys[0], event: 'ciencia' }, away);
    expect(one.structured).toMatchObject({ status: 'not_sent', results: [{ status: 'not_sent' }] });
    const batch = await confirmed('manifest_nfe_batch', { keys, event: 'ciencia' }, away);
    expect(batch.structured).toMatchObject({
      status: 'not_sent',
      results: keys.map((key) => ({ key, status: 'not_sent' })),
    });
    const replaced = await confirmed('update_company_setting', setting, away);
    expect(replaced.structured).toMatchObject({ status: 'not_sent' });
    for (const { text, structured } of [one, batch, replaced]) {
      expect(text).toMatch(/nothing was sent/i);
      expect(structured).not.toHaveProperty('reason');
    }
  });

  it.each(['k3y\nof-two-lines', 'k3y with a – dash'])(
    'is not sent where its credential cannot be, and is closed in the journal: %j',
    async (apiKey) => {
      await using asked = await startConfigured({
        respond: idle,
        envAt: (url) => ({ DFE_ACCOUNT_URL: url, DFE_ACCOUNT_API_KEY: apiKey }),
      });
      const result = await confirmed('update_company_setting', setting, asked);
      expect(result.structured).toMatchObject({ status: 'not_sent' });
      expect(result.text).toMatch(/nothing was sent/i);
      expect(result.text).toContain('DFE_ACCOUNT_');
      expect(result.text).not.toContain('k3y');
      expect(asked.upstream.seen).toEqual([]);
      const again = await asked.call('update_company_setting', setting);
      expect(again.structured).toMatchObject({ status: 'confirmation_required' });
      expect(again.structured?.preview).not.toMatch(/outcome|unknown/i);
    },
  );
});
