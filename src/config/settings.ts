import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { languages, type Message } from '../messages/message.ts';
import * as kind from './setting-kinds.ts';
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

/** A setting that may be absent. @param defaultText its effect then, for help and README */
const optional = <T>(of: kind.Kind<T>, help: Message, defaultText?: Message) => ({
  kind: of,
  help,
  defaultText,
});

/** A setting with a default, as text; `defaultText` explains one that is not telling. */
const preset = <T>(of: kind.Kind<T>, defaultValue: string, help: Message, defaultText?: Message) => ({
  ...optional(of, help, defaultText),
  defaultValue,
});

const off = (help: Message) => preset(kind.toggle, 'false', help, ['desligado', 'off']);

/**
 * Every setting, once, by its name; `readOnly` is the variable `DFE_READ_ONLY` and, unless it is a secret, the flag
 * `--read-only`. Help, the README's table, `doctor` and the check for unknown names all read this object.
 */
const declared = {
  url: optional(kind.baseUrl, ['endereço do serviço de documentos', 'base address of the documents service']),
  user: optional(kind.text, ['usuário do serviço de documentos', 'user of the documents service']),
  password: optional(kind.secret, ['senha do serviço de documentos', 'password of the documents service']),
  passwordFile: optional(kind.path, [
    'arquivo com a senha, no lugar de DFE_PASSWORD',
    'file with the password, instead of DFE_PASSWORD',
  ]),
  cnpj: optional(kind.cnpj, ['CNPJ da empresa consultada por padrão', 'default company (CNPJ)']),
  dateFormat: preset(kind.dateFormat, 'dd/MM/yyyy', [
    'formato das datas enviadas ao serviço de documentos: dd, MM e yyyy',
    'format of dates sent to the documents service: dd, MM and yyyy',
  ]),
  timeFormat: preset(kind.timeFormat, 'HH:mm:ss', [
    'formato das horas enviadas ao serviço de documentos: HH, mm e ss; "none" envia vazio',
    'format of times sent to the documents service: HH, mm and ss; "none" sends them empty',
  ]),
  timeZone: preset(kind.timeZone, 'America/Sao_Paulo', [
    'fuso horário das datas sem fuso e das horas exibidas',
    'time zone of dates without one and of displayed times',
  ]),
  eventTemplate: preset(kind.text, '{"ChaveNFe":"{key}","TipoEvento":"{code}","Motivo":"{justification}"}', [
    'modelo de cada evento enviado, com {key}, {code}, {name} e {justification}',
    'template of each event sent, with {key}, {code}, {name} and {justification}',
  ]),
  accountUrl: optional(kind.baseUrl, ['endereço do serviço de conta', 'base address of the account service']),
  accountApiKey: optional(kind.secret, [
    'chave de API, enviada sem prefixo em Authorization',
    'API key, sent verbatim in Authorization',
  ]),
  accountToken: optional(kind.secret, [
    'token de acesso OAuth 2.0, enviado como Bearer',
    'OAuth 2.0 access token, sent as Bearer',
  ]),
  accountOauthTokenUrl: optional(kind.webAddress, [
    'OAuth 2.0 (client credentials): endereço do token',
    'OAuth 2.0 (client credentials): token endpoint',
  ]),
  accountOauthClientId: optional(kind.text, ['OAuth 2.0: id do cliente', 'OAuth 2.0: client id']),
  accountOauthClientSecret: optional(kind.secret, [
    'OAuth 2.0: segredo do cliente',
    'OAuth 2.0: client secret',
  ]),
  accountOauthScope: optional(kind.text, ['OAuth 2.0: escopo', 'OAuth 2.0: scope']),
  accountUser: optional(kind.text, ['HTTP Basic: usuário', 'HTTP Basic: user']),
  accountLicenseKey: optional(kind.secret, ['HTTP Basic: chave de licença', 'HTTP Basic: license key']),
  accountVendor: optional(kind.headerName, [
    'fornecedor no cabeçalho X-<fornecedor>-Client; sem ele, o cabeçalho não é enviado',
    'vendor in the header X-<vendor>-Client; without it the header is not sent',
  ]),
  accountClient: preset(
    kind.headerValue,
    `docfiscal-mcp; ${version}`,
    ['valor desse cabeçalho', 'value of that header'],
    ['docfiscal-mcp; <versão>', 'docfiscal-mcp; <version>'],
  ),
  readOnly: off(['somente leitura: nenhuma ferramenta que altera dados', 'read-only: no tools that write']),
  toolsets: preset(
    kind.listOf(toolsets),
    toolsets.join(','),
    [
      'grupos de ferramentas: documents, manifestation, account, analysis',
      'groups of tools: documents, manifestation, account, analysis',
    ],
    ['todos', 'all'],
  ),
  confirmation: preset(kind.oneOf(['any', 'form']), 'any', [
    'any: formulário, se o aplicativo tiver, ou código de confirmação; form: sem formulário, recusa alterações',
    'any: a form if the client has forms, else a confirmation token; form: refuses writes without forms',
  ]),
  downloadDir: optional(
    kind.path,
    ['pasta onde salvar os arquivos pedidos', 'folder for requested files'],
    ['nenhuma: nada é gravado', 'none: nothing is written'],
  ),
  dataDir: preset(
    kind.path,
    platformDataFolder(),
    [
      'pasta do diário de envios e do arquivo de documentos',
      'folder of the journal of writes and the archive',
    ],
    ['a pasta de dados da plataforma', "the platform's data folder"],
  ),
  files: optional(kind.paths, [
    'pastas e ZIPs com seus próprios XML, separados como em PATH; são lidos, nunca alterados',
    'folders and ZIPs with your own XML, separated as in PATH; read, never changed',
  ]),
  trustStore: optional(
    kind.path,
    [
      'arquivo PEM com os certificados raiz para conferir assinaturas',
      'PEM file with the root certificates for verifying signatures',
    ],
    ['nenhum: a cadeia não é conferida', 'none: the chain is not checked'],
  ),
  archive: preset(
    kind.oneOf(archiveModes, 'archive'),
    'memory',
    [
      'onde os documentos ficam guardados: memory, file (em DFE_DATA_DIR) ou database (DFE_DATABASE_URL)',
      'where documents are kept: memory, file (under DFE_DATA_DIR) or database (DFE_DATABASE_URL)',
    ],
    ['database com DFE_DATABASE_URL, senão memory', 'database if DFE_DATABASE_URL is set, else memory'],
  ),
  archiveXml: off(['guarda também o XML, comprimido', 'also keeps the XML, compressed']),
  archiveRefresh: preset(kind.refreshPolicy, '7:5m,35:1d,100:7d', [
    'quando buscar um dia de novo: 7:5m = dias com menos de 7 dias, se a última busca tem mais de 5 minutos (m, h, d)',
    'when to fetch a day again: 7:5m = days younger than 7 days, if last fetched over 5 minutes ago (m, h, d)',
  ]),
  databaseUrl: optional(kind.databaseUrl, [
    'PostgreSQL para o arquivo de documentos e o diário, com usuário e senha',
    'PostgreSQL for archive and journal, with user and password',
  ]),
  timeout: preset(kind.wholeNumber(1, 3600), '40', [
    'tempo limite por chamada aos serviços, em segundos',
    'timeout of an upstream call in seconds',
  ]),
  concurrency: preset(kind.wholeNumber(1, 64), '4', [
    'chamadas simultâneas aos serviços',
    'concurrent upstream calls',
  ]),
  apps: preset(kind.oneOf(['auto', 'on', 'off']), 'auto', [
    'telas dentro do assistente: auto (nos aplicativos que as exibem), on, off',
    'views inside the assistant: auto (in clients that show them), on, off',
  ]),
  language: preset(kind.oneOf(languages), 'pt-BR', [
    'idioma dos textos para pessoas: pt-BR ou en',
    'language of texts for people: pt-BR or en',
  ]),
  httpHost: preset(kind.text, '127.0.0.1', [
    'http: endereço de escuta (ou --host)',
    'http: listening address (or --host)',
  ]),
  httpPort: preset(kind.wholeNumber(0, 65_535), '3717', [
    'http: porta (ou --port); 0 escolhe uma livre',
    'http: port (or --port); 0 picks a free one',
  ]),
  httpUrl: optional(
    kind.baseUrl,
    ['http: endereço que os clientes usam, sem /mcp', 'http: address that clients use, without /mcp'],
    ['formado pelos dois anteriores', 'from the two above'],
  ),
  httpOrigins: preset(
    kind.origins,
    '',
    [
      'http: origens web permitidas, separadas por vírgulas',
      'http: allowed web origins, separated by commas',
    ],
    ['nenhuma', 'none'],
  ),
  httpInsecure: off(['http: aceita DFE_HTTP_URL sem https', 'http: accepts a DFE_HTTP_URL without https']),
  authIssuer: optional(kind.webAddress, [
    'http: emissor dos tokens de acesso',
    'http: issuer of access tokens',
  ]),
  authAudience: optional(
    kind.text,
    ['http: audiência dos tokens', 'http: audience of the tokens'],
    ['<DFE_HTTP_URL>/mcp', '<DFE_HTTP_URL>/mcp'],
  ),
  authJwksUrl: optional(
    kind.webAddress,
    ['http: endereço das chaves do emissor', "http: address of the issuer's keys"],
    ['publicado pelo emissor', 'published by the issuer'],
  ),
  tenants: optional(kind.path, [
    'arquivo de inquilinos: quem tem acesso, a quais empresas e com quais credenciais',
    'tenants file: who has access, to which companies, with which credentials',
  ]),
  signingKeyFile: optional(
    kind.path,
    [
      'chave que assina confirmações e links, a mesma em todas as réplicas',
      'key that signs confirmations and links, the same on all replicas',
    ],
    ['criada em DFE_DATA_DIR', 'made in DFE_DATA_DIR'],
  ),
  metricsPort: optional(
    kind.wholeNumber(1, 65_535),
    ['http: porta das métricas Prometheus', 'http: port of Prometheus metrics'],
    ['desligado', 'off'],
  ),
  metricsHost: preset(kind.text, '127.0.0.1', ['http: endereço dessa porta', 'http: address of that port']),
};

export type SettingName = keyof typeof declared;

type Declared = (typeof declared)[SettingName];

type ValueOf<D extends Declared> =
  D['kind'] extends kind.Kind<infer T> ? (D extends { defaultValue: string } ? T : T | undefined) : never;

export type Settings = { readonly [Name in SettingName]: ValueOf<(typeof declared)[Name]> };

/** Ways to authenticate to the account service, with the settings that each needs. */
export const accountWays = {
  accountApiKey: ['accountApiKey'],
  accountToken: ['accountToken'],
  accountOauth: ['accountOauthTokenUrl', 'accountOauthClientId', 'accountOauthClientSecret'],
  accountBasic: ['accountUser', 'accountLicenseKey'],
} as const satisfies Readonly<Record<string, readonly SettingName[]>>;

/** The variable of a setting: `DFE_READ_ONLY` for `readOnly`. */
export const variableOf = (name: SettingName): `DFE_${string}` =>
  `DFE_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

/** The text of a setting with its paths made absolute, relative ones from a folder. */
export function withAbsolutePaths(variable: string, text: string, folder: string): string {
  const whole = (path: string) => (path === '' || path.startsWith('~') ? path : resolve(folder, path));
  const form = settings.find((one) => one.variable === variable)?.kind.isPath;
  if (form === 'several') return text.split(delimiter).map(whole).join(delimiter);
  return form === 'one' ? whole(text) : text;
}

/** The flag of a variable, without its dashes. */
export const flagOf = (variable: string): string => variable.slice(4).toLowerCase().replaceAll('_', '-');

/** A setting with its derived names. */
export interface Setting {
  readonly name: SettingName;
  readonly variable: `DFE_${string}`;
  /** `--read-only`, or undefined for a secret. */
  readonly flag: string | undefined;
  readonly secret: boolean;
  readonly isToggle: boolean;
  readonly kind: kind.Kind<unknown>;
  readonly help: Message;
  readonly defaultText: Message | undefined;
  readonly defaultValue?: string;
}

export const settings = (Object.entries(declared) as [SettingName, Declared][]).map(
  ([name, one]): Setting => {
    const variable = variableOf(name);
    const { isSecret: secret = false, isToggle = false } = one.kind;
    const flag = secret ? undefined : `--${flagOf(variable)}`;
    return { ...one, name, variable, flag, secret, isToggle };
  },
);
