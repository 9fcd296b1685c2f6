/** A secret that the host asks for and keeps. */
export interface HostInput {
  readonly id: string;
  readonly description: string;
}

/** Why a configuration is left as it is. */
export type Misunderstood = 'broken' | 'comments' | 'not_an_object' | 'twice' | 'servers_elsewhere' | 'taken';

/** What would stand in a host's configuration. */
export type Planned =
  | { readonly ok: true; readonly after: string; readonly isReplacing: boolean }
  | { readonly ok: false; readonly reason: Misunderstood; readonly line?: number };

/** The lines that a change takes away and brings, with the rest of the file left out. */
export function changedLines(before: string, after: string): string[] {
  const [old, now] = [before, after].map((text) =>
    text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/),
  );
  if (old === undefined || now === undefined) return [];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  const most = Math.min(old.length, now.length) - head;
  while (tail < most && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  return [
    ...old.slice(head, old.length - tail).map((line) => `- ${withoutSecrets(line)}`),
    ...now.slice(head, now.length - tail).map((line) => `+ ${withoutSecrets(line)}`),
  ];
}

/** What stands beside a name of a secret, in the former entry of a server too, is not for a screen. */
function withoutSecrets(line: string): string {
  return line.replace(
    /("?[\w-]*(?:PASSWORD|SECRET|TOKEN|KEY|DATABASE_URL)"?\s*[:=]\s*)"(?!\$\{input:)(?:[^"\\]|\\.)*"/gi,
    '$1"***"',
  );
}
