import type { ContentBlock } from '@modelcontextprotocol/server';
import type * as z from 'zod';
import type { Answer, CallContext, Plan } from '../../company/call-context.ts';
import type { Toolset } from '../../config/settings.ts';
import { shared } from './parameters.ts';
import type { View } from './views.ts';

/** A tool's answer, with links and files. */
export interface ToolAnswer<Output> extends Answer<Output> {
  readonly attachments?: readonly ContentBlock[];
  /** Data for the view only; not shown to the model. */
  readonly forView?: Readonly<Record<string, unknown>> | undefined;
}

interface Definition<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly group: Toolset;
  /** English, for the model. Titles are in the catalogue under `tool.<name>`. */
  readonly description: string;
  /** Lazy: building all schemas would slow the start. */
  readonly input: () => Input;
  readonly output: () => Output;
  /** View that shows the answers. */
  readonly view?: View;
}

/** A tool without upstream changes; `save` writes a file of the user's. */
export interface ReadTool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject>
  extends Definition<Input, Output> {
  readonly kind: 'read' | 'save';
  run(args: z.output<Input>, context: CallContext): Promise<ToolAnswer<z.input<Output>>>;
}

/** A tool with upstream changes; `replace` sets a whole object and is idempotent. */
export interface WriteTool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject>
  extends Definition<Input, Output> {
  readonly kind: 'write' | 'replace';
  plan(args: z.output<Input>, context: CallContext): Promise<Plan<z.input<Output>>>;
}

export type Tool = ReadTool | WriteTool;

/** Memoises a factory. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Declares a reading tool; annotations, filtering and error handling follow from the kind. */
export function readTool<I extends z.ZodObject, O extends z.ZodObject>(
  tool: Omit<ReadTool<I, O>, 'kind'>,
): ReadTool {
  return { ...tool, input: once(tool.input), output: once(tool.output), kind: 'read' } as unknown as ReadTool;
}

/** Declares a tool that saves a file locally and changes nothing upstream. */
export function saveTool<I extends z.ZodObject, O extends z.ZodObject>(
  tool: Omit<ReadTool<I, O>, 'kind'>,
): ReadTool {
  return { ...readTool(tool), kind: 'save' };
}

/** Declares a writing tool; preview, confirmation, filtering and error handling follow from the kind. */
export function writeTool<I extends z.ZodObject, O extends z.ZodObject>(tool: WriteTool<I, O>): WriteTool {
  return { ...tool, input: once(tool.input), output: once(tool.output) } as unknown as WriteTool;
}

/** Adds a `cnpj` argument to a tool, for servers of several companies. */
export function withCompany(tool: Tool): Tool {
  const input = once(() => {
    const own = tool.input();
    return 'cnpj' in own.shape
      ? own
      : own.safeExtend({ cnpj: shared.cnpj().describe('CNPJ of the company it is for') });
  });
  const ownArguments = <Args extends object>(args: Args): Args => {
    if ('cnpj' in tool.input().shape) return args;
    const { cnpj: _, ...others } = args as Args & { cnpj?: unknown };
    return others as Args;
  };
  return 'run' in tool
    ? { ...tool, input, run: (args, context) => tool.run(ownArguments(args), context) }
    : { ...tool, input, plan: (args, context) => tool.plan(ownArguments(args), context) };
}
