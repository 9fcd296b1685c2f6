import type { ContentBlock } from '@modelcontextprotocol/server';
import type * as z from 'zod';
import type { Toolset } from '../config.ts';
import type { Translator } from '../messages/index.ts';
import type { Services } from '../services.ts';

/** What a tool's code gets besides its arguments. */
export interface ToolContext {
  readonly services: Services;
  readonly translator: Translator;
  /** Aborted when the client cancels or goes away. */
  readonly signal: AbortSignal;
  /** Whom a confirmation is bound to: the client's identity over HTTP, `local` over stdio. */
  readonly principal: string;
  /** Tells a waiting client how far a long call is; silent where the client did not ask. */
  progress(done: number, total: number, message: string): Promise<void>;
}

/** What a tool answers: data for programs, the same compactly for readers, and links or files beside it. */
export interface Answer<Output> {
  readonly structured: Output;
  readonly text: string;
  readonly attachments?: readonly ContentBlock[];
}

/** A write that was checked and described, and not yet done. */
export interface Plan<Output> {
  /** What a person must know to say yes: what will happen, to what, what can't be undone. */
  readonly preview: string;
  /** Sends it. Called at most once, after the person's yes. */
  perform(): Promise<Answer<Output>>;
}

interface Definition<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly group: Toolset;
  /** For the model, in English. The title is in the catalogue under `tool.<name>`. */
  readonly description: string;
  /** Made when first asked for: the schemas of all tools would take a good part of the start. */
  readonly input: () => Input;
  readonly output: () => Output;
}

/** A tool that only reads. */
export interface ReadTool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject>
  extends Definition<Input, Output> {
  readonly kind: 'read';
  run(args: z.output<Input>, context: ToolContext): Promise<Answer<z.input<Output>>>;
}

/** A tool that changes something upstream: `replace` sets a whole object anew, so that doing it twice is like once. */
export interface WriteTool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject>
  extends Definition<Input, Output> {
  readonly kind: 'write' | 'replace';
  plan(args: z.output<Input>, context: ToolContext): Promise<Plan<z.input<Output>>>;
}

export type Tool = ReadTool | WriteTool;

function once<T>(make: () => T): () => T {
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

/** Declares a tool that writes; preview, confirmation, filtering and error handling follow from the kind. */
export function writeTool<I extends z.ZodObject, O extends z.ZodObject>(tool: WriteTool<I, O>): WriteTool {
  return { ...tool, input: once(tool.input), output: once(tool.output) } as unknown as WriteTool;
}
