import { ArchiveError } from '../archive/errors.ts';
import type { EventOrigin } from '../archive/store/archive.ts';
import { eventByCode } from '../documents/events/manifestation.ts';
import type { CallContext } from '../services/call-context.ts';
import { explainFailure } from '../services/failures.ts';

/**
 * What a write or a look-up told of an event goes into the memory, so that no later answer shows the note without it.
 * The answer stands without the memory: one that fails is told on standard error.
 */
export async function rememberEvents(
  results: readonly { readonly key: string; readonly status: string }[],
  code: string | undefined,
  from: Extract<EventOrigin, 'write' | 'service'>,
  { services, translator }: CallContext,
): Promise<void> {
  const event = code === undefined ? undefined : eventByCode(code);
  if (event === undefined) return;
  const askedAt = new Date(services.now());
  try {
    for (const { key, status } of results) {
      if (status !== 'done') continue;
      const { description: name } = event;
      const at = from === 'write' ? askedAt.toISOString() : undefined;
      await services.memory.note({ key, code: event.code, name, at, registered: true, from, askedAt });
    }
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    console.error(explainFailure(error, translator));
  }
}
