import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import * as z from 'zod';
import { languages } from '../messages/message.ts';
import * as kind from './setting-kinds.ts';
import { type Declared, innermost, refreshPolicyText, setting } from './setting-kinds.ts';
import { version } from './version.ts';

/** The groups of tools that `DFE_TOOLSETS` chooses from. */
export const toolsets = ['documents', 'manifestation', 'account', 'analysis'] as const;

export type Toolset = (typeof toolsets)[number];

/** Scopes of a caller; over stdio all of them. */
export const scopes = ['documents:read', 'manifestation:write', 'account:write'] as const;

export type Scope = (typeof scopes)[number];

/** Where documents that were read are kept. */
const archiveModes = ['memory', 'file', 'database'] as const;

/** Where this platform keeps a program's data. Nothing is created here. */
function platformDataFolder(): string {
  const home = homedir();
  if (process.platform === 'win32') {
    return join(process.env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'docfiscal-mcp');
  }
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'docfiscal-mcp');
  return join(process.env.XDG_DATA_HOME ?? join(home, '.local', 'share'), 'docfiscal-mcp');
}

/**
 * Every setting, once. Each value comes as text from a flag or the environment; its kind says what it becomes.
 * Help, the README's table, `doctor` and the check for unknown names all read this object.
 */
export const declaredSettings = {
  url: setting('DFE_URL', kind.baseUrl.optional(), [
    'endereço do serviço de documentos',
    'base address of the documents service',
  ]),
  user: setting('DFE_USER', kind.text.optional(), [
    'usuário do serviço de documentos',
    'user of the documents service',
  ]),
  password: setting('DFE_PASSWORD', kind.secret.optional(), [
    'senha do serviço de documentos',
    'password of the documents service',
  ]),
  passwordFile: setting('DFE_PASSWORD_FILE', kind.path.optional(), [
    'arquivo com a senha, no lugar de DFE_PASSWORD',
    'file with the password, instead of DFE_PASSWORD',
  ]),
  cnpj: setting('DFE_CNPJ', kind.cnpj.optional(), [
    'CNPJ da empresa consultada por padrão',
    'default company (CNPJ)',
  ]),
  dateFormat: setting('DFE_DATE_FORMAT', kind.dateFormat.default('dd/MM/yyyy'), [
    'formato das datas enviadas ao serviço de documentos: dd, MM e yyyy',
    'format of dates sent to the documents service: dd, MM and yyyy',
  ]),
  timeFormat: setting('DFE_TIME_FORMAT', kind.timeFormat.default('HH:mm:ss'), [
    'formato das horas enviadas ao serviço de documentos: HH, mm e ss; "none" envia vazio',
    'format of times sent to the documents service: HH, mm and ss; "none" sends them empty',
  ]),
  timeZone: setting('DFE_TIME_ZONE', kind.timeZone.default('America/Sao_Paulo'), [
    'fuso horário das datas sem fuso e das horas exibidas',
    'time zone of dates without one and of displayed times',
  ]),
  eventTemplate: setting(
    'DFE_EVENT_TEMPLATE',
    kind.text.default('{"ChaveNFe":"{key}","TipoEvento":"{code}","Motivo":"{justification}"}'),
    [
      'modelo de cada evento enviado, com {key}, {code}, {name} e {justification}',
      'template of each event sent, with {key}, {code}, {name} and {justification}',
    ],
  ),
  accountUrl: setting('DFE_ACCOUNT_URL', kind.baseUrl.optional(), [
    'endereço do serviço de conta',
    'base address of the account service',
  ]),
  accountApiKey: setting('DFE_ACCOUNT_API_KEY', kind.secret.optional(), [
    'chave de API, enviada sem prefixo em Authorization',
    'API key, sent verbatim in Authorization',
  ]),
  accountToken: setting('DFE_ACCOUNT_TOKEN', kind.secret.optional(), [
    'token de acesso OAuth 2.0, enviado como Bearer',
    'OAuth 2.0 access token, sent as Bearer',
  ]),
  accountOauthTokenUrl: setting('DFE_ACCOUNT_OAUTH_TOKEN_URL', kind.webAddress.optional(), [
    'OAuth 2.0 (client credentials): endereço do token',
    'OAuth 2.0 (client credentials): token endpoint',
  ]),
  accountOauthClientId: setting('DFE_ACCOUNT_OAUTH_CLIENT_ID', kind.text.optional(), [
    'OAuth 2.0: id do cliente',
    'OAuth 2.0: client id',
  ]),
  accountOauthClientSecret: setting('DFE_ACCOUNT_OAUTH_CLIENT_SECRET', kind.secret.optional(), [
    'OAuth 2.0: segredo do cliente',
    'OAuth 2.0: client secret',
  ]),
  accountOauthScope: setting('DFE_ACCOUNT_OAUTH_SCOPE', kind.text.optional(), [
    'OAuth 2.0: escopo',
    'OAuth 2.0: scope',
  ]),
  accountUser: setting('DFE_ACCOUNT_USER', kind.text.optional(), ['HTTP Basic: usuário', 'HTTP Basic: user']),
  accountLicenseKey: setting('DFE_ACCOUNT_LICENSE_KEY', kind.secret.optional(), [
    'HTTP Basic: chave de licença',
    'HTTP Basic: license key',
  ]),
  accountVendor: setting('DFE_ACCOUNT_VENDOR', kind.headerName.optional(), [
    'fornecedor no cabeçalho X-<fornecedor>-Client; sem ele, o cabeçalho não é enviado',
    'vendor in the header X-<vendor>-Client; without it the header is not sent',
  ]),
  accountClient: setting(
    'DFE_ACCOUNT_CLIENT',
    kind.headerValue.default(`docfiscal-mcp; ${version}`),
    ['valor desse cabeçalho', 'value of that header'],
    { defaultText: ['docfiscal-mcp; <versão>', 'docfiscal-mcp; <version>'] },
  ),
  readOnly: setting(
    'DFE_READ_ONLY',
    kind.toggle.default(false),
    ['somente leitura: nenhuma ferramenta que altera dados', 'read-only: no tools that write'],
    { defaultText: ['desligado', 'off'] },
  ),
  toolsets: setting(
    'DFE_TOOLSETS',
    kind.listOf(toolsets).default([...toolsets]),
    [
      'grupos de ferramentas: documents, manifestation, account, analysis',
      'groups of tools: documents, manifestation, account, analysis',
    ],
    { defaultText: ['todos', 'all'] },
  ),
  confirmation: setting('DFE_CONFIRMATION', kind.oneOf(['any', 'form']).default('any'), [
    'any: formulário, se o aplicativo tiver, ou código de confirmação; form: sem formulário, recusa alterações',
    'any: a form if the client has forms, else a confirmation token; form: refuses writes without forms',
  ]),
  downloadDir: setting(
    'DFE_DOWNLOAD_DIR',
    kind.path.optional(),
    ['pasta onde salvar os arquivos pedidos', 'folder for requested files'],
    { defaultText: ['nenhuma: nada é gravado', 'none: nothing is written'] },
  ),
  dataDir: setting(
    'DFE_DATA_DIR',
    kind.path.default(platformDataFolder),
    [
      'pasta do diário de envios e do arquivo de documentos',
      'folder of the journal of writes and the archive',
    ],
    { defaultText: ['a pasta de dados da plataforma', "the platform's data folder"] },
  ),
  files: setting(
    'DFE_FILES',
    kind.paths.optional(),
    [
      'pastas e ZIPs com seus próprios XML, separados como em PATH; são lidos, nunca alterados',
      'folders and ZIPs with your own XML, separated as in PATH; read, never changed',
    ],
    { show: (roots) => (roots ?? []).join(delimiter) },
  ),
  trustStore: setting(
    'DFE_TRUST_STORE',
    kind.path.optional(),
    [
      'arquivo PEM com os certificados raiz para conferir assinaturas',
      'PEM file with the root certificates for verifying signatures',
    ],
    { defaultText: ['nenhum: a cadeia não é conferida', 'none: the chain is not checked'] },
  ),
  archive: setting(
    'DFE_ARCHIVE',
    kind.oneOf(archiveModes, 'archive').default('memory'),
    [
      'onde os documentos ficam guardados: memory, file (em DFE_DATA_DIR) ou database (DFE_DATABASE_URL)',
      'where documents are kept: memory, file (under DFE_DATA_DIR) or database (DFE_DATABASE_URL)',
    ],
    {
      defaultText: [
        'database com DFE_DATABASE_URL, senão memory',
        'database if DFE_DATABASE_URL is set, else memory',
      ],
    },
  ),
  archiveXml: setting(
    'DFE_ARCHIVE_XML',
    kind.toggle.default(false),
    ['guarda também o XML, comprimido', 'also keeps the XML, compressed'],
    { defaultText: ['desligado', 'off'] },
  ),
  archiveRefresh: setting(
    'DFE_ARCHIVE_REFRESH',
    kind.refreshPolicy.prefault('7:5m,35:1d,100:7d'),
    [
      'quando buscar um dia de novo: 7:5m = dias com menos de 7 dias, se a última busca tem mais de 5 minutos (m, h, d)',
      'when to fetch a day again: 7:5m = days younger than 7 days, if last fetched over 5 minutes ago (m, h, d)',
    ],
    { show: refreshPolicyText },
  ),
  databaseUrl: setting('DFE_DATABASE_URL', kind.databaseUrl.optional(), [
    'PostgreSQL para o arquivo de documentos e o diário, com usuário e senha',
    'PostgreSQL for archive and journal, with user and password',
  ]),
  timeout: setting('DFE_TIMEOUT', kind.wholeNumber(1, 3600).default(40), [
    'tempo limite por chamada aos serviços, em segundos',
    'timeout of an upstream call in seconds',
  ]),
  concurrency: setting('DFE_CONCURRENCY', kind.wholeNumber(1, 64).default(4), [
    'chamadas simultâneas aos serviços',
    'concurrent upstream calls',
  ]),
  apps: setting('DFE_APPS', kind.oneOf(['auto', 'on', 'off']).default('auto'), [
    'telas dentro do assistente: auto (nos aplicativos que as exibem), on, off',
    'views inside the assistant: auto (in clients that show them), on, off',
  ]),
  language: setting('DFE_LANGUAGE', kind.oneOf(languages).default('pt-BR'), [
    'idioma dos textos para pessoas: pt-BR ou en',
    'language of texts for people: pt-BR or en',
  ]),
  httpHost: setting('DFE_HTTP_HOST', kind.text.default('127.0.0.1'), [
    'http: endereço de escuta (ou --host)',
    'http: listening address (or --host)',
  ]),
  httpPort: setting('DFE_HTTP_PORT', kind.wholeNumber(0, 65_535).default(3717), [
    'http: porta (ou --port); 0 escolhe uma livre',
    'http: port (or --port); 0 picks a free one',
  ]),
  httpUrl: setting(
    'DFE_HTTP_URL',
    kind.baseUrl.optional(),
    ['http: endereço que os clientes usam, sem /mcp', 'http: address that clients use, without /mcp'],
    { defaultText: ['formado pelos dois anteriores', 'from the two above'] },
  ),
  httpOrigins: setting(
    'DFE_HTTP_ORIGINS',
    kind.origins.default([]),
    [
      'http: origens web permitidas, separadas por vírgulas',
      'http: allowed web origins, separated by commas',
    ],
    { defaultText: ['nenhuma', 'none'], show: (value) => value.join(',') },
  ),
  httpInsecure: setting(
    'DFE_HTTP_INSECURE',
    kind.toggle.default(false),
    ['http: aceita DFE_HTTP_URL sem https', 'http: accepts a DFE_HTTP_URL without https'],
    { defaultText: ['desligado', 'off'] },
  ),
  authIssuer: setting('DFE_AUTH_ISSUER', kind.webAddress.optional(), [
    'http: emissor dos tokens de acesso',
    'http: issuer of access tokens',
  ]),
  authAudience: setting(
    'DFE_AUTH_AUDIENCE',
    kind.text.optional(),
    ['http: audiência dos tokens', 'http: audience of the tokens'],
    { defaultText: ['<DFE_HTTP_URL>/mcp', '<DFE_HTTP_URL>/mcp'] },
  ),
  authJwksUrl: setting(
    'DFE_AUTH_JWKS_URL',
    kind.webAddress.optional(),
    ['http: endereço das chaves do emissor', "http: address of the issuer's keys"],
    { defaultText: ['publicado pelo emissor', 'published by the issuer'] },
  ),
  tenants: setting('DFE_TENANTS', kind.path.optional(), [
    'arquivo de inquilinos: quem tem acesso, a quais empresas e com quais credenciais',
    'tenants file: who has access, to which companies, with which credentials',
  ]),
  signingKeyFile: setting(
    'DFE_SIGNING_KEY_FILE',
    kind.path.optional(),
    [
      'chave que assina confirmações e links, a mesma em todas as réplicas',
      'key that signs confirmations and links, the same on all replicas',
    ],
    { defaultText: ['criada em DFE_DATA_DIR', 'made in DFE_DATA_DIR'] },
  ),
  metricsPort: setting(
    'DFE_METRICS_PORT',
    kind.wholeNumber(1, 65_535).optional(),
    ['http: porta das métricas Prometheus', 'http: port of Prometheus metrics'],
    { defaultText: ['desligado', 'off'] },
  ),
  metricsHost: setting('DFE_METRICS_HOST', kind.text.default('127.0.0.1'), [
    'http: endereço dessa porta',
    'http: address of that port',
  ]),
};

type DeclaredSettings = typeof declaredSettings;

export type SettingName = keyof DeclaredSettings;

export type Settings = z.output<
  z.ZodObject<{ [Name in SettingName]: DeclaredSettings[Name]['schema'] }, z.core.$strip>
>;

/** One declared setting, with what derives from its declaration. */
export interface Setting extends Declared {
  readonly name: SettingName;
  /** `--read-only`, or undefined for a secret. */
  readonly flag: string | undefined;
  /** On or off; its flag needs no value. */
  readonly isToggle: boolean;
  /** Blanks are a mistake and not nothing: a mistyped read-only must not mean writable. */
  readonly refusesBlanks: boolean;
  /** The default as text, or undefined where there is none. */
  readonly defaultValue: string | undefined;
}

/** The default of a schema, or the text that is read where none is given. */
function defaultOf(schema: z.ZodType): unknown {
  return schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault
    ? schema.def.defaultValue
    : undefined;
}

export const settings: readonly Setting[] = Object.entries<Declared>(declaredSettings).map(([name, one]) => {
  const value = defaultOf(one.schema);
  const isToggle = innermost(one.schema) === kind.toggle;
  return {
    ...one,
    isToggle,
    refusesBlanks: isToggle || kind.wholeNumbers.has(innermost(one.schema)),
    name: name as SettingName,
    flag: one.secret ? undefined : `--${one.variable.slice(4).toLowerCase().replaceAll('_', '-')}`,
    defaultValue: value === undefined ? undefined : String(value),
  };
});
