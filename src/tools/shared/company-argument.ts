import type { Tool } from './definition.ts';
import { shared } from './parameters.ts';

/** Adds a `cnpj` argument to a tool, for servers of several companies. */
export function withCompany(tool: Tool): Tool {
  let input: ReturnType<Tool['input']> | undefined;
  const hasOwn = () => Object.hasOwn(tool.input().shape, 'cnpj');
  const without = <Args extends object>(args: Args): Args => {
    if (hasOwn()) return args;
    const { cnpj: _, ...others } = args as Args & { cnpj?: unknown };
    return others as Args;
  };
  const named = {
    ...tool,
    input: () => {
      input ??= hasOwn()
        ? tool.input()
        : tool.input().safeExtend({ cnpj: shared.cnpj().describe('CNPJ of the company it is for') });
      return input;
    },
  };
  if ('run' in tool) return { ...named, run: (args, context) => tool.run(without(args), context) } as Tool;
  return { ...named, plan: (args, context) => tool.plan(without(args), context) } as Tool;
}
