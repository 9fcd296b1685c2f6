import { McpServer } from '@modelcontextprotocol/server';
import type { CompanyResolver } from '../company/company-resolver.ts';
import { failureWords } from '../company/failures.ts';
import type { Observed } from '../company/request-metrics.ts';
import { scopes as allScopes, type Scope } from '../config/access.ts';
import { version } from '../config/version.ts';
import { tools as allTools } from '../tools/index.ts';
import type { Tool } from '../tools/shared/definition.ts';
import { isWriting, shownTools } from './catalogue.ts';
import { instructionsFor } from './instructions.ts';
import { registerPrompts } from './prompts/register.ts';
import { registerResources } from './resources/register.ts';
import { registerViews } from './resources/views.ts';
import { type LinksOf, registerTools } from './tool-calls.ts';

/** What every host may keep: these lists depend on the configuration alone. */
const lists = { ttlMs: 300_000, cacheScope: 'public' } as const;
/** What depends on the client, too, which may show views or not. */
const ownList = { ...lists, cacheScope: 'private' } as const;

/** A request that is one message and nothing else. */
export interface Asked {
  readonly method: string;
  /** The tool that is called. */
  readonly tool: string | undefined;
}

export interface ServerOptions {
  /** What the caller may do; all unless given. */
  readonly scopes?: readonly Scope[] | undefined;
  /** All of them unless given; the same for every server, so that their schemas are made once. */
  readonly tools?: readonly Tool[] | undefined;
  /** What the server is made for, where that is one request: it has nothing but what the answer needs. */
  readonly asked?: Asked | undefined;
  /** Where what that request leads to is written down. */
  readonly observed?: Observed | undefined;
  /** Where files go that a caller elsewhere asks for. */
  readonly linksOf?: LinksOf | undefined;
}

/** Methods that need nothing registered. */
const ofTheServer = /^(?:initialize|ping|server\/|notifications\/|subscriptions\/|tools\/list$)/;

/** What has to be registered for a request; everything where it isn't known what is asked. */
function needed(asked: Asked | undefined, tools: readonly Tool[]) {
  if (asked === undefined) return { tools, prompts: true, resources: true };
  const { method, tool: name } = asked;
  if (ofTheServer.test(method)) return { tools: [], prompts: false, resources: false };
  const called = tools.filter((tool) => tool.name === name);
  if (called.length > 0) return { tools: called, prompts: false, resources: false };
  const isCompletion = method === 'completion/complete';
  const prompts = isCompletion || method.startsWith('prompts/');
  const resources = isCompletion || method.startsWith('resources/');
  return prompts || resources ? { tools: [], prompts, resources } : { tools, prompts: true, resources: true };
}

/**
 * A server with everything this configuration and the caller's scopes allow. Cheap: made once per connection, and over
 * HTTP per request.
 */
export function createServer(
  resolver: CompanyResolver,
  { scopes = allScopes, tools = allTools, asked, observed, linksOf }: ServerOptions = {},
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
  const { tools: registered, prompts, resources } = needed(asked, tools);
  registerTools(server, registered, { resolver, tools, scopes, linksOf, observed });
  if (prompts) registerPrompts(server, resolver, names, explain);
  if (resources) {
    registerResources(server, resolver, explain, observed);
    registerViews(server, resolver);
  }
  return server;
}
