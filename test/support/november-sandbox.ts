import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/index.ts';
import { endsBehindTests } from './ending.ts';

/** The moment that most tests of the sandbox are written for. */
export const november20 = '2026-11-20T12:00:00-03:00';

/** A sandbox with a stopped clock, so that it holds the same documents whenever a test runs. */
export async function startNovemberSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ now: () => new Date(november20), ...options });
  return { ...sandbox, close: endsBehindTests(sandbox.close) };
}

/** Settings of a program that asks a sandbox about its first company. */
export function sandboxSettings(
  { url }: Pick<Sandbox, 'url'>,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return {
    DFE_URL: url,
    DFE_USER: 'demo',
    DFE_PASSWORD: 'demo',
    DFE_CNPJ: '48152036000117',
    DFE_LANGUAGE: 'en',
    ...more,
  };
}

/** The requests that a sandbox has received. */
export async function requestsAt(sandbox: Sandbox) {
  const response = await fetch(`${sandbox.url}/__sandbox/requests`);
  return (await response.json()) as { path: string; query: Record<string, string> }[];
}
