import type { CacheHint, McpServer } from '@modelcontextprotocol/server';
import { type Skill, SkillsExtension, skillEntry } from '@modelcontextprotocol/server/ext/skills';
import manifestation from './manifestation.md';
import monthClosing from './month-closing.md';
import reconciliation from './reconciliation.md';
import taxReform from './tax-reform.md';

const pending = 'list_pending_manifestations';

/** Text and required tools of each skill. */
const skills = {
  'month-closing': { text: monthClosing, tools: ['query_documents', 'check_documents', pending] },
  manifestation: { text: manifestation, tools: [pending, 'manifest_nfe', 'get_nfe_event_status'] },
  reconciliation: { text: reconciliation, tools: ['reconcile', 'get_document'] },
  'tax-reform': { text: taxReform, tools: ['query_documents', 'check_documents'] },
} as const;

const FILE = 'SKILL.md';

/** Serves the skills whose tools are available. Source: SEP-2640. */
export function registerSkills(server: McpServer, tools: ReadonlySet<string>, cacheHint: CacheHint): void {
  const offered = Object.entries(skills).filter(([, skill]) => skill.tools.every((name) => tools.has(name)));
  const entries = (): Promise<Skill[]> =>
    Promise.all(offered.map(([name, { text }]) => skillEntry(name, { [FILE]: text })));
  const found = (uri: string) => offered.find(([name]) => uri === `skill://${name}/${FILE}`);
  const source = {
    list: async () => ({ skills: await entries() }),
    get: async (uri: string) => (await entries()).find((skill) => skill.uri === uri),
    read: async (uri: string) => {
      const skill = found(uri);
      return skill && { text: skill[1].text, mimeType: 'text/markdown' };
    },
  };
  new SkillsExtension({ source, cacheHint }).attach(server);
}
