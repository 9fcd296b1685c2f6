import { setting } from './declared.ts';
import { baseUrl, origins, path, text, toggle, webAddress, wholeNumber } from './setting-kinds.ts';

/** Settings of a server that others reach over HTTP. */
export const teamSettings = {
  httpHost: setting(text.default('127.0.0.1'), {
    variable: 'DFE_HTTP_HOST',
    help: {
      'pt-BR': 'http: endereço em que escuta (ou --host)',
      en: 'http: address it listens on (or --host)',
    },
  }),
  httpPort: setting(wholeNumber(0, 65_535).default(3717), {
    variable: 'DFE_HTTP_PORT',
    help: {
      'pt-BR': 'http: porta (ou --port); 0 é uma livre',
      en: 'http: port (or --port); 0 is a free one',
    },
  }),
  httpUrl: setting(baseUrl.optional(), {
    variable: 'DFE_HTTP_URL',
    help: {
      'pt-BR': 'http: endereço que os clientes usam, sem o /mcp',
      en: 'http: address that clients use, without the /mcp',
    },
    defaultText: { 'pt-BR': 'o dos dois anteriores', en: 'made of the two before' },
  }),
  httpOrigins: setting(origins.defaultText(''), {
    variable: 'DFE_HTTP_ORIGINS',
    help: {
      'pt-BR': 'http: origens de páginas web que podem chamar, separadas por vírgulas',
      en: 'http: origins of web pages that may call, set apart by commas',
    },
    defaultText: { 'pt-BR': 'nenhuma', en: 'none' },
    show: (value) => value.join(','),
  }),
  httpInsecure: setting(toggle.default(false), {
    variable: 'DFE_HTTP_INSECURE',
    help: {
      'pt-BR': 'http: aceita DFE_HTTP_URL sem https',
      en: 'http: accepts a DFE_HTTP_URL without https',
    },
    defaultText: { 'pt-BR': 'desligado', en: 'off' },
  }),
  authIssuer: setting(webAddress.optional(), {
    variable: 'DFE_AUTH_ISSUER',
    help: { 'pt-BR': 'http: quem assina os tokens de acesso', en: 'http: who signs access tokens' },
  }),
  authAudience: setting(text.optional(), {
    variable: 'DFE_AUTH_AUDIENCE',
    help: { 'pt-BR': 'http: para quem são os tokens', en: 'http: whom the tokens are for' },
    defaultText: { 'pt-BR': '<DFE_HTTP_URL>/mcp', en: '<DFE_HTTP_URL>/mcp' },
  }),
  authJwksUrl: setting(webAddress.optional(), {
    variable: 'DFE_AUTH_JWKS_URL',
    help: { 'pt-BR': 'http: onde estão as chaves do emissor', en: "http: where the issuer's keys are" },
    defaultText: { 'pt-BR': 'como o emissor publica', en: 'as the issuer publishes' },
  }),
  tenants: setting(path.optional(), {
    variable: 'DFE_TENANTS',
    help: {
      'pt-BR': 'arquivo de inquilinos: quem entra, com quais empresas e credenciais',
      en: 'tenants file: who is let in, with which companies and credentials',
    },
  }),
  signingKeyFile: setting(path.optional(), {
    variable: 'DFE_SIGNING_KEY_FILE',
    help: {
      'pt-BR': 'chave que assina confirmações e links, a mesma em todas as réplicas',
      en: 'key that signs confirmations and links, the same on all replicas',
    },
    defaultText: { 'pt-BR': 'criada em DFE_DATA_DIR', en: 'made in DFE_DATA_DIR' },
  }),
  metricsPort: setting(wholeNumber(1, 65_535).optional(), {
    variable: 'DFE_METRICS_PORT',
    help: {
      'pt-BR': 'http: porta das métricas em formato Prometheus',
      en: 'http: port of metrics in the form of Prometheus',
    },
    defaultText: { 'pt-BR': 'desligado', en: 'off' },
  }),
  metricsHost: setting(text.default('127.0.0.1'), {
    variable: 'DFE_METRICS_HOST',
    help: { 'pt-BR': 'http: endereço dessa porta', en: 'http: address of that port' },
  }),
};
