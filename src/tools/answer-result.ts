import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Answer } from './definition.ts';

/** Hosts cut or spill texts beyond this. Source: mcp-server-guide notes, section 3.7. */
const LONGEST_TEXT = 50_000;

/** An answer as the protocol wants it: data, the same compactly as text, then links and files. */
export function answerResult({ structured, text, attachments = [] }: Answer<object>): CallToolResult {
  if (text.length > LONGEST_TEXT) throw new Error(`an answer's text has ${text.length} characters`);
  return {
    structuredContent: { ...structured },
    content: [{ type: 'text', text }, ...attachments],
  };
}
