import { baseUrl, origins, path, setting, text, toggle, webAddress, wholeNumber } from './setting-kinds.ts';

/** Settings of a server that others reach over HTTP. */
export const teamSettings = {
  httpHost: setting('DFE_HTTP_HOST', text.default('127.0.0.1'), [
    'http: endereço de escuta (ou --host)',
    'http: listening address (or --host)',
  ]),
  httpPort: setting('DFE_HTTP_PORT', wholeNumber(0, 65_535).default(3717), [
    'http: porta (ou --port); 0 escolhe uma livre',
    'http: port (or --port); 0 picks a free one',
  ]),
  httpUrl: setting(
    'DFE_HTTP_URL',
    baseUrl.optional(),
    ['http: endereço que os clientes usam, sem /mcp', 'http: address that clients use, without /mcp'],
    { defaultText: ['formado pelos dois anteriores', 'from the two above'] },
  ),
  httpOrigins: setting(
    'DFE_HTTP_ORIGINS',
    origins.default([]),
    [
      'http: origens web permitidas, separadas por vírgulas',
      'http: allowed web origins, separated by commas',
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
    'http: emissor dos tokens de acesso',
    'http: issuer of access tokens',
  ]),
  authAudience: setting(
    'DFE_AUTH_AUDIENCE',
    text.optional(),
    ['http: audiência dos tokens', 'http: audience of the tokens'],
    { defaultText: ['<DFE_HTTP_URL>/mcp', '<DFE_HTTP_URL>/mcp'] },
  ),
  authJwksUrl: setting(
    'DFE_AUTH_JWKS_URL',
    webAddress.optional(),
    ['http: endereço das chaves do emissor', "http: address of the issuer's keys"],
    { defaultText: ['publicado pelo emissor', 'published by the issuer'] },
  ),
  tenants: setting('DFE_TENANTS', path.optional(), [
    'arquivo de inquilinos: quem tem acesso, a quais empresas e com quais credenciais',
    'tenants file: who has access, to which companies, with which credentials',
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
    ['http: porta das métricas Prometheus', 'http: port of Prometheus metrics'],
    { defaultText: ['desligado', 'off'] },
  ),
  metricsHost: setting('DFE_METRICS_HOST', text.default('127.0.0.1'), [
    'http: endereço dessa porta',
    'http: address of that port',
  ]),
};
