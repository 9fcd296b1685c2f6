import { expect, it } from 'vitest';
import { createCompany } from '../../src/company/company.ts';
import { failure, serve } from '../clients/http/local-server.ts';
import { configurationOf } from '../support/configuration.ts';
import { endsBehindTests } from '../support/ending.ts';

it('a configured secret of one service is withheld where the other quotes it, before it is sent', async () => {
  const words = '"the key is licence-of-ana here"';
  const server = await serve((_, response) => response.writeHead(400).end(words));
  const { settings } = configurationOf({
    DFE_URL: server.origin,
    DFE_USER: 'ana',
    DFE_PASSWORD: 'password',
    DFE_ACCOUNT_USER: 'ana',
    DFE_ACCOUNT_LICENSE_KEY: 'licence-of-ana',
  });
  const company = createCompany(settings, { environment: {} });
  endsBehindTests(() => company.close());
  const client = await company.documents();
  expect(await failure(client.call('connectivity', {}))).toMatchObject({ refusal: { message: '***' } });
});
