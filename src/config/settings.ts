import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import * as z from 'zod';
import { languages } from '../messages/message.ts';
import { refreshPolicyText } from './refresh-policy.ts';
import {
  baseUrl,
  cnpj,
  type Declared,
  databaseUrl,
  dateFormat,
  headerName,
  headerValue,
  innermost,
  listOf,
  oneOf,
  path,
  paths,
  refreshPolicy,
  secret,
  setting,
  text,
  timeFormat,
  timeZone,
  toggle,
  webAddress,
  wholeNumber,
  wholeNumbers,
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
  url: setting('DFE_URL', baseUrl.optional(), [
    'endereço do serviço de documentos',
    'base address of the documents service',
  ]),
  user: setting('DFE_USER', text.optional(), [
    'usuário do serviço de documentos',
    'user of the documents service',
  ]),
  password: setting('DFE_PASSWORD', secret.optional(), [
    'senha do serviço de documentos',
    'password of the documents service',
  ]),
  passwordFile: setting('DFE_PASSWORD_FILE', path.optional(), [
    'arquivo que contém a senha, em lugar de DFE_PASSWORD',
    'file that holds the password, instead of DFE_PASSWORD',
  ]),
  cnpj: setting('DFE_CNPJ', cnpj.optional(), [
    'empresa consultada quando a chamada não indica outra',
    'company to query when a call names none',
  ]),
  dateFormat: setting('DFE_DATE_FORMAT', dateFormat.default('dd/MM/yyyy'), [
    'como as datas vão ao serviço de documentos: dd, MM e yyyy',
    'how dates go to the documents service: dd, MM and yyyy',
  ]),
  timeFormat: setting('DFE_TIME_FORMAT', timeFormat.default('HH:mm:ss'), [
    'como as horas vão ao serviço de documentos: HH, mm e ss; "none" as envia vazias',
    'how times go to the documents service: HH, mm and ss; "none" sends them empty',
  ]),
  timeZone: setting('DFE_TIME_ZONE', timeZone.default('America/Sao_Paulo'), [
    'fuso das datas sem fuso e das horas mostradas',
    'time zone of dates without one, and of times shown',
  ]),
  eventTemplate: setting(
    'DFE_EVENT_TEMPLATE',
    text.default('{"ChaveNFe":"{key}","TipoEvento":"{code}","Motivo":"{justification}"}'),
    [
      'leiaute de um evento enviado, com {key}, {code}, {name} e {justification}',
      'layout of one event sent, with {key}, {code}, {name} and {justification}',
    ],
  ),
  accountUrl: setting('DFE_ACCOUNT_URL', baseUrl.optional(), [
    'endereço do serviço de conta',
    'base address of the account service',
  ]),
  accountApiKey: setting('DFE_ACCOUNT_API_KEY', secret.optional(), [
    'chave de API, enviada como está em Authorization',
    'API key, sent as it is in Authorization',
  ]),
  accountToken: setting('DFE_ACCOUNT_TOKEN', secret.optional(), [
    'token de acesso OAuth 2.0, enviado como Bearer',
    'OAuth 2.0 access token, sent as Bearer',
  ]),
  accountOauthTokenUrl: setting('DFE_ACCOUNT_OAUTH_TOKEN_URL', webAddress.optional(), [
    'OAuth 2.0 client credentials: endereço que emite tokens',
    'OAuth 2.0 client credentials: the token endpoint',
  ]),
  accountOauthClientId: setting('DFE_ACCOUNT_OAUTH_CLIENT_ID', text.optional(), [
    'OAuth 2.0: id do cliente',
    'OAuth 2.0: client id',
  ]),
  accountOauthClientSecret: setting('DFE_ACCOUNT_OAUTH_CLIENT_SECRET', secret.optional(), [
    'OAuth 2.0: segredo do cliente',
    'OAuth 2.0: client secret',
  ]),
  accountOauthScope: setting('DFE_ACCOUNT_OAUTH_SCOPE', text.optional(), [
    'OAuth 2.0: escopo pedido',
    'OAuth 2.0: scope asked for',
  ]),
  accountUser: setting('DFE_ACCOUNT_USER', text.optional(), ['HTTP Basic: usuário', 'HTTP Basic: user']),
  accountLicenseKey: setting('DFE_ACCOUNT_LICENSE_KEY', secret.optional(), [
    'HTTP Basic: chave de licença',
    'HTTP Basic: license key',
  ]),
  accountVendor: setting('DFE_ACCOUNT_VENDOR', headerName.optional(), [
    'fornecedor no cabeçalho X-<fornecedor>-Client; sem ele, nenhum cabeçalho',
    'vendor in the header X-<vendor>-Client; without it no header is sent',
  ]),
  accountClient: setting(
    'DFE_ACCOUNT_CLIENT',
    headerValue.default(`docfiscal-mcp; ${version}`),
    ['valor desse cabeçalho', 'value of that header'],
    { defaultText: ['docfiscal-mcp; <versão>', 'docfiscal-mcp; <version>'] },
  ),
  readOnly: setting(
    'DFE_READ_ONLY',
    toggle.default(false),
    ['não oferece nenhuma ferramenta que altera dados', 'offers no tool that writes'],
    { defaultText: ['desligado', 'off'] },
  ),
  toolsets: setting(
    'DFE_TOOLSETS',
    listOf(toolsets).default([...toolsets]),
    [
      'grupos de ferramentas oferecidos: documents, manifestation, account, analysis',
      'groups of tools registered: documents, manifestation, account, analysis',
    ],
    { defaultText: ['todos', 'all'] },
  ),
  confirmation: setting('DFE_CONFIRMATION', oneOf(['any', 'form']).default('any'), [
    'any: formulário se o aplicativo tem, senão código de confirmação; form: sem formulário, não altera dados',
    'any: a form if the client has forms, else a confirmation token; form: refuses writes without forms',
  ]),
  downloadDir: setting(
    'DFE_DOWNLOAD_DIR',
    path.optional(),
    ['pasta onde os arquivos pedidos são salvos', 'where files asked for are saved'],
    { defaultText: ['nenhuma: nada é gravado', 'none: nothing is written'] },
  ),
  dataDir: setting(
    'DFE_DATA_DIR',
    path.default(platformDataFolder),
    [
      'pasta do diário de envios e do arquivo de documentos',
      'folder of the journal of writes and of the archive',
    ],
    { defaultText: ['a pasta de dados da plataforma', "the platform's data folder"] },
  ),
  files: setting(
    'DFE_FILES',
    paths.optional(),
    [
      'pastas e ZIPs com seus próprios XML, separados como em PATH; são lidos, nunca alterados',
      'folders and ZIPs of your own XML, separated as in PATH; they are read, never changed',
    ],
    { show: (roots) => (roots ?? []).join(delimiter) },
  ),
  trustStore: setting(
    'DFE_TRUST_STORE',
    path.optional(),
    [
      'arquivo PEM com as raízes contra as quais as assinaturas são conferidas',
      'PEM file of the roots that signatures are checked against',
    ],
    { defaultText: ['nenhum: a cadeia não é conferida', 'none: the chain is not checked'] },
  ),
  archive: setting(
    'DFE_ARCHIVE',
    oneOf(archiveModes, 'archive').default('memory'),
    [
      'onde ficam os documentos já lidos: memory, file (em DFE_DATA_DIR) ou database (DFE_DATABASE_URL)',
      'where documents already read are kept: memory, file (under DFE_DATA_DIR) or database (DFE_DATABASE_URL)',
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
    toggle.default(false),
    ['guarda também o XML, comprimido', 'keeps the XML too, compressed'],
    { defaultText: ['desligado', 'off'] },
  ),
  archiveRefresh: setting(
    'DFE_ARCHIVE_REFRESH',
    refreshPolicy.prefault('7:5m,35:1d,100:7d'),
    [
      'quando um dia é buscado de novo: 7:5m = com menos de 7 dias, se o que se sabe dele tem mais de 5 minutos (m, h, d)',
      'when a day is fetched again: 7:5m = younger than 7 days, when what is known of it is older than 5 minutes (m, h, d)',
    ],
    { show: refreshPolicyText },
  ),
  databaseUrl: setting('DFE_DATABASE_URL', databaseUrl.optional(), [
    'PostgreSQL do arquivo de documentos e do diário, com usuário e senha',
    'PostgreSQL of the archive and the journal, with user and password',
  ]),
  timeout: setting('DFE_TIMEOUT', wholeNumber(1, 3600).default(40), [
    'segundos por chamada aos serviços',
    'seconds per upstream call',
  ]),
  concurrency: setting('DFE_CONCURRENCY', wholeNumber(1, 64).default(4), [
    'chamadas ao mesmo tempo',
    'calls at once',
  ]),
  apps: setting('DFE_APPS', oneOf(['auto', 'on', 'off']).default('auto'), [
    'telas do documento e do período dentro do assistente: auto (nos aplicativos que as mostram), on, off',
    'views of a document and of a period inside the assistant: auto (in clients that show them), on, off',
  ]),
  language: setting('DFE_LANGUAGE', oneOf(languages).default('pt-BR'), [
    'idioma do que uma pessoa lê: pt-BR ou en',
    'language of what a person reads: pt-BR or en',
  ]),
  ...teamSettings,
};

type DeclaredSettings = typeof declaredSettings;

export type SettingName = keyof DeclaredSettings;

/** The value of every setting. */
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

/** The declared settings, in their order. */
export const settings: readonly Setting[] = Object.entries<Declared>(declaredSettings).map(([name, one]) => {
  const value = defaultOf(one.schema);
  const isToggle = innermost(one.schema) === toggle;
  return {
    ...one,
    isToggle,
    refusesBlanks: isToggle || wholeNumbers.has(innermost(one.schema)),
    name: name as SettingName,
    flag: one.secret ? undefined : `--${one.variable.slice(4).toLowerCase().replaceAll('_', '-')}`,
    defaultValue: value === undefined ? undefined : String(value),
  };
});
