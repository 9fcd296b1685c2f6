// The registry's entry and the bundle's manifest, by which hosts install the program: generated from the settings.
import pack from '../package.json' with { type: 'json' };

/** The bundle's form, in the language of its display name; everything else has a default that serves. */
const form = {
  DFE_URL: [
    'Endereço do serviço de documentos',
    'Começa com https://. Deixe em branco se você só usa seus próprios XML.',
  ],
  DFE_USER: ['Usuário do serviço', 'O mesmo com que a empresa entra no serviço de documentos.'],
  DFE_PASSWORD: ['Senha do serviço', 'Fica no chaveiro do sistema e nunca aparece.'],
  DFE_CNPJ: ['CNPJ da empresa', 'A empresa consultada quando a pergunta não diz outra.'],
  DFE_FILES: ['Pasta dos seus XML', 'Notas que você já tem. São lidas, nunca alteradas.'],
  DFE_DOWNLOAD_DIR: ['Pasta para salvar arquivos', 'PDF, planilhas e relatórios que você pedir.'],
  DFE_ARCHIVE: [
    'Guardar o que já foi lido',
    '"file" guarda neste computador e responde mais rápido; "memory" esquece ao fechar.',
  ],
  DFE_READ_ONLY: ['Só consulta', 'Não manifesta notas nem muda a conta.'],
  DFE_LANGUAGE: ['Idioma', '"pt-BR" ou "en".'],
};
/** Settings of a shared server, which no host starts. */
const ofTeams = /^DFE_(?:HTTP|AUTH|METRICS|TENANTS|SIGNING)/;
const folders = ['DFE_FILES', 'DFE_DOWNLOAD_DIR'];
const paths = ['DFE_PASSWORD_FILE', 'DFE_DATA_DIR', 'DFE_TRUST_STORE', 'DFE_DOWNLOAD_DIR'];

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
      // A default that is described in words depends on the machine; the program fills it in.
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
  const chosen = Object.keys(form).map((variable) => settings.find((one) => one.variable === variable));
  const fields = chosen.map(({ variable, secret, isToggle, defaultValue }) => {
    const [title, description] = form[variable];
    return [
      kebab(variable),
      {
        type: isToggle ? 'boolean' : folders.includes(variable) ? 'directory' : 'string',
        title,
        description,
        required: false,
        sensitive: secret,
        default: isToggle ? false : (defaultValue ?? ''),
      },
    ];
  });
  return {
    manifest_version: '0.3',
    name: pack.name,
    display_name: 'Documentos fiscais (NF-e, NFS-e, CT-e)',
    version: pack.version,
    description: 'Encontra, lê, soma, confere e manifesta os documentos fiscais eletrônicos da empresa.',
    icon: 'icon.png',
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
    user_config: Object.fromEntries(fields),
    compatibility: {
      platforms: ['darwin', 'win32', 'linux'],
      // A bundle has no packages of its own, so its SQLite is Node's (docs/hosts.md).
      runtimes: { node: '>=22.13.0' },
    },
  };
}
