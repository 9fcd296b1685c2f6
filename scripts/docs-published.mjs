// What installs the program without reading: the registry's entry and the bundle's manifest, made of the declared settings.
import pack from '../package.json' with { type: 'json' };

/** What a form asks for; everything else has a default that serves. */
const inForm = [
  'DFE_URL',
  'DFE_USER',
  'DFE_PASSWORD',
  'DFE_CNPJ',
  'DFE_FILES',
  'DFE_DOWNLOAD_DIR',
  'DFE_ARCHIVE',
  'DFE_READ_ONLY',
  'DFE_LANGUAGE',
];
/** Of use to a server that others share, which no host starts. */
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
  const chosen = inForm.map((variable) => settings.find((one) => one.variable === variable));
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
