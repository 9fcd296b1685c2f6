/** How a host starts the server: what goes into its configuration. */
export interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** How this program was started. */
export interface Started {
  /** Node itself. */
  readonly node: string;
  /** The program's file, links followed. */
  readonly script: string;
  readonly version: string;
  readonly platform: NodeJS.Platform;
}

/**
 * Starts the program again as it was started now: by its whole path, since what a desktop program finds by name is not
 * what a terminal does. A copy that npx keeps may be swept away, so npx fetches it again by its version.
 */
export function serverEntry(
  { node, script, version, platform }: Started,
  env: Readonly<Record<string, string>>,
  isDemo: boolean,
): ServerEntry {
  const args = isDemo ? ['--demo'] : [];
  if (!/[\\/]_npx[\\/]/.test(script)) return { command: node, args: [script, ...args], env };
  const npx = ['-y', `docfiscal-mcp@${version}`, ...args];
  return platform === 'win32'
    ? { command: 'cmd', args: ['/c', 'npx', ...npx], env }
    : { command: 'npx', args: npx, env };
}
