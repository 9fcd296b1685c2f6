import { McpServer } from '@modelcontextprotocol/server';
import { scopes as allScopes, type Scope } from '../config/scopes.ts';
import { version } from '../config/version.ts';
import type { Tool } from '../mcp/definition.ts';
import { registerPrompts } from '../mcp/prompts/register.ts';
import { isWriting, type LinksOf, registerTools, shownTools } from '../mcp/register.ts';
import { registerResources } from '../mcp/resources/register.ts';
import { registerViews } from '../mcp/resources/views.ts';
import { explainFailure, reportUnexpected } from '../services/failures.ts';
import type { Served } from '../services/served.ts';
import { tools as allTools } from '../tools/index.ts';
import { instructionsFor } from './instructions.ts';

/** What every host may keep: these lists depend on the configuration alone. */
const lists = { ttlMs: 300_000, cacheScope: 'public' } as const;
/** What depends on the client, too, which may show views or not. */
const ownList = { ...lists, cacheScope: 'private' } as const;

export interface ServerOptions {
  /** What the caller may do; all unless given. */
  readonly scopes?: readonly Scope[] | undefined;
  /** All of them unless given; the same list for every server, so that what is told of it is made once. */
  readonly tools?: readonly Tool[] | undefined;
  /** The one tool that is called, where the server is made for a request that does nothing else. */
  readonly only?: string | undefined;
  /** Where files go that a caller elsewhere asks for. */
  readonly linksOf?: LinksOf | undefined;
}

/** A server with everything this configuration and the caller's scopes allow. Cheap: made once per connection, and over HTTP per request. */
export function createServer(
  served: Served,
  { scopes = allScopes, tools = allTools, only, linksOf }: ServerOptions = {},
): McpServer {
  const shown = shownTools(tools, served.settings, scopes);
  const names = new Set(shown.map(({ name }) => name));
  const server = new McpServer(
    { name: 'docfiscal-mcp', title: served.translator.say('server.title'), version },
    {
      instructions: instructionsFor(names, shown.some(isWriting)),
      // Hosts ask for prompts whether a server has any or not; declared, they get an empty list instead of an error. No
      // list ever changes.
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { listChanged: false },
      },
      maxToolInputElements: 2_000,
      cacheHints: {
        'tools/list': served.settings.apps === 'auto' ? ownList : lists,
        'prompts/list': lists,
        'resources/templates/list': lists,
        'server/discover': lists,
      },
    },
  );
  const explain = (error: unknown): string =>
    explainFailure(error, served.translator) ?? reportUnexpected(error, served.translator);
  const isCall = tools.some(({ name }) => name === only);
  registerTools(server, tools, served, { scopes, linksOf, only: isCall ? only : undefined });
  if (isCall) return server;
  registerPrompts(server, served, names, explain);
  registerResources(server, served, explain);
  registerViews(server, served);
  return server;
}
