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

/** These lists depend only on the configuration, so every host may cache them. */
const lists = { ttlMs: 300_000, cacheScope: 'public' } as const;
/** Also depends on the client, which may show views or not. */
const ownList = { ...lists, cacheScope: 'private' } as const;

export interface ServerOptions {
  /** The caller's scopes; all by default. */
  readonly scopes?: readonly Scope[] | undefined;
  /** All by default; shared by all servers, so that schemas are built once. */
  readonly tools?: readonly Tool[] | undefined;
  /** File links for remote callers. */
  readonly linksOf?: LinksOf | undefined;
}

/**
 * Creates a server for this configuration and the caller's scopes. Cheap: one per connection, over HTTP one per
 * request.
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
      // Hosts list prompts even if a server has none: declared, the list is empty instead of an error. Lists never
      // change.
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
