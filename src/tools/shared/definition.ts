import type { ContentBlock } from '@modelcontextprotocol/server';
import type * as z from 'zod';
import type { Answer, Plan } from '../../company/answer.ts';
import type { CallContext } from '../../company/call-context.ts';
import type { Toolset } from '../../config/settings.ts';
import type { View } from './views.ts';

/** What a tool answers, with links or files beside it. */
export interface ToolAnswer<Output> extends Answer<Output> {
  readonly attachments?: readonly ContentBlock[];
  /** What only a view needs: it goes beside the answer, and no model reads it. */
  readonly forView?: Readonly<Record<string, unknown>> | undefined;
}

interface Definition<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly group: Toolset;
  /** For the model, in English. The title is in the catalogue under `tool.<name>`. */
  readonly description: string;
  /** Made when first asked for: the schemas of all tools would take a good part of the start. */
  readonly input: () => Input;
  readonly output: () => Output;
  /** What shows its answers in clients that show views. */
  readonly view?: View;
}

/** A tool that changes nothing upstream: `save` writes a file of the user's own. */
export interface ReadTool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject>
  extends Definition<Input, Output> {
  readonly kind: 'read' | 'save';
  run(args: z.output<Input>, context: CallContext): Promise<ToolAnswer<z.input<Output>>>;
}

/** A tool that changes something upstream: `replace` sets a whole object, so that doing it twice is like once. */
export interface WriteTool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject>
  extends Definition<Input, Output> {
  readonly kind: 'write' | 'replace';
  plan(args: z.output<Input>, context: CallContext): Promise<Plan<z.input<Output>>>;
}

export type Tool = ReadTool | WriteTool;

/** A value made when first asked for. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Declares a tool that only reads; hints, filtering and error handling follow from the kind. */
export function readTool<I extends z.ZodObject, O extends z.ZodObject>(
  tool: Omit<ReadTool<I, O>, 'kind'>,
): ReadTool {
  return { ...tool, input: once(tool.input), output: once(tool.output), kind: 'read' } as unknown as ReadTool;
}

/** Declares a tool that saves a file where the user wants files, and changes nothing upstream. */
export function saveTool<I extends z.ZodObject, O extends z.ZodObject>(
  tool: Omit<ReadTool<I, O>, 'kind'>,
): ReadTool {
  return { ...readTool(tool), kind: 'save' };
}

/** Declares a tool that writes; preview, confirmation, filtering and error handling follow from the kind. */
export function writeTool<I extends z.ZodObject, O extends z.ZodObject>(tool: WriteTool<I, O>): WriteTool {
  return { ...tool, input: once(tool.input), output: once(tool.output) } as unknown as WriteTool;
}
