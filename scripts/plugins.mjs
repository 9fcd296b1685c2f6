// Makes the plugin folders of the hosts that take them: a manifest, the skills and the program. Called by
// `npm run bundle`. Formats: https://code.claude.com/docs/en/plugins/manifest-reference,
// https://developers.openai.com/codex/plugins/build, https://cursor.com/docs/plugins and
// https://geminicli.com/docs/extensions/reference, looked up on 2026-11-24.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pack from '../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');
const skills = join(root, 'src', 'server', 'skills');
const PROGRAM = 'dist/docfiscal-mcp.cjs';

/** Fields that every host requires of a plugin. */
const about = {
  name: pack.name,
  version: pack.version,
  description: pack.description,
  author: { name: pack.name },
  license: pack.license,
  keywords: pack.keywords,
};

const { name, version, description } = about;

/** Without these nothing can be asked of the service. */
const ofService = ['DFE_URL', 'DFE_USER', 'DFE_PASSWORD', 'DFE_CNPJ'];

/** The files of each host besides skills and program, by their paths. `form` has the fields of the bundle's form by variable. */
const hosts = {
  'claude-code': (form) => ({
    '.claude-plugin/plugin.json': {
      ...about,
      mcpServers: {
        docfiscal: {
          command: 'node',
          args: [`\${CLAUDE_PLUGIN_ROOT}/${PROGRAM}`],
          env: Object.fromEntries(form.map(({ variable, field }) => [variable, `\${user_config.${field}}`])),
        },
      },
      userConfig: Object.fromEntries(form.map(({ variable: _, field, ...asked }) => [field, asked])),
    },
  }),
  codex: (form) => ({
    '.codex-plugin/plugin.json': {
      ...about,
      skills: './skills/',
      mcpServers: './.mcp.json',
      interface: {
        displayName: 'Documentos fiscais (NF-e, NFS-e, CT-e)',
        shortDescription: 'NF-e, NFS-e e CT-e da empresa na conversa',
        longDescription: pack.description,
        developerName: pack.name,
        category: 'Productivity',
        capabilities: ['Interactive', 'Read', 'Write'],
        defaultPrompt: ['O que falta para fechar o mês?'],
      },
    },
    // The folder of the installed plugin.
    '.mcp.json': {
      docfiscal: {
        command: 'node',
        args: [PROGRAM],
        cwd: '.',
        env_vars: form.map(({ variable }) => variable),
      },
    },
  }),
  cursor: (form) => ({
    '.cursor-plugin/plugin.json': {
      ...about,
      displayName: 'Documentos fiscais (NF-e, NFS-e, CT-e)',
      skills: './skills/',
      variables: {
        type: 'object',
        properties: Object.fromEntries(
          form
            .filter(({ variable }) => ofService.includes(variable))
            .map(({ variable, title, description }) => [variable, { type: 'string', title, description }]),
        ),
        required: ofService,
      },
      mcpServers: {
        docfiscal: {
          command: 'node',
          args: [`\${CURSOR_PLUGIN_ROOT}/${PROGRAM}`],
          env: Object.fromEntries(ofService.map((variable) => [variable, `\${${variable}}`])),
        },
      },
    },
  }),
  'gemini-cli': (form) => ({
    'gemini-extension.json': {
      name,
      version,
      description,
      mcpServers: { docfiscal: { command: 'node', args: [`\${extensionPath}/${PROGRAM}`] } },
      settings: form.map(({ variable, title, description, sensitive }) => ({
        name: title,
        description,
        envVar: variable,
        sensitive,
      })),
    },
  }),
};

/** The fields of the bundle's form, with the setting that each is of. */
function formOf({ server, user_config: fields }) {
  return Object.entries(server.mcp_config.env).map(([variable, value]) => {
    const field = value.slice('${user_config.'.length, -1);
    return { variable, field, ...fields[field] };
  });
}

/** Writes a folder for each host into `target`, which is emptied. */
export function makePlugins(target) {
  const form = formOf(JSON.parse(readFileSync(join(root, 'bundle', 'manifest.json'), 'utf8')));
  rmSync(target, { recursive: true, force: true });
  for (const [host, filesOf] of Object.entries(hosts)) {
    const folder = join(target, host);
    for (const name of ['dist', 'LICENSE', 'THIRD-PARTY-NOTICES.md']) {
      cpSync(join(root, name), join(folder, name), { recursive: true });
    }
    for (const name of readdirSync(skills).filter((one) => one.endsWith('.md'))) {
      const skill = join(folder, 'skills', name.replace(/\.md$/, ''));
      mkdirSync(skill, { recursive: true });
      cpSync(join(skills, name), join(skill, 'SKILL.md'));
    }
    for (const [path, content] of Object.entries(filesOf(form))) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), `${JSON.stringify(content, undefined, 2)}\n`);
    }
  }
}
