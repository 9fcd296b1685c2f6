import { McpServer } from '@modelcontextprotocol/server';
import { scopes as allScopes, type Scope } from '../config/scopes.ts';
import { version } from '../config/version.ts';
import type { Tool } from '../mcp/definition.ts';
import { registerPrompts } from '../mcp/prompts/register.ts';
import { isWriting, type LinksOf, registerTools, shownTools } from '../mcp/register.ts';
import { registerResources } from '../mcp/resources/register.ts';
import { registerViews } from '../mcp/resources/views.ts';
import { explainFailure, reportUnexpected } from '../services/failures.ts';
import type { Observed } from '../services/observation.ts';
import type { Served } from '../services/served.ts';
import { tools as allTools } from '../tools/index.ts';
import { instructionsFor } from './instructions.ts';

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
  /** All of them unless given; the same list for every server, so that what is told of it is made once. */
  readonly tools?: readonly Tool[] | undefined;
  /** What the server is made for, where that is one request: it has nothing but what the answer needs. */
  readonly asked?: Asked | undefined;
  /** Where what that request leads to is written down. */
  readonly observed?: Observed | undefined;
  /** Where files go that a caller elsewhere asks for. */
  readonly linksOf?: LinksOf | undefined;
}

/** What is told of a server to whoever asks what it can do. */
interface Told {
  /** Names of the tools that are shown. */
  readonly names: ReadonlySet<string>;
  readonly instructions: string;
}

/** Made once for every set of tools, language and rights, which over HTTP every request would otherwise make again. */
const told = new WeakMap<readonly Tool[], Map<string, Told>>();

function toldOf(tools: readonly Tool[], { settings, translator }: Served, scopes: readonly Scope[]): Told {
  const { readOnly, toolsets } = settings;
  const ofTools = told.get(tools) ?? new Map<string, Told>();
  told.set(tools, ofTools);
  const name = [translator.language, readOnly, ...toolsets, ...scopes].join();
  const known = ofTools.get(name);
  if (known !== undefined) return known;
  const shown = shownTools(tools, settings, scopes);
  const names = new Set(shown.map((tool) => tool.name));
  const made = { names, instructions: instructionsFor(names, shown.some(isWriting)) };
  ofTools.set(name, made);
  return made;
}

/** Answered from what is told of a server alone. */
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
  served: Served,
  { scopes = allScopes, tools = allTools, asked, observed, linksOf }: ServerOptions = {},
): McpServer {
  const { names, instructions } = toldOf(tools, served, scopes);
  const server = new McpServer(
    { name: 'docfiscal-mcp', title: served.translator.say('server.title'), version },
    {
      instructions,
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
        'tools/list': served.settings.apps === 'auto' ? ownList : lists,
        'prompts/list': lists,
        'resources/templates/list': lists,
        'server/discover': lists,
      },
    },
  );
  const explain = (error: unknown): string =>
    explainFailure(error, served.translator) ?? reportUnexpected(error, served.translator);
  const { tools: registered, prompts, resources } = needed(asked, tools);
  registerTools(server, tools, served, { scopes, linksOf, registered, observed });
  if (prompts) registerPrompts(server, served, names, explain);
  if (resources) {
    registerResources(server, served, explain, observed);
    registerViews(server, served);
  }
  return server;
}
