import { expect } from 'vitest';
import type { ModernReply } from '../support/modern-conversation.ts';
import { runInProcess } from '../support/run-in-process.ts';

/** Long enough for a batch of twelve keys to be sent in several requests. */
export const justification = `Mercadoria recusada: ${'motivo '.repeat(28)}`.trim();

/** What `doctor` says of the journal of a data folder; without a service, so that none is asked. */
export async function doctorOnWrites(dataFolder: string): Promise<string> {
  const env = { DFE_DATA_DIR: dataFolder, DFE_LANGUAGE: 'en' };
  const { stdout } = await runInProcess(['doctor', '--json'], env);
  const report = JSON.parse(stdout) as { writes: { status: string; message: string } };
  expect(report.writes.status).toBe('ok');
  return report.writes.message;
}

/** The data of a write's answer to a modern call. */
export function structuredOf({ result }: ModernReply): { preview: string; confirmation_token: string } {
  expect(result).toMatchObject({ structuredContent: { status: 'confirmation_required' } });
  return result?.structuredContent as never;
}

/** What a preview tells of earlier writes of these keys, by key: its line. */
export function toldOf(keys: readonly string[], preview: string): Map<string, string> {
  const lines = preview.split('\n').filter((line) => /, key \d{44}, on /.test(line));
  return new Map(
    keys.flatMap((key) => {
      const line = lines.find((one) => one.includes(key));
      return line === undefined ? [] : [[key, line] as const];
    }),
  );
}
