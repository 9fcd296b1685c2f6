/** How a host starts the server. */
export interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** How this program was started. */
export interface Started {
  /** Path of Node. */
  readonly node: string;
  /** The program's file, links resolved. */
  readonly script: string;
  readonly version: string;
  readonly platform: NodeJS.Platform;
}

/**
 * Starts the program by absolute paths, since desktop programs have another PATH than a terminal. A copy in npx's cache
 * may be removed, so npx is given its version.
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

/** Quotes a command for this platform's shell. */
export function commandLine(words: readonly string[], platform: NodeJS.Platform): string {
  const quoted = (word: string) => {
    if (/^[\w./:=@%+,-]+$/.test(word)) return word;
    return platform === 'win32' ? `"${word.replaceAll('"', '\\"')}"` : `'${word.replaceAll("'", `'\\''`)}'`;
  };
  return words.map(quoted).join(' ');
}
