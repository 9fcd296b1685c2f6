import { completable, inputRequired, inputResponse, type McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

const text = (words: string) => ({ role: 'user' as const, content: { type: 'text' as const, text: words } });

const description = 'A fixture of the conformance suite';

/** The prompts that the conformance suite asks for. */
export function registerPrompts(server: McpServer, pixel: string): void {
  server.registerPrompt('test_simple_prompt', { description }, () => ({
    messages: [text('This is a simple prompt for testing.')],
  }));
  const arg1 = completable(z.string(), (typed) =>
    ['paris', 'park', 'party'].filter((one) => one.startsWith(typed)),
  );
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description, argsSchema: z.object({ arg1, arg2: z.string() }) },
    ({ arg1: first, arg2: second }) => ({
      messages: [text(`Prompt with arguments: arg1='${first}', arg2='${second}'`)],
    }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description, argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri: uri }) => {
      const resource = { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' };
      return {
        messages: [
          { role: 'user', content: { type: 'resource', resource } },
          text('Please process the embedded resource above.'),
        ],
      };
    },
  );
  server.registerPrompt('test_prompt_with_image', { description }, () => ({
    messages: [
      { role: 'user', content: { type: 'image', data: pixel, mimeType: 'image/png' } },
      text('Please analyze the image above.'),
    ],
  }));
  server.registerPrompt('test_input_required_result_prompt', { description }, ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'user_context');
    if (answer.kind === 'elicit') return { messages: [text(`Context: ${String(answer.content?.context)}`)] };
    const requestedSchema = {
      type: 'object' as const,
      properties: { context: { type: 'string' as const } },
      required: ['context'],
    };
    const question = inputRequired.elicit({
      message: 'What context should the prompt use?',
      requestedSchema,
    });
    return inputRequired({ inputRequests: { user_context: question } });
  });
}
