// What installs the program without reading: the snippets of docs/setup.md, the registry's entry, the bundle's manifest
// and the configuration of whoever opens this repository in a host. All made of the declared settings.
import pack from '../package.json' with { type: 'json' };

/** What a person fills in first; everything else has a default that serves. */
const first = ['DFE_URL', 'DFE_USER', 'DFE_PASSWORD', 'DFE_CNPJ'];
/** What a form asks beside that. */
const inForm = [...first, 'DFE_FILES', 'DFE_DOWNLOAD_DIR', 'DFE_ARCHIVE', 'DFE_READ_ONLY', 'DFE_LANGUAGE'];
/** Of use to a server that others share, which no host starts. */
const ofTeams = /^DFE_(?:HTTP|AUTH|METRICS|TENANTS|SIGNING)/;
const folders = ['DFE_FILES', 'DFE_DOWNLOAD_DIR'];
const paths = ['DFE_PASSWORD_FILE', 'DFE_DATA_DIR', 'DFE_TRUST_STORE', 'DFE_DOWNLOAD_DIR'];

const words = {
  en: {
    user: 'user',
    link: { vscode: 'Install in VS Code', cursor: 'Install in Cursor' },
    bundle:
      '**Claude Desktop**: `docfiscal-mcp.mcpb` of a release, opened with a double click, asks for the settings in a form and keeps the password in the system’s keychain. By hand (`claude_desktop_config.json`; the same in **Cursor**, `~/.cursor/mcp.json`, and **Gemini CLI**, `~/.gemini/settings.json`):',
    vscode:
      '**VS Code** (`.vscode/mcp.json` or the user’s `mcp.json`), which asks for the password and keeps it:',
    codex: '**Codex** (`~/.codex/config.toml`):',
    windows:
      'On Windows a host that does not find `npx` is given `"command": "cmd"` and `"args": ["/c", "npx", "-y", "docfiscal-mcp"]`.',
  },
  'pt-BR': {
    user: 'usuario',
    link: { vscode: 'Instalar no VS Code', cursor: 'Instalar no Cursor' },
    bundle:
      '**Claude Desktop**: o `docfiscal-mcp.mcpb` de uma versão, aberto com dois cliques, pede a configuração num formulário e guarda a senha no chaveiro do sistema. À mão (`claude_desktop_config.json`; o mesmo no **Cursor**, `~/.cursor/mcp.json`, e no **Gemini CLI**, `~/.gemini/settings.json`):',
    vscode: '**VS Code** (`.vscode/mcp.json` ou o `mcp.json` do usuário), que pergunta a senha e a guarda:',
    codex: '**Codex** (`~/.codex/config.toml`):',
    windows:
      'No Windows, para o aplicativo que não acha o `npx`: `"command": "cmd"` e `"args": ["/c", "npx", "-y", "docfiscal-mcp"]`.',
  },
};

const of = (settings, variable) => settings.find((one) => one.variable === variable);
const npx = { command: 'npx', args: ['-y', pack.name] };

/** The variables of an example, with the password where this host keeps it. */
function exampleEnv(language, password) {
  return {
    DFE_URL: 'https://documents.example',
    DFE_USER: words[language].user,
    ...password,
    DFE_CNPJ: '48152036000117',
    DFE_LANGUAGE: language,
  };
}

const inFile = { DFE_PASSWORD_FILE: '/path/to/password-file' };
const asked = (variable) => `\${input:${variable.toLowerCase().replaceAll('_', '-')}}`;
const fenced = (kind, text) => `\`\`\`${kind}\n${text}\n\`\`\``;
const json = (value) => JSON.stringify(value, null, 2);
const textOf = ([portuguese, english], language) => (language === 'en' ? english : portuguese);

/** The questions of a host that asks, and their answers as variables. */
function askedEnv(settings, language, variables) {
  const inputs = variables.map((variable) => ({
    type: 'promptString',
    id: asked(variable).slice('${input:'.length, -1),
    description: textOf(of(settings, variable).help, language),
    ...(of(settings, variable).secret && { password: true }),
  }));
  return { inputs, env: Object.fromEntries(variables.map((variable) => [variable, asked(variable)])) };
}

/** Links that a click makes an installation of: the form of VS Code, and an entry of Cursor's with empty values. */
function installLinks(settings, language) {
  const { inputs, env } = askedEnv(settings, language, first);
  const config = { type: 'stdio', ...npx, env: { ...env, DFE_LANGUAGE: language } };
  const empty = Object.fromEntries(first.map((variable) => [variable, '']));
  const entry = { ...npx, env: { ...empty, DFE_LANGUAGE: language } };
  // A plus sign for a blank would arrive as one.
  const query = (values) =>
    Object.entries(values)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&');
  const encoded = Buffer.from(JSON.stringify(entry)).toString('base64');
  return {
    vscode: `https://insiders.vscode.dev/redirect/mcp/install?${query({ name: 'docfiscal', inputs: JSON.stringify(inputs), config: JSON.stringify(config) })}`,
    cursor: `https://cursor.com/en/install-mcp?${query({ name: 'docfiscal', config: encoded })}`,
  };
}

/** The buttons of a README's first screen. */
export function installButtons(settings, language) {
  const links = installLinks(settings, language);
  const button = (host, colour) =>
    `[![${words[language].link[host]}](https://img.shields.io/badge/${encodeURIComponent(words[language].link[host].replaceAll(' ', '_'))}-${colour}?style=flat-square)](${links[host]})`;
  return [button('vscode', '0098FF'), button('cursor', '000000')].join(' ');
}

/** How each host is told by hand. */
export function installSection(settings, language) {
  const say = words[language];
  const env = exampleEnv(language, inFile);
  const flags = Object.entries(env).map(([name, value]) => `  --env ${name}=${value}`);
  const { inputs } = askedEnv(settings, language, ['DFE_PASSWORD']);
  const vscode = {
    inputs,
    servers: {
      docfiscal: {
        type: 'stdio',
        ...npx,
        env: exampleEnv(language, { DFE_PASSWORD: asked('DFE_PASSWORD') }),
      },
    },
  };
  const toml = [
    '[mcp_servers.docfiscal]',
    `command = "${npx.command}"`,
    `args = ${JSON.stringify(npx.args)}`,
    // A first start by npx downloads the package.
    'startup_timeout_sec = 60',
    '',
    '[mcp_servers.docfiscal.env]',
    ...Object.entries(env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
  ];
  return [
    say.bundle,
    fenced('json', json({ mcpServers: { docfiscal: { ...npx, env } } })),
    '**Claude Code**:',
    fenced(
      'sh',
      ['claude mcp add docfiscal', ...flags, `  -- ${npx.command} ${npx.args.join(' ')}`].join(' \\\n'),
    ),
    say.vscode,
    fenced('json', json(vscode)),
    say.codex,
    fenced('toml', toml.join('\n')),
    say.windows,
  ].join('\n\n');
}

/** Choices of a setting as its own help has them. */
const choices = {
  DFE_ARCHIVE: ['memory', 'file', 'database'],
  DFE_LANGUAGE: ['pt-BR', 'en'],
  DFE_CONFIRMATION: ['any', 'form'],
};

/** Where the source is, once package.json names it: an address that a browser opens and git clones. */
const repositoryUrl = pack.repository?.url.replace(/^git\+/, '').replace(/\.git$/, '');

/** The entry of the MCP registry. */
export function serverJson(settings) {
  const variables = settings
    .filter(({ variable }) => !ofTeams.test(variable))
    .map(({ variable, help, secret, isToggle, defaultValue, defaultText }) => ({
      name: variable,
      description: help[1],
      isRequired: false,
      isSecret: secret,
      format: isToggle ? 'boolean' : paths.includes(variable) ? 'filepath' : 'string',
      // A default that reads otherwise than it is depends on the machine, and is the program's own affair.
      ...(defaultValue !== undefined && (defaultText === undefined || isToggle) && { default: defaultValue }),
      ...(choices[variable] && { choices: choices[variable] }),
    }));
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: pack.mcpName,
    title: 'Documentos fiscais (NF-e, NFS-e, CT-e)',
    description: 'Brazilian fiscal documents (NF-e, NFS-e, CT-e): find, read, add up, check, manifest.',
    version: pack.version,
    ...(repositoryUrl && { repository: { url: repositoryUrl, source: 'github' } }),
    packages: [
      {
        registryType: 'npm',
        identifier: pack.name,
        version: pack.version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        environmentVariables: variables,
      },
    ],
  };
}

const kebab = (variable) => variable.slice('DFE_'.length).toLowerCase();

/** The manifest of the bundle that desktop hosts open: a form, whose empty fields are settings that are not set. */
export function bundleManifest(settings, tools) {
  const chosen = inForm.map((variable) => of(settings, variable));
  const form = chosen.map(({ variable, help, secret, isToggle, defaultValue }) => [
    kebab(variable),
    {
      type: isToggle ? 'boolean' : folders.includes(variable) ? 'directory' : 'string',
      title: help[0].charAt(0).toUpperCase() + help[0].slice(1),
      description: `${help[1]} (${variable})`,
      required: false,
      sensitive: secret,
      default: isToggle ? false : (defaultValue ?? ''),
    },
  ]);
  return {
    manifest_version: '0.3',
    name: pack.name,
    display_name: 'Documentos fiscais (NF-e, NFS-e, CT-e)',
    version: pack.version,
    description: pack.description,
    author: { name: 'docfiscal-mcp' },
    license: pack.license,
    keywords: pack.keywords,
    server: {
      type: 'node',
      entry_point: 'dist/docfiscal-mcp.cjs',
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/dist/docfiscal-mcp.cjs`],
        env: Object.fromEntries(
          chosen.map(({ variable }) => [variable, `\${user_config.${kebab(variable)}}`]),
        ),
      },
    },
    tools: tools.map(({ name, description }) => ({ name, description })),
    tools_generated: false,
    prompts_generated: true,
    user_config: Object.fromEntries(form),
    compatibility: {
      platforms: ['darwin', 'win32', 'linux'],
      runtimes: { node: pack.engines.node },
    },
  };
}

/** For whoever opens this repository in a host: the demo, as it was built last. */
export const projectJson = {
  mcpServers: { 'docfiscal-demo': { command: 'node', args: ['dist/docfiscal-mcp.cjs', '--demo'] } },
};
