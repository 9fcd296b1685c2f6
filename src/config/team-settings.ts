import { baseUrl, origins, path, setting, text, toggle, webAddress, wholeNumber } from './setting-kinds.ts';

/** Settings of a server that others reach over HTTP. */
export const teamSettings = {
  httpHost: setting('DFE_HTTP_HOST', text.default('127.0.0.1'), [
    'http: endereço em que escuta (ou --host)',
    'http: address it listens on (or --host)',
  ]),
  httpPort: setting('DFE_HTTP_PORT', wholeNumber(0, 65_535).default(3717), [
    'http: porta (ou --port); 0 é uma livre',
    'http: port (or --port); 0 is a free one',
  ]),
  httpUrl: setting(
    'DFE_HTTP_URL',
    baseUrl.optional(),
    ['http: endereço que os clientes usam, sem o /mcp', 'http: address that clients use, without the /mcp'],
    { defaultText: ['o dos dois anteriores', 'made of the two before'] },
  ),
  httpOrigins: setting(
    'DFE_HTTP_ORIGINS',
    origins.default([]),
    [
      'http: origens de páginas web que podem chamar, separadas por vírgulas',
      'http: origins of web pages that may call, set apart by commas',
    ],
    { defaultText: ['nenhuma', 'none'], show: (value) => value.join(',') },
  ),
  httpInsecure: setting(
    'DFE_HTTP_INSECURE',
    toggle.default(false),
    ['http: aceita DFE_HTTP_URL sem https', 'http: accepts a DFE_HTTP_URL without https'],
    { defaultText: ['desligado', 'off'] },
  ),
  authIssuer: setting('DFE_AUTH_ISSUER', webAddress.optional(), [
    'http: quem assina os tokens de acesso',
    'http: who signs access tokens',
  ]),
  authAudience: setting(
    'DFE_AUTH_AUDIENCE',
    text.optional(),
    ['http: para quem são os tokens', 'http: whom the tokens are for'],
    { defaultText: ['<DFE_HTTP_URL>/mcp', '<DFE_HTTP_URL>/mcp'] },
  ),
  authJwksUrl: setting(
    'DFE_AUTH_JWKS_URL',
    webAddress.optional(),
    ['http: onde estão as chaves do emissor', "http: where the issuer's keys are"],
    { defaultText: ['como o emissor publica', 'as the issuer publishes'] },
  ),
  tenants: setting('DFE_TENANTS', path.optional(), [
    'arquivo de inquilinos: quem entra, com quais empresas e credenciais',
    'tenants file: who is let in, with which companies and credentials',
  ]),
  signingKeyFile: setting(
    'DFE_SIGNING_KEY_FILE',
    path.optional(),
    [
      'chave que assina confirmações e links, a mesma em todas as réplicas',
      'key that signs confirmations and links, the same on all replicas',
    ],
    { defaultText: ['criada em DFE_DATA_DIR', 'made in DFE_DATA_DIR'] },
  ),
  metricsPort: setting(
    'DFE_METRICS_PORT',
    wholeNumber(1, 65_535).optional(),
    ['http: porta das métricas em formato Prometheus', 'http: port of metrics in the form of Prometheus'],
    { defaultText: ['desligado', 'off'] },
  ),
  metricsHost: setting('DFE_METRICS_HOST', text.default('127.0.0.1'), [
    'http: endereço dessa porta',
    'http: address of that port',
  ]),
};
