import { inputResponse, SdkError, SdkErrorCode, type ServerContext } from '@modelcontextprotocol/server';
import { Unfulfilled } from '../company/failures.ts';
import type { Translator } from '../messages/index.ts';

/** What a client said it can do. */
export interface ElicitationCapability {
  readonly form?: unknown;
  readonly url?: unknown;
}

/** As long as a confirmation token works. */
const LONGEST_THINKING_MS = 600_000;

/** The name of the form among the inputs that a modern answer asks for. */
export const FORM = 'confirm';

/** An empty capability means forms: only they existed when it was introduced. */
export function hasForms(capability: ElicitationCapability | undefined): boolean {
  return capability !== undefined && (capability.form !== undefined || capability.url === undefined);
}

/** What a person, or the host in their place, did with the form. */
export interface FormAnswer {
  /** `unanswered`: nobody did anything in time; `failed`: the host could not ask. */
  readonly action: 'accept' | 'decline' | 'cancel' | 'unanswered' | 'failed';
  readonly isTicked: boolean;
}

/** The form that asks for a yes to what a message says. */
export function formOf(message: string, translator: Translator) {
  return {
    message,
    requestedSchema: {
      type: 'object' as const,
      properties: {
        confirm: {
          type: 'boolean' as const,
          title: translator.say('confirmation.form_title'),
          description: translator.say('confirmation.form_description'),
          default: false,
        },
      },
      required: ['confirm'],
    },
  };
}

/**
 * Asks a client of the first era, whose form is a request of its own. The SDK could do this from the same answer as
 * in the modern era, but would tell a form that failed or ran out of time in its own words, without what was sent.
 */
export async function askAtOnce(
  form: ReturnType<typeof formOf>,
  { mcpReq }: ServerContext,
): Promise<FormAnswer> {
  const request = { method: 'elicitation/create', params: { mode: 'form', ...form } } as const;
  try {
    const { action, content } = await mcpReq.send(request, {
      timeout: LONGEST_THINKING_MS,
      signal: mcpReq.signal,
    });
    return { action, isTicked: action === 'accept' && content?.confirm === true };
  } catch (error) {
    if (mcpReq.signal.aborted) throw new Unfulfilled('confirmation.client_gone');
    const isTimeout = error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
    return { action: isTimeout ? 'unanswered' : 'failed', isTicked: false };
  }
}

/** The answer that a modern client sends with the call repeated. */
export function answerIn({ mcpReq }: ServerContext): FormAnswer {
  const response = inputResponse(mcpReq.inputResponses, FORM);
  if (response.kind !== 'elicit') return { action: 'cancel', isTicked: false };
  const { action, content } = response;
  return { action, isTicked: action === 'accept' && content?.confirm === true };
}
