import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { ConfirmedCall, Tokens } from '../writes/tokens.ts';
import { answerResult } from './answer-result.ts';
import type { Plan, ToolContext, WriteTool } from './definition.ts';
import { Unfulfilled } from './failure.ts';

/** What a client said it can do. */
interface ElicitationCapability {
  readonly form?: unknown;
  readonly url?: unknown;
}

/** A write that waits for a person's yes. */
export interface Pending {
  readonly tool: WriteTool;
  /** The arguments as given, without the token. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly token: string | undefined;
  readonly plan: Plan<object>;
}

/** The client's side of the conversation. */
export interface Conversation {
  readonly mcp: ServerContext;
  /** Capabilities of the client, from the request's envelope or from the handshake. */
  readonly elicitation: ElicitationCapability | undefined;
}

/** Quicker than a person can read a preview: such a dismissal was the host's, and the form was never shown. */
const QUICKEST_READING_MS = 1_000;
const FORM = 'confirm';

/** An empty capability means forms: only they existed when it was introduced. */
function hasForms(capability: ElicitationCapability | undefined): boolean {
  return capability !== undefined && (capability.form !== undefined || capability.url === undefined);
}

function callOf({ tool, args }: Pending, way: 'form' | 'token', { principal }: ToolContext): ConfirmedCall {
  return { tool: `${tool.name}/${way}`, args, principal };
}

async function askByForm(
  pending: Pending,
  tokens: Tokens,
  context: ToolContext,
): Promise<InputRequiredResult> {
  const { translator } = context;
  const { token } = await tokens.mint(callOf(pending, 'form', context));
  return inputRequired({
    requestState: `${token}.${Date.now()}`,
    inputRequests: {
      [FORM]: inputRequired.elicit({
        message: pending.plan.preview,
        requestedSchema: {
          type: 'object',
          properties: {
            confirm: {
              type: 'boolean',
              title: translator.say('confirmation.form_title'),
              description: translator.say('confirmation.form_description'),
              default: false,
            },
          },
          required: ['confirm'],
        },
      }),
    },
  });
}

async function askByToken(
  pending: Pending,
  tokens: Tokens,
  context: ToolContext,
  opening: string,
  status: 'confirmation_required' | 'refused' = 'confirmation_required',
): Promise<CallToolResult> {
  const { preview } = pending.plan;
  const { token, expiresAt } = await tokens.mint(callOf(pending, 'token', context));
  const how = context.translator.say('confirmation.how', { token, expires_at: expiresAt });
  return answerResult({
    structured: { status, preview, confirmation_token: token, expires_at: expiresAt },
    text: [opening, preview, how].join('\n\n'),
  });
}

async function spendAndPerform(
  pending: Pending,
  way: 'form' | 'token',
  token: string,
  tokens: Tokens,
  context: ToolContext,
): Promise<CallToolResult> {
  const spending = await tokens.spend(token, callOf(pending, way, context));
  if (!spending.ok) throw new Unfulfilled(`confirmation.${spending.reason}`);
  if (context.signal.aborted) throw new Unfulfilled('confirmation.client_gone');
  return answerResult(await pending.plan.perform());
}

/** Reads the form's answer. Everything but a ticked, accepted form is a no. */
async function concludeForm(
  pending: Pending,
  state: string,
  tokens: Tokens,
  context: ToolContext,
  { mcp }: Conversation,
): Promise<CallToolResult> {
  const { translator, services } = context;
  const [token = '', askedAt = ''] = state.split('.');
  const answer = inputResponse(mcp.mcpReq.inputResponses, FORM);
  const action = answer.kind === 'elicit' ? answer.action : 'cancel';
  const isTicked = answer.kind === 'elicit' && answer.action === 'accept' && answer.content?.confirm === true;
  if (isTicked) return spendAndPerform(pending, 'form', token, tokens, context);
  const no = translator.say(action === 'accept' ? 'confirmation.unticked' : `confirmation.${action}`);
  const wasTooQuick = Date.now() - Number(askedAt) < QUICKEST_READING_MS;
  if (action !== 'accept' && wasTooQuick && services.settings.confirmation === 'any') {
    const opening = `${no} ${translator.say('confirmation.not_shown')}`;
    const status = action === 'cancel' ? 'confirmation_required' : 'refused';
    return askByToken(pending, tokens, context, opening, status);
  }
  return answerResult({ structured: { status: 'refused', preview: pending.plan.preview }, text: no });
}

/**
 * The one path on which every write goes: a form where the client has forms, else a preview with a token that works
 * once, for this tool, these arguments and this caller. Nothing is sent without a yes given on one of them.
 * Source: DESIGN section 4, mcp-server-guide notes, section 3.5.
 */
export async function confirm(
  pending: Pending,
  context: ToolContext,
  conversation: Conversation,
): Promise<CallToolResult | InputRequiredResult> {
  const { services, translator } = context;
  const { tokens } = await services.writeGuards();
  const isFormOnly = services.settings.confirmation === 'form';
  if (pending.token !== undefined && !isFormOnly) {
    return spendAndPerform(pending, 'token', pending.token, tokens, context);
  }
  if (hasForms(conversation.elicitation)) {
    const state = conversation.mcp.mcpReq.requestState<string>();
    const isAnswered = conversation.mcp.mcpReq.inputResponses !== undefined;
    return state !== undefined && isAnswered
      ? concludeForm(pending, state, tokens, context, conversation)
      : askByForm(pending, tokens, context);
  }
  if (isFormOnly) throw new Unfulfilled('confirmation.form_needed');
  return askByToken(pending, tokens, context, translator.say('preview.nothing_sent'));
}
