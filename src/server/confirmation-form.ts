import { inputResponse, SdkError, SdkErrorCode, type ServerContext } from '@modelcontextprotocol/server';
import { Unfulfilled } from '../company/failures.ts';
import type { Translator } from '../messages/index.ts';

/** Elicitation capability of a client. */
export interface ElicitationCapability {
  readonly form?: unknown;
  readonly url?: unknown;
}

/** Lifetime of a confirmation token. */
const LONGEST_THINKING_MS = 600_000;

/** Name of the form in a modern client's input responses. */
export const FORM = 'confirm';

/** An empty capability means forms, the only kind when it was introduced. */
export function hasForms(capability: ElicitationCapability | undefined): boolean {
  return capability !== undefined && (capability.form !== undefined || capability.url === undefined);
}

/** Response to the form, by a person or by the host for them. */
export interface FormAnswer {
  /** `unanswered`: timed out; `failed`: the host could not ask. */
  readonly action: 'accept' | 'decline' | 'cancel' | 'unanswered' | 'failed';
  readonly isTicked: boolean;
}

/** Builds the confirmation form for a message. */
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
 * Asks a legacy client, whose form is a request of its own. The SDK would do this as well, but reports failures and
 * timeouts in its own words, without saying what was sent.
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

/** Reads a modern client's response, which comes with the repeated call. */
export function answerIn({ mcpReq }: ServerContext): FormAnswer {
  const response = inputResponse(mcpReq.inputResponses, FORM);
  if (response.kind !== 'elicit') return { action: 'cancel', isTicked: false };
  const { action, content } = response;
  return { action, isTicked: action === 'accept' && content?.confirm === true };
}
