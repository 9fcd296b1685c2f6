import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { languages } from '../messages/message.ts';
import './schemas-uncompiled.ts';
import { type Declared, type SettingInfo, setting } from './declared.ts';
import { refreshPolicyText } from './refresh-policy.ts';
import {
  baseUrl,
  cnpj,
  databaseUrl,
  dateFormat,
  headerName,
  headerValue,
  listOf,
  oneOf,
  path,
  paths,
  refreshPolicy,
  secret,
  text,
  timeFormat,
  timeZone,
  toggle,
  webAddress,
  wholeNumber,
} from './setting-kinds.ts';
import { teamSettings } from './team-settings.ts';
import { version } from './version.ts';

/** The groups of tools that `DFE_TOOLSETS` chooses from. */
export const toolsets = ['documents', 'manifestation', 'account', 'analysis'] as const;

export type Toolset = (typeof toolsets)[number];

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
  url: setting(baseUrl.optional(), {
    variable: 'DFE_URL',
    help: {
      'pt-BR': 'endereço do serviço de documentos',
      en: 'base address of the documents service',
    },
  }),
  user: setting(text.optional(), {
    variable: 'DFE_USER',
    help: { 'pt-BR': 'usuário do serviço de documentos', en: 'user of the documents service' },
  }),
  password: setting(secret.optional(), {
    variable: 'DFE_PASSWORD',
    secret: true,
    help: { 'pt-BR': 'senha do serviço de documentos', en: 'password of the documents service' },
  }),
  passwordFile: setting(path.optional(), {
    variable: 'DFE_PASSWORD_FILE',
    help: {
      'pt-BR': 'arquivo que contém a senha, em lugar de DFE_PASSWORD',
      en: 'file that holds the password, instead of DFE_PASSWORD',
    },
  }),
  cnpj: setting(cnpj.optional(), {
    variable: 'DFE_CNPJ',
    help: {
      'pt-BR': 'empresa consultada quando a chamada não indica outra',
      en: 'company to query when a call names none',
    },
  }),
  dateFormat: setting(dateFormat.default('dd/MM/yyyy'), {
    variable: 'DFE_DATE_FORMAT',
    help: {
      'pt-BR': 'como as datas vão ao serviço de documentos: dd, MM e yyyy',
      en: 'how dates go to the documents service: dd, MM and yyyy',
    },
  }),
  timeFormat: setting(timeFormat.default('HH:mm:ss'), {
    variable: 'DFE_TIME_FORMAT',
    help: {
      'pt-BR': 'como as horas vão ao serviço de documentos: HH, mm e ss; "none" as envia vazias',
      en: 'how times go to the documents service: HH, mm and ss; "none" sends them empty',
    },
  }),
  timeZone: setting(timeZone.default('America/Sao_Paulo'), {
    variable: 'DFE_TIME_ZONE',
    help: {
      'pt-BR': 'fuso das datas sem fuso e das horas mostradas',
      en: 'time zone of dates without one, and of times shown',
    },
  }),
  eventTemplate: setting(
    text.default('{"ChaveNFe":"{key}","TipoEvento":"{code}","Motivo":"{justification}"}'),
    {
      variable: 'DFE_EVENT_TEMPLATE',
      help: {
        'pt-BR': 'leiaute de um evento enviado, com {key}, {code}, {name} e {justification}',
        en: 'layout of one event sent, with {key}, {code}, {name} and {justification}',
      },
    },
  ),
  accountUrl: setting(baseUrl.optional(), {
    variable: 'DFE_ACCOUNT_URL',
    help: { 'pt-BR': 'endereço do serviço de conta', en: 'base address of the account service' },
  }),
  accountApiKey: setting(secret.optional(), {
    variable: 'DFE_ACCOUNT_API_KEY',
    secret: true,
    help: {
      'pt-BR': 'chave de API, enviada como está em Authorization',
      en: 'API key, sent as it is in Authorization',
    },
  }),
  accountToken: setting(secret.optional(), {
    variable: 'DFE_ACCOUNT_TOKEN',
    secret: true,
    help: {
      'pt-BR': 'token de acesso OAuth 2.0, enviado como Bearer',
      en: 'OAuth 2.0 access token, sent as Bearer',
    },
  }),
  accountOauthTokenUrl: setting(webAddress.optional(), {
    variable: 'DFE_ACCOUNT_OAUTH_TOKEN_URL',
    help: {
      'pt-BR': 'OAuth 2.0 client credentials: endereço que emite tokens',
      en: 'OAuth 2.0 client credentials: the token endpoint',
    },
  }),
  accountOauthClientId: setting(text.optional(), {
    variable: 'DFE_ACCOUNT_OAUTH_CLIENT_ID',
    help: { 'pt-BR': 'OAuth 2.0: id do cliente', en: 'OAuth 2.0: client id' },
  }),
  accountOauthClientSecret: setting(secret.optional(), {
    variable: 'DFE_ACCOUNT_OAUTH_CLIENT_SECRET',
    secret: true,
    help: { 'pt-BR': 'OAuth 2.0: segredo do cliente', en: 'OAuth 2.0: client secret' },
  }),
  accountOauthScope: setting(text.optional(), {
    variable: 'DFE_ACCOUNT_OAUTH_SCOPE',
    help: { 'pt-BR': 'OAuth 2.0: escopo pedido', en: 'OAuth 2.0: scope asked for' },
  }),
  accountUser: setting(text.optional(), {
    variable: 'DFE_ACCOUNT_USER',
    help: { 'pt-BR': 'HTTP Basic: usuário', en: 'HTTP Basic: user' },
  }),
  accountLicenseKey: setting(secret.optional(), {
    variable: 'DFE_ACCOUNT_LICENSE_KEY',
    secret: true,
    help: { 'pt-BR': 'HTTP Basic: chave de licença', en: 'HTTP Basic: license key' },
  }),
  accountVendor: setting(headerName.optional(), {
    variable: 'DFE_ACCOUNT_VENDOR',
    help: {
      'pt-BR': 'fornecedor no cabeçalho X-<fornecedor>-Client; sem ele, nenhum cabeçalho',
      en: 'vendor in the header X-<vendor>-Client; without it no header is sent',
    },
  }),
  accountClient: setting(headerValue.default(`docfiscal-mcp; ${version}`), {
    variable: 'DFE_ACCOUNT_CLIENT',
    help: { 'pt-BR': 'valor desse cabeçalho', en: 'value of that header' },
    defaultText: { 'pt-BR': 'docfiscal-mcp; <versão>', en: 'docfiscal-mcp; <version>' },
  }),
  readOnly: setting(toggle.default(false), {
    variable: 'DFE_READ_ONLY',
    help: {
      'pt-BR': 'não oferece nenhuma ferramenta que altera dados',
      en: 'offers no tool that writes',
    },
    defaultText: { 'pt-BR': 'desligado', en: 'off' },
  }),
  toolsets: setting(listOf(toolsets).default([...toolsets]), {
    variable: 'DFE_TOOLSETS',
    help: {
      'pt-BR': 'grupos de ferramentas oferecidos: documents, manifestation, account, analysis',
      en: 'groups of tools registered: documents, manifestation, account, analysis',
    },
    defaultText: { 'pt-BR': 'todos', en: 'all' },
  }),
  confirmation: setting(oneOf(['any', 'form']).default('any'), {
    variable: 'DFE_CONFIRMATION',
    help: {
      'pt-BR':
        'any: formulário se o aplicativo tem, senão código de confirmação; form: sem formulário, não altera dados',
      en: 'any: a form if the client has forms, else a confirmation token; form: refuses writes without forms',
    },
  }),
  downloadDir: setting(path.optional(), {
    variable: 'DFE_DOWNLOAD_DIR',
    help: { 'pt-BR': 'pasta onde os arquivos pedidos são salvos', en: 'where files asked for are saved' },
    defaultText: { 'pt-BR': 'nenhuma: nada é gravado', en: 'none: nothing is written' },
  }),
  dataDir: setting(path.default(platformDataFolder), {
    variable: 'DFE_DATA_DIR',
    help: {
      'pt-BR': 'pasta do diário de envios e do arquivo de documentos',
      en: 'folder of the journal of writes and of the archive',
    },
    defaultText: { 'pt-BR': 'a pasta de dados da plataforma', en: "the platform's data folder" },
  }),
  files: setting(paths.optional(), {
    variable: 'DFE_FILES',
    help: {
      'pt-BR': 'pastas e ZIPs com seus próprios XML, separados como em PATH; são lidos, nunca alterados',
      en: 'folders and ZIPs of your own XML, separated as in PATH; they are read, never changed',
    },
    show: (roots) => (roots ?? []).join(delimiter),
  }),
  trustStore: setting(path.optional(), {
    variable: 'DFE_TRUST_STORE',
    help: {
      'pt-BR': 'arquivo PEM com as raízes contra as quais as assinaturas são conferidas',
      en: 'PEM file of the roots that signatures are checked against',
    },
    defaultText: { 'pt-BR': 'nenhum: a cadeia não é conferida', en: 'none: the chain is not checked' },
  }),
  archive: setting(oneOf(archiveModes, 'archive').default('memory'), {
    variable: 'DFE_ARCHIVE',
    help: {
      'pt-BR':
        'onde ficam os documentos já lidos: memory, file (em DFE_DATA_DIR) ou database (DFE_DATABASE_URL)',
      en: 'where documents already read are kept: memory, file (under DFE_DATA_DIR) or database (DFE_DATABASE_URL)',
    },
    defaultText: {
      'pt-BR': 'database com DFE_DATABASE_URL, senão memory',
      en: 'database if DFE_DATABASE_URL is set, else memory',
    },
  }),
  archiveXml: setting(toggle.default(false), {
    variable: 'DFE_ARCHIVE_XML',
    help: { 'pt-BR': 'guarda também o XML, comprimido', en: 'keeps the XML too, compressed' },
    defaultText: { 'pt-BR': 'desligado', en: 'off' },
  }),
  archiveRefresh: setting(refreshPolicy.defaultText('7:5m,35:1d,100:7d'), {
    variable: 'DFE_ARCHIVE_REFRESH',
    help: {
      'pt-BR':
        'quando um dia é buscado de novo: 7:5m = com menos de 7 dias, se o que se sabe dele tem mais de 5 minutos (m, h, d)',
      en: 'when a day is fetched again: 7:5m = younger than 7 days, when what is known of it is older than 5 minutes (m, h, d)',
    },
    show: refreshPolicyText,
  }),
  databaseUrl: setting(databaseUrl.optional(), {
    variable: 'DFE_DATABASE_URL',
    secret: true,
    help: {
      'pt-BR': 'PostgreSQL do arquivo de documentos e do diário, com usuário e senha',
      en: 'PostgreSQL of the archive and the journal, with user and password',
    },
  }),
  timeout: setting(wholeNumber(1, 3600).default(40), {
    variable: 'DFE_TIMEOUT',
    help: { 'pt-BR': 'segundos por chamada aos serviços', en: 'seconds per upstream call' },
  }),
  concurrency: setting(wholeNumber(1, 64).default(4), {
    variable: 'DFE_CONCURRENCY',
    help: { 'pt-BR': 'chamadas ao mesmo tempo', en: 'calls at once' },
  }),
  apps: setting(oneOf(['auto', 'on', 'off']).default('auto'), {
    variable: 'DFE_APPS',
    help: {
      'pt-BR':
        'telas do documento e do período dentro do assistente: auto (nos aplicativos que as mostram), on, off',
      en: 'views of a document and of a period inside the assistant: auto (in clients that show them), on, off',
    },
  }),
  language: setting(oneOf(languages).default('pt-BR'), {
    variable: 'DFE_LANGUAGE',
    help: {
      'pt-BR': 'idioma do que uma pessoa lê: pt-BR ou en',
      en: 'language of what a person reads: pt-BR or en',
    },
  }),
  ...teamSettings,
};

type DeclaredSettings = typeof declaredSettings;

export type SettingName = keyof DeclaredSettings;

type ValueOf<Name extends SettingName> = DeclaredSettings[Name] extends Declared<infer T> ? T : never;

/** Names of the settings that may have no value. */
type MayBeUnset = { [Name in SettingName]: undefined extends ValueOf<Name> ? Name : never }[SettingName];

/** The value of every setting. */
export type Settings = { [Name in Exclude<SettingName, MayBeUnset>]: ValueOf<Name> } & {
  [Name in MayBeUnset]?: ValueOf<Name>;
};

/** One declared setting, with what derives from its declaration. */
export interface Setting extends SettingInfo {
  readonly name: SettingName;
  /** `--read-only`, or undefined for a secret. */
  readonly flag: string | undefined;
  /** A setting that is on or off; its flag needs no value. */
  readonly isToggle: boolean;
  /** The default as text, or undefined where there is none. */
  readonly defaultValue: string | undefined;
}

/** The declared settings, in their order. */
export const settings: readonly Setting[] = Object.entries<Declared<unknown>>(declaredSettings).map(
  ([name, { kind, ...info }]) => {
    const value = kind.shownDefault();
    return {
      ...info,
      name: name as SettingName,
      flag: info.secret ? undefined : `--${info.variable.slice(4).toLowerCase().replaceAll('_', '-')}`,
      isToggle: typeof value === 'boolean',
      defaultValue: value === undefined ? undefined : String(value),
    };
  },
);
