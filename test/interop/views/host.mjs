// A host of MCP in headless Chromium, for the tests of views and for their pictures.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';

/** Debian's Chromium, or the one that CHROMIUM names. */
export function chromium() {
  const places = [
    process.env.CHROMIUM,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ];
  return places.find((path) => path !== undefined && existsSync(path));
}

/** Starts the browser. */
export async function startBrowser() {
  const { chromium: driver } = await import('playwright-core');
  return driver.launch({ executablePath: chromium(), args: ['--no-sandbox', '--font-render-hinting=none'] });
}

let pageScript;

async function hostScript() {
  pageScript ??= build({
    entryPoints: [join(import.meta.dirname, 'host-page.mjs')],
    bundle: true,
    format: 'iife',
    platform: 'browser',
    write: false,
    logLevel: 'error',
  }).then(({ outputFiles }) => outputFiles[0].text);
  return pageScript;
}

/** The server's end of the pipe: a program that is spoken to over its standard streams. */
function startServer([command, ...args], env, hear) {
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  createInterface({ input: child.stdout }).on('line', hear);
  return {
    say: (line) => child.stdin.write(`${line}\n`),
    close: () =>
      new Promise((resolve) => {
        child.once('close', resolve);
        child.stdin.end();
      }),
  };
}

/**
 * Opens a browser window with a host. `command` starts the server; without it, views show the
 * answers passed to them.
 */
export async function openHost(
  browser,
  { width = 900, height = 900, colorScheme = 'light', command, env = {}, era } = {},
) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    deviceScaleFactor: 1,
  });
  const page = await context.newPage();
  const faults = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  let server;
  let delivered = Promise.resolve();
  await page.exposeFunction('toServer', (line) => server?.say(line));
  await page.setContent('<!doctype html><html><body style="margin:0"></body></html>');
  await page.addScriptTag({ content: await hostScript() });
  let tools = [];
  if (command !== undefined) {
    server = startServer(command, env, (line) => {
      delivered = delivered.then(() => page.evaluate((text) => globalThis.fromServer(text), line));
    });
    tools = await page.evaluate((one) => globalThis.startHost(one), era);
  }
  return {
    page,
    tools,
    faults,
    view: () => page.frames().at(-1),
    show: (view) => page.evaluate((one) => globalThis.showView(one), view),
    call: (name, args) => page.evaluate(([tool, given]) => globalThis.callTool(tool, given), [name, args]),
    asked: () => page.evaluate('asked'),
    press: (key) => page.keyboard.press(key),
    change: (hostContext) => page.evaluate((one) => globalThis.bridge.setHostContext(one), hostContext),
    async tree() {
      // A sandboxed frame has a process of its own, and with it a session.
      const session = await context.newCDPSession(page.frames().at(-1));
      const { nodes } = await session.send('Accessibility.getFullAXTree');
      await session.detach();
      const plain = (one) => one?.value ?? '';
      return nodes
        .filter(({ ignored }) => !ignored)
        .map(({ role, name, properties = [], backendDOMNodeId }) => ({
          role: plain(role),
          name: plain(name),
          element: backendDOMNodeId,
          ...Object.fromEntries(properties.map((one) => [one.name, plain(one.value)])),
        }));
    },
    async print() {
      await page.emulateMedia({ media: 'print' });
      return page.pdf({ format: 'A4' });
    },
    reportedHeight: () => page.evaluate('reportedHeight'),
    flood: (words) => page.evaluate((given) => globalThis.flood(given), words),
    async close() {
      await server?.close();
      await delivered;
      await context.close();
    },
  };
}
