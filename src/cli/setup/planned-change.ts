/** A secret that the host asks for and keeps. */
export interface HostInput {
  readonly id: string;
  readonly description: string;
}

/** Why a configuration is not edited. */
export type Misunderstood = 'broken' | 'comments' | 'not_an_object' | 'twice';

/** A planned change of a host's configuration. */
export type Planned =
  | { readonly ok: true; readonly after: string; readonly isReplacing: boolean }
  | { readonly ok: false; readonly reason: Misunderstood; readonly line?: number };

/** Diff of a change: removed and added lines only. */
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
  const [gone, come] = withinLines(old.slice(head, old.length - tail), now.slice(head, now.length - tail));
  return [
    ...gone.map((line) => `- ${withoutSecrets(line)}`),
    ...come.map((line) => `+ ${withoutSecrets(line)}`),
  ];
}

/** Longer lines mean a file without line breaks. */
const LONGEST_LINE = 300;

/**
 * Diff within a single very long line, without the private content around the change.
 */
function withinLines(
  gone: readonly string[],
  come: readonly string[],
): [readonly string[], readonly string[]] {
  const [before = ''] = gone;
  if (gone.length !== 1 || before.length <= LONGEST_LINE) return [gone, come];
  const after = come.join('\n');
  let head = 0;
  while (head < before.length && before[head] === after[head]) head++;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const taken = before.slice(head, before.length - tail);
  const put = after.slice(head, after.length - tail).split('\n');
  return [taken === '' ? [] : [`…${taken}…`], put.map((line, at) => (at === 0 ? `…${line}` : line))];
}

/** Masks secrets, those of a former entry included. */
function withoutSecrets(line: string): string {
  return line.replace(
    /((?:PASSWORD|SECRET|TOKEN|KEY|DATABASE_URL)"?\s{0,9}[:=]\s{0,9})"(?!\$\{input:)(?:[^"\\]|\\.)*"?/gi,
    '$1"***"',
  );
}
