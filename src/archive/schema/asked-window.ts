import type { KeyList } from '../../clients/documents/replies/results.ts';
import type { Scope } from '../scope.ts';
import { anyDirection } from './schema.ts';

/** The exact question that a listing was asked. */
export interface AskedWindow extends Scope {
  /** Which operation of the service, or what else tells the question from others about the same time. */
  readonly operation: string;
  /** Both ends as they were asked: `YYYY-MM-DDTHH:mm:ss`, without a zone. */
  readonly from: string;
  readonly to: string;
}

/** The columns that an answer is found by. */
export function questionColumns(tenant: string, question: AskedWindow) {
  const { company, area, operation, by, direction = anyDirection, from, to } = question;
  return { tenant, company, area, operation, date_field: by, direction, from_moment: from, to_moment: to };
}

const eventMark = 'event ';

/** How the identity of an event stands among those of documents. */
export function eventLine(identity: string): string {
  return eventMark + identity;
}

/** The identity of an event, undefined for a document's. */
export function eventIn(line: string): string | undefined {
  return line.startsWith(eventMark) ? line.slice(eventMark.length) : undefined;
}

/** The keys that a listing answered the last time it was asked. */
export interface KeptKeys {
  /** ISO 8601 in UTC. */
  readonly fetched_at: string;
  readonly list: KeyList;
}
