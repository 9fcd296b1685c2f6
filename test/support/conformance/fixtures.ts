import {
  type CallToolResult,
  completable,
  createRequestStateCodec,
  fromJsonSchema,
  type InputRequests,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
  type ServerContext,
  type ServerEventBus,
} from '@modelcontextprotocol/server';
import * as z from 'zod';

/** One red pixel, and a WAV file of no length. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const silence = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const codec = createRequestStateCodec<string>({ key: Buffer.alloc(32, 7), ttlSeconds: 600 });
const description = 'A fixture of the conformance suite';
const text = (words: string) => ({ type: 'text' as const, text: words });
const said = (words: string) => ({ content: [text(words)] });
const asked = (words: string) => ({ role: 'user' as const, content: text(words) });
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const image = { type: 'image' as const, data: pixel, mimeType: 'image/png' };

type Result = CallToolResult | InputRequiredResult;
/** Tools without arguments, by their names. */
type Tools = Readonly<Record<string, (mcp: ServerContext) => Promise<Result> | Result>>;

/** A form with one field, and a question to the client's model. */
const form = (message: string, name: string, type: 'string' | 'boolean' = 'string') =>
  inputRequired.elicit({
    message,
    requestedSchema: {
      type: 'object',
      properties: { [name]: type === 'boolean' ? { type } : { type } },
      required: [name],
    },
  });
const sample = (words: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [asked(words)], maxTokens });
const roots = inputRequired.listRoots();

/** The accepted value of a form's field, where it is there and a text. */
function fieldOf({ mcpReq }: ServerContext, key: string, name: string): string | undefined {
  const answer = inputResponse(mcpReq.inputResponses, key);
  const value = answer.kind === 'elicit' && answer.action === 'accept' ? answer.content?.[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

type Input = Parameters<typeof inputRequired>[0]['inputRequests'] & InputRequests;

async function askedOnce(mcp: ServerContext, inputRequests: Input, done: string, hasState = false) {
  const { inputResponses } = mcp.mcpReq;
  const isAnswered = (key: string) => inputResponse(inputResponses, key).kind !== 'missing';
  if (Object.keys(inputRequests).every(isAnswered)) return said(done);
  const requestState = hasState ? await codec.mint('asked', mcp) : undefined;
  return inputRequired({ inputRequests, ...(requestState !== undefined && { requestState }) });
}

const embedded = (uri: string, mimeType: string, words: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: words },
});

const contents: Tools = {
  test_simple_text: () => said('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: silence, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }),
  test_multiple_content_types: () => {
    const resource = embedded(
      'test://mixed-content-resource',
      'application/json',
      '{"test":"data","value":123}',
    );
    return { content: [text('Multiple content types test:'), image, resource] };
  },
  test_error_handling: () =>
    Promise.reject(new Error('This tool intentionally returns an error for testing')),
};

const notifying = (bus: ServerEventBus): Tools => ({
  async test_tool_with_logging({ mcpReq }) {
    for (const words of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.log('info', words);
      await later(50);
    }
    return said('Logged three messages.');
  },
  async test_logging_tool({ mcpReq }) {
    await mcpReq.log('info', 'Only for those who asked for it');
    return said('Logged.');
  },
  test_trigger_tool_change() {
    bus.publish({ kind: 'tools_list_changed' });
    return said('Changed.');
  },
  test_trigger_prompt_change() {
    bus.publish({ kind: 'prompts_list_changed' });
    return said('Changed.');
  },
});

const hasState = (mcp: ServerContext) =>
  askedOnce(mcp, { confirm: form('Please confirm', 'ok', 'boolean') }, 'state-ok', true);

/** What the modern era asks by results. */
const asking: Tools = {
  test_input_required_result_elicitation(mcp) {
    const name = fieldOf(mcp, 'user_name', 'name');
    if (name !== undefined) return said(`Hello, ${name}!`);
    return inputRequired({ inputRequests: { user_name: form('What is your name?', 'name') } });
  },
  test_input_required_result_sampling({ mcpReq }) {
    const answer = inputResponse(mcpReq.inputResponses, 'capital_question');
    if (answer.kind === 'sampling') return said(JSON.stringify(answer.result.content));
    return inputRequired({
      inputRequests: { capital_question: sample('What is the capital of France?', 100) },
    });
  },
  test_input_required_result_list_roots({ mcpReq }) {
    const answer = inputResponse(mcpReq.inputResponses, 'client_roots');
    if (answer.kind === 'roots') return said(answer.roots.map(({ uri }) => uri).join(' '));
    return inputRequired({ inputRequests: { client_roots: roots } });
  },
  test_input_required_result_request_state: hasState,
  test_input_required_result_tampered_state: hasState,
  test_input_required_result_multiple_inputs(mcp) {
    const greeting = sample('Generate a greeting', 50);
    const requests = { user_name: form('What is your name?', 'name'), greeting, client_roots: roots };
    return askedOnce(mcp, requests, 'All three came.', true);
  },
  async test_input_required_result_multi_round(mcp) {
    const color = fieldOf(mcp, 'step2', 'color');
    if (color !== undefined) return said(`Your color is ${color}.`);
    const name = fieldOf(mcp, 'step1', 'name');
    const [key, question] =
      name === undefined
        ? (['step1', form('Step 1: What is your name?', 'name')] as const)
        : (['step2', form('Step 2: What is your favorite color?', 'color')] as const);
    return inputRequired({ inputRequests: { [key]: question }, requestState: await codec.mint(key, mcp) });
  },
  test_input_required_result_capabilities(mcp) {
    const envelope: Readonly<Record<string, unknown>> = mcp.mcpReq.envelope ?? {};
    const declared = envelope['io.modelcontextprotocol/clientCapabilities'] as object | undefined;
    const possible = { elicitation: form('Who?', 'name'), sampling: sample('Who?', 50), roots };
    const requests = Object.entries(possible).filter(([name]) => declared !== undefined && name in declared);
    return askedOnce(mcp, Object.fromEntries(requests) as Input, 'Done.');
  },
  test_missing_capability: () => inputRequired({ inputRequests: { question: sample('Who?', 50) } }),
  test_streaming_elicitation: (mcp) =>
    askedOnce(mcp, { user_name: form('What is your name?', 'name') }, 'Done.'),
};

type Schema = Parameters<ServerContext['mcpReq']['elicitInput']>[0];

async function elicit({ mcpReq }: ServerContext, params: unknown, opening: string) {
  const { action, content } = await mcpReq.elicitInput(params as Schema, { relatedRequestId: mcpReq.id });
  return said(`${opening}: action=${action}, content=${JSON.stringify(content ?? {})}`);
}

const titled = (word: string) =>
  ['First', 'Second', 'Third'].map((title, at) => ({ const: `value${at + 1}`, title: `${title} ${word}` }));
const options = ['option1', 'option2', 'option3'];

/** Forms of the older era, by the tool that shows them. */
const forms = {
  test_elicitation_sep1034_defaults: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
  test_elicitation_sep1330_enums: {
    untitledSingle: { type: 'string', enum: options },
    titledSingle: { type: 'string', oneOf: titled('Option') },
    legacyEnum: {
      ...{ type: 'string', enum: ['opt1', 'opt2', 'opt3'] },
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
    titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
  },
};

/** Tools with arguments. What the older era asks while a call is under way is tied to the call, or it is lost. */
function registerWithArguments(server: McpServer): void {
  const string = { type: 'string' };
  server.registerTool(
    'test_tool_with_progress',
    { description, inputSchema: z.object({ steps: z.number().default(3) }) },
    async ({ steps }, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      for (let step = 0; step < steps; step++) {
        if (progressToken !== undefined) {
          const params = { progressToken, progress: (100 * step) / (steps - 1), total: 100 };
          await mcpReq.notify({ method: 'notifications/progress', params });
        }
        await later(steps > 3 ? 0 : 50);
      }
      return said('Done.');
    },
  );
  server.registerTool(
    'test_sampling',
    { description, inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, { mcpReq }) => {
      const tied = { relatedRequestId: mcpReq.id };
      const { content } = await mcpReq.requestSampling({ messages: [asked(prompt)], maxTokens: 100 }, tied);
      return said(`LLM response: ${JSON.stringify(content)}`);
    },
  );
  server.registerTool(
    'test_elicitation',
    { description, inputSchema: z.object({ message: z.string() }) },
    async ({ message }, mcp) => {
      const properties = {
        username: { ...string, description: "User's response" },
        email: { ...string, description: "User's email address" },
      };
      const requestedSchema = { type: 'object', properties, required: ['username', 'email'] };
      return elicit(mcp, { message, requestedSchema }, 'User response');
    },
  );
  const inputSchema = fromJsonSchema({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: { $anchor: 'addressDef', type: 'object', properties: { street: string, city: string } },
    },
    properties: {
      ...{ name: string, address: { $ref: '#/$defs/address' } },
      ...{ contactMethod: { ...string, enum: ['phone', 'email'] }, phone: string, email: string },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  });
  const understood = async () => said('Understood.');
  server.registerTool('json_schema_2020_12_tool', { description, inputSchema }, understood);
  const region = z.string().meta({ 'x-mcp-header': 'Region' });
  const header = { description, inputSchema: z.object({ region }) };
  server.registerTool('test_header_tool', header, async (args) => said(args.region));
}

function registerResources(server: McpServer): void {
  const words = 'This is the content of the static text resource.';
  const register = (name: string, mimeType: string, content: { text: string } | { blob: string }) =>
    server.registerResource(name, `test://${name}`, { mimeType }, async ({ href: uri }) => ({
      contents: [{ uri, mimeType, ...content }],
    }));
  register('static-text', 'text/plain', { text: words });
  register('static-binary', 'image/png', { blob: pixel });
  register('watched-resource', 'text/plain', { text: words });
  const mimeType = 'application/json';
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, { mimeType }, async ({ href: uri }, { id }) => {
    const data = { id, templateTest: true, data: `Data for ID: ${id}` };
    return { contents: [{ uri, mimeType, text: JSON.stringify(data) }] };
  });
  const ok = async () => ({});
  server.server.setRequestHandler('resources/subscribe', ok);
  server.server.setRequestHandler('resources/unsubscribe', ok);
}

function registerPrompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', { description }, () => ({
    messages: [asked('This is a simple prompt for testing.')],
  }));
  const arg1 = completable(z.string(), (typed) =>
    ['paris', 'park', 'party'].filter((one) => one.startsWith(typed)),
  );
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description, argsSchema: z.object({ arg1, arg2: z.string() }) },
    (args) => ({ messages: [asked(`Prompt with arguments: arg1='${args.arg1}', arg2='${args.arg2}'`)] }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description, argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => {
      const content = embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.');
      return { messages: [{ role: 'user', content }, asked('Please process the embedded resource above.')] };
    },
  );
  server.registerPrompt('test_prompt_with_image', { description }, () => ({
    messages: [{ role: 'user', content: image }, asked('Please analyze the image above.')],
  }));
  server.registerPrompt('test_input_required_result_prompt', { description }, ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'user_context');
    if (answer.kind === 'elicit') return { messages: [asked(`Context: ${String(answer.content?.context)}`)] };
    return inputRequired({
      inputRequests: { user_context: form('What context should the prompt use?', 'context') },
    });
  });
}

/**
 * A server with everything that the conformance suite asks of one; the names are the suite's. It stands outside
 * `test/interop`, whose packages bring a copy of the SDK of their own.
 */
export function createFixtures(bus: ServerEventBus): McpServer {
  const capabilities = {
    ...{ logging: {}, completions: {}, tools: { listChanged: true } },
    ...{ prompts: { listChanged: true }, resources: { subscribe: true } },
  };
  const server = new McpServer(
    { name: 'docfiscal-mcp-conformance', version: '1.0.0' },
    { capabilities, requestState: { verify: codec.verify } },
  );
  const none = { description, inputSchema: z.object({}) };
  const all: Tools = { ...contents, ...notifying(bus), ...asking };
  for (const [name, run] of Object.entries(all)) server.registerTool(name, none, async (_, mcp) => run(mcp));
  for (const [name, properties] of Object.entries(forms)) {
    const params = { message: 'Please choose', requestedSchema: { type: 'object', properties } };
    server.registerTool(name, none, (_, mcp) => elicit(mcp, params, 'Elicitation completed'));
  }
  registerWithArguments(server);
  registerResources(server);
  registerPrompts(server);
  return server;
}
