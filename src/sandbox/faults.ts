import { z } from 'zod';

/** Something that goes wrong on purpose. */
const faultSchema = z.strictObject({
  /** Part of the path and query it applies to, percent-encoded or not; every request where it is left out. */
  match: z.string().default('').transform(decodeURIComponentOrFail),
  /** How many requests it is for. */
  times: z.int().min(0).default(1),
  delayMs: z.int().min(0).default(0),
  /** Answered in place of the real status and body. */
  status: z.int().min(200).max(599).optional(),
  body: z.string().optional(),
  /** Value of a `Retry-After` header, in seconds. */
  retryAfter: z.int().min(0).optional(),
  /** The connection breaks before the reply, or in the middle of it. */
  cut: z.enum(['before-reply', 'in-headers', 'in-body']).optional(),
  /** The body ends after so many bytes, and its length says so too. */
  truncateBytes: z.int().min(0).optional(),
  /** The operation is performed first, and only its reply goes wrong. */
  afterPerforming: z.boolean().default(false),
});

export type Fault = z.output<typeof faultSchema>;

function decodeURIComponentOrFail(text: string, context: z.RefinementCtx): string {
  try {
    return decodeURIComponent(text).toLowerCase();
  } catch {
    context.addIssue('not percent-encoded');
    return z.NEVER;
  }
}

/** The faults still to come, first asked first served. */
export interface FaultQueue {
  /** Queues a fault; false where the value describes none. */
  add(value: unknown): boolean;
  clear(): void;
  /** Takes the first fault for a request's path and query, percent-decoded, off the queue. */
  take(target: string): Fault | undefined;
}

export function createFaultQueue(): FaultQueue {
  let queue: Fault[] = [];
  return {
    add(value) {
      const { success, data } = faultSchema.safeParse(value);
      if (success && data.times > 0) queue.push(data);
      return success;
    },
    clear() {
      queue = [];
    },
    take(target) {
      const at = queue.findIndex(({ match }) => target.toLowerCase().includes(match));
      const fault = queue[at];
      if (fault === undefined) return undefined;
      queue.splice(at, 1, ...(fault.times > 1 ? [{ ...fault, times: fault.times - 1 }] : []));
      return fault;
    },
  };
}
