import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cleanEnvironment, program } from './built-program.ts';

/** The built program's own sandbox, running. */
export interface SandboxProgram {
  readonly url: string;
  /** The variables that point a server at it, as it prints them. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdout: string;
  readonly child: ChildProcess;
  close(): Promise<void>;
}

/** Starts `docfiscal-mcp sandbox` on a free port and reads its address from its output. */
export async function startSandboxProgram(args: readonly string[] = []): Promise<SandboxProgram> {
  const child = spawn(process.execPath, [program, 'sandbox', '--port', '0', ...args], {
    env: cleanEnvironment(),
  });
  const exit = once(child, 'close');
  let stdout = '';
  for await (const chunk of child.stdout) {
    stdout += chunk;
    if (stdout.includes('DFE_ACCOUNT_API_KEY=')) break;
  }
  const env = Object.fromEntries(
    [...stdout.matchAll(/^(DFE_\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
  return {
    url: env.DFE_URL ?? '',
    env,
    stdout,
    child,
    async close() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await exit;
    },
  };
}
