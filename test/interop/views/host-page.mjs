// A host in a browser's window: the official bridge between a view in a frame and a client of the server. Bundled by
// host.mjs and driven from outside by `startHost` and `showView`.
import { Client } from '@modelcontextprotocol/client';
import {
  AppBridge,
  isToolVisibilityModelOnly,
  PostMessageTransport,
} from '@modelcontextprotocol/ext-apps/app-bridge';

/** What a host lets a page do that declares no CSP. Source: SEP-1865, 2026-01-26. */
const policy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'";

/** The pipe to the server, which the process outside holds. */
class Pipe {
  async start() {
    globalThis.fromServer = (line) => this.onmessage?.(JSON.parse(line));
  }
  async send(message) {
    await globalThis.toServer(JSON.stringify(message));
  }
  async close() {
    this.onclose?.();
  }
}

let client;
/** What views asked of their host, in order. */
const asked = [];
globalThis.asked = asked;

/** Connects a client that declares views, of one era. */
globalThis.startHost = async (era) => {
  client = new Client(
    { name: 'test-host', version: '1' },
    {
      capabilities: {
        extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
      },
      ...(era === 'modern' && { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
    },
  );
  await client.connect(new Pipe());
  return (await client.listTools()).tools;
};

globalThis.callTool = (name, args) => client.callTool({ name, arguments: args });

/**
 * Shows a view with an answer, as a host does: the page in a sandboxed frame, then arguments, then result.
 * `checksVisibility` is what the protocol asks of a host and the bridge leaves to it.
 */
globalThis.showView = async ({ html, page, args, result, context, abilities, checksVisibility = true }) => {
  document.querySelector('iframe')?.remove();
  asked.length = 0;
  const source = html ?? (await client.readResource({ uri: page })).contents[0].text;
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.style.cssText = 'width:100%;border:0;display:block;height:200px';
  document.body.append(frame);
  const bridge = new AppBridge(
    client ?? null,
    { name: 'test-host', version: '1' },
    abilities ?? { serverTools: {}, openLinks: {}, downloadFile: {}, updateModelContext: {}, message: {} },
    { hostContext: context },
  );
  const ready = new Promise((resolve) => {
    bridge.oninitialized = resolve;
  });
  bridge.onsizechange = ({ height }) => {
    globalThis.reportedHeight = height;
    if (height !== undefined) frame.style.height = `${height}px`;
  };
  bridge.onopenlink = async ({ url }) => {
    asked.push({ openLink: url });
    return {};
  };
  bridge.ondownloadfile = async ({ contents }) => {
    asked.push({ download: contents.map(({ resource }) => resource.mimeType) });
    return {};
  };
  bridge.onupdatemodelcontext = async ({ content }) => {
    asked.push({ context: content });
    return {};
  };
  bridge.onmessage = async ({ content }) => {
    asked.push({ message: content });
    return {};
  };
  if (client !== undefined) {
    const tools = (await client.listTools()).tools;
    const call = async (params) => {
      const tool = tools.find(({ name }) => name === params.name);
      if (checksVisibility && (tool === undefined || isToolVisibilityModelOnly(tool))) {
        asked.push({ refused: params.name });
        throw new Error(`${params.name} is not for views`);
      }
      asked.push({ call: params.name, args: params.arguments });
      return client.callTool(params);
    };
    const set = () => {
      bridge.oncalltool = call;
    };
    await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
    if (checksVisibility) set();
  } else {
    await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  }
  frame.srcdoc = source.replace(
    '<meta charset="utf-8">',
    `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">`,
  );
  await ready;
  await bridge.sendToolInput({ arguments: args ?? {} });
  if (result !== undefined) await bridge.sendToolResult(result);
  globalThis.bridge = bridge;
};

const MANY = 100_000;

/** A document whose form has a hundred thousand items, sent past the bridge, which would take most of the time. */
globalThis.flood = ([words, turned, wide]) => {
  const sheet = {
    form: 'danfe',
    head: {
      title: words,
      subtitle: [turned],
      issuer: [wide],
      facts: [{ label: 'x', value: words }],
      consultation: words,
      corner: [],
      qr: 'javascript:alert(1)',
    },
    blocks: [
      { kind: 'fields', title: words, rows: [[{ label: wide, value: words, width: 100 }]] },
      {
        kind: 'table',
        columns: [{ heading: words }, { heading: wide }],
        rows: Array.from({ length: MANY }, (_, i) => ({ cells: [words, String(i)], details: [turned] })),
      },
    ],
    marks: [words],
    foot: wide,
  };
  const page = {
    heading: words,
    answer: words,
    figures: [],
    notices: [],
    tables: [],
    presses: [],
    document: { title: words, sheet },
  };
  const params = { structuredContent: {}, _meta: { 'docfiscal/view': { page } } };
  const message = { jsonrpc: '2.0', method: 'ui/notifications/tool-result', params };
  document.querySelector('iframe').contentWindow.postMessage(message, '*');
};
