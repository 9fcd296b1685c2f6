import {
  createRequestStateCodec,
  fromJsonSchema,
  type InputRequests,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
  type ServerContext,
  type ServerEventBus,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { registerPrompts } from './prompts.ts';

/** One red pixel, and a WAV file of no length. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const silence = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const codec = createRequestStateCodec<string>({ key: Buffer.alloc(32, 7), ttlSeconds: 600 });
const description = 'A fixture of the conformance suite';
const none = z.object({});
const said = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A form with one field, of one kind. */
const form = (message: string, name: string, type: 'string' | 'boolean' = 'string') => {
  const field = type === 'boolean' ? { type } : { type };
  return inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [name]: field }, required: [name] },
  });
};

const sample = (text: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens });

/** The accepted value of a form's field, where it is there and a text. */
function fieldOf({ mcpReq }: ServerContext, key: string, name: string): string | undefined {
  const answer = inputResponse(mcpReq.inputResponses, key);
  const value = answer.kind === 'elicit' && answer.action === 'accept' ? answer.content?.[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

const isAnswered = ({ mcpReq }: ServerContext, keys: readonly string[]): boolean =>
  keys.every((key) => inputResponse(mcpReq.inputResponses, key).kind !== 'missing');

type Input = Parameters<typeof inputRequired>[0]['inputRequests'];

async function askedOnce(
  mcp: ServerContext,
  inputRequests: Input & InputRequests,
  done: string,
  hasState = false,
) {
  if (isAnswered(mcp, Object.keys(inputRequests))) return said(done);
  const requestState = hasState ? await codec.mint('asked', mcp) : undefined;
  return inputRequired({ inputRequests, ...(requestState !== undefined && { requestState }) });
}

function registerContents(server: McpServer): void {
  const image = { type: 'image' as const, data: pixel, mimeType: 'image/png' };
  const answers = {
    test_simple_text: said('This is a simple text response for testing.'),
    test_image_content: { content: [image] },
    test_audio_content: { content: [{ type: 'audio' as const, data: silence, mimeType: 'audio/wav' }] },
    test_embedded_resource: {
      content: [
        {
          type: 'resource' as const,
          resource: {
            uri: 'test://embedded-resource',
            mimeType: 'text/plain',
            text: 'This is an embedded resource content.',
          },
        },
      ],
    },
    test_multiple_content_types: {
      content: [
        { type: 'text' as const, text: 'Multiple content types test:' },
        image,
        {
          type: 'resource' as const,
          resource: {
            uri: 'test://mixed-content-resource',
            mimeType: 'application/json',
            text: '{"test":"data","value":123}',
          },
        },
      ],
    },
  };
  for (const [name, answer] of Object.entries(answers)) {
    server.registerTool(name, { description, inputSchema: none }, async () => answer);
  }
  server.registerTool('test_error_handling', { description, inputSchema: none }, async () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
}

function registerNotifying(server: McpServer, bus: ServerEventBus): void {
  server.registerTool('test_tool_with_logging', { description, inputSchema: none }, async (_, { mcpReq }) => {
    await mcpReq.log('info', 'Tool execution started');
    await later(50);
    await mcpReq.log('info', 'Tool processing data');
    await later(50);
    await mcpReq.log('info', 'Tool execution completed');
    return said('Logged three messages.');
  });
  server.registerTool('test_logging_tool', { description, inputSchema: none }, async (_, { mcpReq }) => {
    await mcpReq.log('info', 'Only for those who asked for it');
    return said('Logged.');
  });
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
  for (const [name, kind] of [
    ['test_trigger_tool_change', 'tools_list_changed'],
    ['test_trigger_prompt_change', 'prompts_list_changed'],
  ] as const) {
    server.registerTool(name, { description, inputSchema: none }, async () => {
      bus.publish({ kind });
      return said('Changed.');
    });
  }
}

/** What the modern era asks by results. */
function registerAsking(server: McpServer): void {
  const register = (
    name: string,
    run: (mcp: ServerContext) => Promise<ReturnType<typeof said> | ReturnType<typeof inputRequired>>,
  ) => server.registerTool(name, { description, inputSchema: none }, async (_, mcp) => run(mcp));
  const roots = inputRequired.listRoots();
  register('test_input_required_result_elicitation', async (mcp) => {
    const name = fieldOf(mcp, 'user_name', 'name');
    if (name !== undefined) return said(`Hello, ${name}!`);
    return inputRequired({ inputRequests: { user_name: form('What is your name?', 'name') } });
  });
  register('test_input_required_result_sampling', async (mcp) => {
    const answer = inputResponse(mcp.mcpReq.inputResponses, 'capital_question');
    if (answer.kind === 'sampling') return said(JSON.stringify(answer.result.content));
    return inputRequired({
      inputRequests: { capital_question: sample('What is the capital of France?', 100) },
    });
  });
  register('test_input_required_result_list_roots', async (mcp) => {
    const answer = inputResponse(mcp.mcpReq.inputResponses, 'client_roots');
    if (answer.kind === 'roots') return said(answer.roots.map(({ uri }) => uri).join(' '));
    return inputRequired({ inputRequests: { client_roots: roots } });
  });
  for (const name of [
    'test_input_required_result_request_state',
    'test_input_required_result_tampered_state',
  ]) {
    register(name, (mcp) =>
      askedOnce(mcp, { confirm: form('Please confirm', 'ok', 'boolean') }, 'state-ok', true),
    );
  }
  register('test_input_required_result_multiple_inputs', (mcp) =>
    askedOnce(
      mcp,
      {
        user_name: form('What is your name?', 'name'),
        greeting: sample('Generate a greeting', 50),
        client_roots: roots,
      },
      'All three came.',
      true,
    ),
  );
  register('test_input_required_result_multi_round', async (mcp) => {
    const color = fieldOf(mcp, 'step2', 'color');
    if (color !== undefined) return said(`Your color is ${color}.`);
    const name = fieldOf(mcp, 'step1', 'name');
    const [key, question] =
      name === undefined
        ? (['step1', form('Step 1: What is your name?', 'name')] as const)
        : (['step2', form('Step 2: What is your favorite color?', 'color')] as const);
    return inputRequired({ inputRequests: { [key]: question }, requestState: await codec.mint(key, mcp) });
  });
  register('test_input_required_result_capabilities', async (mcp) => {
    const envelope: Readonly<Record<string, unknown>> = mcp.mcpReq.envelope ?? {};
    const declared = envelope['io.modelcontextprotocol/clientCapabilities'] as object | undefined;
    const possible = { elicitation: form('Who?', 'name'), sampling: sample('Who?', 50), roots };
    const asked = Object.entries(possible).filter(([name]) => declared !== undefined && name in declared);
    return askedOnce(mcp, Object.fromEntries(asked) as Input & InputRequests, 'Done.');
  });
  register('test_missing_capability', async () =>
    inputRequired({ inputRequests: { question: sample('Who?', 50) } }),
  );
  register('test_streaming_elicitation', (mcp) =>
    askedOnce(mcp, { user_name: form('What is your name?', 'name') }, 'Done.'),
  );
}

/**
 * What the older era asks while a call is under way, over a session. Unless it is tied to the call, the question goes out
 * on the stream that a client opens beside its calls, and is lost where the call was faster than that.
 */
function registerSessionAsking(server: McpServer): void {
  server.registerTool(
    'test_sampling',
    { description, inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, { mcpReq }) => {
      const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: prompt } }];
      const { content } = await mcpReq.requestSampling(
        { messages, maxTokens: 100 },
        { relatedRequestId: mcpReq.id },
      );
      return said(`LLM response: ${JSON.stringify(content)}`);
    },
  );
  type Schema = Parameters<ServerContext['mcpReq']['elicitInput']>[0];
  const elicit = async ({ mcpReq }: ServerContext, params: unknown, opening: string) => {
    const answer = mcpReq.elicitInput(params as Schema, { relatedRequestId: mcpReq.id });
    const { action, content } = await answer;
    return said(`${opening}: action=${action}, content=${JSON.stringify(content ?? {})}`);
  };
  const text = (description: string) => ({ type: 'string', description });
  server.registerTool(
    'test_elicitation',
    { description, inputSchema: z.object({ message: z.string() }) },
    async ({ message }, mcp) => {
      const properties = { username: text("User's response"), email: text("User's email address") };
      const requestedSchema = { type: 'object', properties, required: ['username', 'email'] };
      return elicit(mcp, { message, requestedSchema }, 'User response');
    },
  );
  const defaults = {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  };
  const titled = (word: string) =>
    ['First', 'Second', 'Third'].map((title, index) => ({
      const: `value${index + 1}`,
      title: `${title} ${word}`,
    }));
  const options = ['option1', 'option2', 'option3'];
  const enums = {
    untitledSingle: { type: 'string', enum: options },
    titledSingle: { type: 'string', oneOf: titled('Option') },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
    titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
  };
  for (const [name, properties] of Object.entries({
    test_elicitation_sep1034_defaults: defaults,
    test_elicitation_sep1330_enums: enums,
  })) {
    server.registerTool(name, { description, inputSchema: none }, async (_, mcp) =>
      elicit(
        mcp,
        { message: 'Please choose', requestedSchema: { type: 'object', properties } },
        'Elicitation completed',
      ),
    );
  }
}

function registerSchemas(server: McpServer): void {
  const inputSchema = fromJsonSchema({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  });
  server.registerTool('json_schema_2020_12_tool', { description, inputSchema }, async () =>
    said('Understood.'),
  );
  const region = z.string().meta({ 'x-mcp-header': 'Region' });
  server.registerTool('test_header_tool', { description, inputSchema: z.object({ region }) }, async (args) =>
    said(args.region),
  );
}

function registerResources(server: McpServer): void {
  const text = 'This is the content of the static text resource.';
  const register = (name: string, mimeType: string, content: { text: string } | { blob: string }) =>
    server.registerResource(name, `test://${name}`, { mimeType }, async ({ href: uri }) => ({
      contents: [{ uri, mimeType, ...content }],
    }));
  register('static-text', 'text/plain', { text });
  register('static-binary', 'image/png', { blob: pixel });
  register('watched-resource', 'text/plain', { text });
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource(
    'template',
    template,
    { mimeType: 'application/json' },
    async ({ href: uri }, { id }) => {
      const data = { id, templateTest: true, data: `Data for ID: ${id}` };
      return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(data) }] };
    },
  );
  const ok = async () => ({});
  server.server.setRequestHandler('resources/subscribe', ok);
  server.server.setRequestHandler('resources/unsubscribe', ok);
}

/**
 * A server with everything that the conformance suite asks of one; the names are the suite's. It stands outside
 * `test/interop`, whose packages bring a copy of the SDK of their own.
 */
export function createFixtures(bus: ServerEventBus): McpServer {
  const server = new McpServer(
    { name: 'docfiscal-mcp-conformance', version: '1.0.0' },
    {
      capabilities: {
        logging: {},
        completions: {},
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { subscribe: true },
      },
      requestState: { verify: codec.verify },
    },
  );
  registerContents(server);
  registerNotifying(server, bus);
  registerAsking(server);
  registerSessionAsking(server);
  registerSchemas(server);
  registerResources(server);
  registerPrompts(server, pixel);
  return server;
}
