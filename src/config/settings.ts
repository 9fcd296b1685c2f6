import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { checkCnpj } from '../documents/identity/tax-ids.ts';
import { languages, type Message } from '../messages/message.ts';
import { Secret } from './secret.ts';
import { version } from './version.ts';

// Compiling a check for every schema pays after thousands of calls; here it would only delay the start.
z.config({ jitless: true });

/** The groups of tools that `DFE_TOOLSETS` chooses from. */
export const toolsets = ['documents', 'manifestation', 'account', 'analysis'] as const;

export type Toolset = (typeof toolsets)[number];

/** What is known of a setting besides its schema. */
export interface SettingInfo {
  /** Its environment variable; where it is not a secret, its flag has the same name: `DFE_READ_ONLY`, `--read-only`. */
  readonly variable: `DFE_${string}`;
  readonly secret: boolean;
  readonly help: Message;
  /** How the default reads in help and README, where the value itself would not tell. */
  readonly defaultText?: Message;
}

const settingInfo = z.registry<SettingInfo>();

function setting<S extends z.ZodType>(schema: S, info: Omit<SettingInfo, 'secret'> & { secret?: true }): S {
  settingInfo.add(schema, { secret: false, ...info });
  return schema;
}

/** Refuses a text: `kind` is the tail of a catalogue key `config.expected.<kind>`, with its values. */
type Refuse = (kind: string, values?: Readonly<Record<string, string | number>>) => never;

/** A kind of setting, by what its text means: one node of zod, where a chain of its own would slow the start. */
function kind<T>(read: (text: string, refuse: Refuse) => T) {
  return z.transform((given: unknown, context): T => {
    const refuse: Refuse = (expected, values) => {
      context.issues.push({ code: 'custom', params: { expected, ...values }, input: given });
      return z.NEVER;
    };
    return typeof given === 'string' ? read(given, refuse) : refuse('text');
  });
}

const text = kind((value) => value);
const secret = kind((value) => new Secret(value));
const webAddress = kind((value, refuse) => (isWebAddress(value) ? value : refuse('url')));
const baseUrl = kind((value, refuse) => (isWebAddress(value) ? value.replace(/\/+$/, '') : refuse('url')));
const cnpj = kind((value, refuse) => {
  const checked = checkCnpj(value);
  return checked.ok ? checked.value : refuse('cnpj');
});
const yes = ['1', 'true', 'yes', 'on', 'sim'];
const no = ['0', 'false', 'no', 'off', 'nao', 'não'];
const toggle = kind((value, refuse) => {
  const word = value.toLowerCase();
  return yes.includes(word) || (no.includes(word) ? false : refuse('toggle'));
});
const wholeNumber = (least: number, most: number) =>
  kind((value, refuse) =>
    /^\d{1,6}$/.test(value) && Number(value) >= least && Number(value) <= most
      ? Number(value)
      : refuse('whole_number', { least, most }),
  );
const oneOf = <const T extends string>(choices: readonly T[]) =>
  kind(
    (value, refuse) =>
      choices.find((one) => one === value) ?? refuse('list', { choices: choices.join(', ') }),
  );
const listOf = <const T extends string>(choices: readonly T[]) =>
  kind((value, refuse) => {
    const parts = value.split(',').map((part) => part.trim());
    const isChoice = (part: string): part is T => choices.some((one) => one === part);
    return parts.every(isChoice) ? parts : refuse('list', { choices: choices.join(', ') });
  });
const headerName = kind((value, refuse) =>
  /^[A-Za-z0-9][A-Za-z0-9-]*$/.test(value) ? value : refuse('header_name'),
);
const headerValue = kind((value, refuse) => (/^[\x20-\x7e]+$/.test(value) ? value : refuse('header_value')));
const timeZone = kind((value, refuse) => (isTimeZone(value) ? value : refuse('time_zone')));

/** Letters of another case are no placeholders: `DD/MM/YYYY` would go to the service as it stands. */
const dateFormat = kind((value, refuse) =>
  [/yy/, /M/, /d/].every((part) => part.test(value)) ? value : refuse('date_format'),
);
const timeFormat = kind((value, refuse) =>
  value === 'none' || [/H/, /mm/].every((part) => part.test(value)) ? value : refuse('time_format'),
);
const archivePlace = kind((value, refuse) =>
  isArchivePlace(value) ? shownPlace(value) : refuse('list', { choices: 'memory, file, postgresql://…' }),
);

function isWebAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === '';
}

/** A database's address may hold a password, so it is shown without its user part and options. */
function shownPlace(value: string): Secret {
  return new Secret(value, /^postgres/.test(value) ? `postgresql://***@${new URL(value).host}` : value);
}

function isArchivePlace(value: string): boolean {
  if (value === 'memory' || value === 'file') return true;
  return URL.canParse(value) && /^postgres(ql)?:$/.test(new URL(value).protocol);
}

function isTimeZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

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
 * Every setting, once. Each value comes as text from a flag or the environment; the schema says what it becomes.
 * Help, the README's table, `doctor` and the check for unknown names all read this object.
 * Source: README.md, Settings, which is made from it.
 */
export const settingsSchema = z.object({
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
  passwordFile: setting(text.optional(), {
    variable: 'DFE_PASSWORD_FILE',
    help: {
      'pt-BR': 'arquivo que contém a senha, em lugar de DFE_PASSWORD',
      en: 'file that holds the password, instead of DFE_PASSWORD',
    },
  }),
  cnpj: setting(cnpj.optional(), {
    variable: 'DFE_CNPJ',
    help: {
      'pt-BR': 'empresa consultada quando a chamada não diz outra',
      en: 'the company asked about when a call names none',
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
    help: { 'pt-BR': 'fuso das datas sem fuso', en: 'zone of dates without one' },
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
    help: { 'pt-BR': 'não registra nenhuma ferramenta que escreve', en: 'registers no tool that writes' },
    defaultText: { 'pt-BR': 'desligado', en: 'off' },
  }),
  toolsets: setting(listOf(toolsets).default([...toolsets]), {
    variable: 'DFE_TOOLSETS',
    help: {
      'pt-BR': 'grupos de ferramentas registrados: documents, manifestation, account, analysis',
      en: 'groups of tools registered: documents, manifestation, account, analysis',
    },
    defaultText: { 'pt-BR': 'todos', en: 'all' },
  }),
  confirmation: setting(oneOf(['any', 'form']).default('any'), {
    variable: 'DFE_CONFIRMATION',
    help: {
      'pt-BR':
        'any: formulário onde o cliente tem, senão código de confirmação; form: recusa escrever sem formulário',
      en: 'any: a form where the client has forms, else a confirmation token; form: refuses writes without forms',
    },
  }),
  downloadDir: setting(text.optional(), {
    variable: 'DFE_DOWNLOAD_DIR',
    help: { 'pt-BR': 'pasta onde os arquivos pedidos são salvos', en: 'where files asked for are saved' },
    defaultText: { 'pt-BR': 'nenhuma: nada é gravado', en: 'none: nothing is written' },
  }),
  dataDir: setting(text.default(platformDataFolder), {
    variable: 'DFE_DATA_DIR',
    help: {
      'pt-BR': 'pasta do diário de escritas e do arquivo',
      en: 'where the write journal and the archive live',
    },
    defaultText: { 'pt-BR': 'a pasta de dados da plataforma', en: "the platform's data folder" },
  }),
  archive: setting(archivePlace.default(new Secret('memory', 'memory')), {
    variable: 'DFE_ARCHIVE',
    secret: true,
    help: {
      'pt-BR':
        'onde ficam os documentos já lidos: memory, file (em DFE_DATA_DIR) ou o endereço de um PostgreSQL',
      en: 'where documents already read are kept: memory, file (under DFE_DATA_DIR) or the address of a PostgreSQL',
    },
    defaultText: { 'pt-BR': 'memory', en: 'memory' },
  }),
  archiveXml: setting(toggle.default(false), {
    variable: 'DFE_ARCHIVE_XML',
    help: { 'pt-BR': 'guarda também o XML, comprimido', en: 'keeps the XML too, compressed' },
    defaultText: { 'pt-BR': 'desligado', en: 'off' },
  }),
  archiveRefreshDays: setting(wholeNumber(0, 366).default(7), {
    variable: 'DFE_ARCHIVE_REFRESH_DAYS',
    help: {
      'pt-BR': 'dias recentes que são consultados de novo, porque ainda podem mudar',
      en: 'recent days that are asked for anew, because they may still change',
    },
  }),
  timeout: setting(wholeNumber(1, 3600).default(60), {
    variable: 'DFE_TIMEOUT',
    help: { 'pt-BR': 'segundos por chamada aos serviços', en: 'seconds per upstream call' },
  }),
  concurrency: setting(wholeNumber(1, 64).default(4), {
    variable: 'DFE_CONCURRENCY',
    help: { 'pt-BR': 'chamadas ao mesmo tempo', en: 'calls at once' },
  }),
  language: setting(oneOf(languages).default('pt-BR'), {
    variable: 'DFE_LANGUAGE',
    help: {
      'pt-BR': 'idioma do que uma pessoa lê: pt-BR ou en',
      en: 'language of what a person reads: pt-BR or en',
    },
  }),
});

export type Settings = z.output<typeof settingsSchema>;
export type SettingName = keyof Settings;

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
export const settings: readonly Setting[] = Object.entries(settingsSchema.shape).map(([name, schema]) => {
  const info = settingInfo.get(schema);
  if (info === undefined) throw new Error(`setting ${name} is not declared with setting()`);
  const value = schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined;
  return {
    ...info,
    name: name as SettingName,
    flag: info.secret ? undefined : `--${info.variable.slice(4).toLowerCase().replaceAll('_', '-')}`,
    isToggle: typeof value === 'boolean',
    defaultValue: value === undefined ? undefined : String(value),
  };
});
