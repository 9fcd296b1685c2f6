import { McpServer } from '@modelcontextprotocol/server';
import type { CompanyResolver } from '../company/company-resolver.ts';
import { failureWords } from '../company/failures.ts';
import { scopes as allScopes, type Scope } from '../config/access.ts';
import { version } from '../config/version.ts';
import { tools as allTools } from '../tools/index.ts';
import type { Tool } from '../tools/shared/definition.ts';
import { isWriting, shownTools } from './catalogue.ts';
import { instructionsFor } from './instructions.ts';
import { registerPrompts } from './prompts/register.ts';
import { registerResources } from './resources/register.ts';
import { registerViews } from './resources/views.ts';
import { registerSkills } from './skills/skills.ts';
import { type LinksOf, registerTools } from './tool-calls.ts';

/** What every host may keep: these lists depend on the configuration alone. */
const lists = { ttlMs: 300_000, cacheScope: 'public' } as const;
/** What depends on the client, too, which may show views or not. */
const ownList = { ...lists, cacheScope: 'private' } as const;

export interface ServerOptions {
  /** What the caller may do; all unless given. */
  readonly scopes?: readonly Scope[] | undefined;
  /** All of them unless given; the same for every server, so that their schemas are made once. */
  readonly tools?: readonly Tool[] | undefined;
  /** Links to the files of callers on other machines. */
  readonly linksOf?: LinksOf | undefined;
}

/**
 * A server with everything this configuration and the caller's scopes allow. Cheap: made once per connection, and over
 * HTTP per request.
 */
export function createServer(
  resolver: CompanyResolver,
  { scopes = allScopes, tools = allTools, linksOf }: ServerOptions = {},
): McpServer {
  const shown = shownTools(tools, resolver.settings, scopes);
  const names = new Set(shown.map(({ name }) => name));
  const server = new McpServer(
    { name: 'docfiscal-mcp', title: resolver.translator.say('server.title'), version },
    {
      instructions: instructionsFor(names, shown.some(isWriting)),
      // Hosts ask for prompts whether a server has any or not; declared, they get an empty list instead of an error. No
      // list ever changes.
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { listChanged: false },
        completions: {},
      },
      maxToolInputElements: 2_000,
      cacheHints: {
        'tools/list': resolver.settings.apps === 'auto' ? ownList : lists,
        'prompts/list': lists,
        'resources/templates/list': lists,
        'server/discover': lists,
      },
    },
  );
  const explain = (error: unknown): string => failureWords(error, resolver.translator);
  registerTools(server, { resolver, tools, scopes, linksOf });
  registerPrompts(server, resolver, names, explain);
  registerResources(server, resolver, explain);
  registerViews(server, resolver);
  registerSkills(server, names, lists);
  return server;
}
