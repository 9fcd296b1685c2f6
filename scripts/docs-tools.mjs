// What a review sees of a change to the tools: all that `tools/list` tells, and what each tool costs a model.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { install } from './install.mjs';

const tools = join(import.meta.dirname, '..', 'tools');

/** Every word that a host gets, as a file whose changes can be read. */
export function toolsSnapshot(listed) {
  return `${JSON.stringify(listed, null, 2)}\n`;
}

/** The most that all may cost, and each of them; the one tool that has filters for everything more. */
const budget = { all: 4_700, each: 370, query_documents: 1_330 };

function keepToBudget(costs, all) {
  const over = costs.filter(({ name, tokens }) => tokens > (budget[name] ?? budget.each));
  const dear = [
    ...over.map(({ name, tokens }) => `${name} ${tokens}`),
    ...(all > budget.all ? [`all ${all}`] : []),
  ];
  if (dear.length > 0)
    throw new Error(`tools that cost a model more tokens than they may: ${dear.join(', ')}`);
}

/** Tokens by o200k_base of what a host puts before its model, per tool and for all, which is paid in every session. */
export function tokensTable(listed) {
  install(tools);
  const require = createRequire(join(tools, 'package.json'));
  const { countTokens } = require('gpt-tokenizer/encoding/o200k_base');
  const cost = (value) => countTokens(JSON.stringify(value));
  const told = listed.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  keepToBudget(
    told.map((tool) => ({ name: tool.name, tokens: cost(tool) })),
    cost(told),
  );
  const rows = told.map((tool) => {
    const schema = cost(tool.inputSchema);
    return `| \`${tool.name}\` | ${cost(tool) - schema} | ${schema} | ${cost(tool)} |`;
  });
  return [
    '| tool | name and description | arguments | tokens |',
    '| --- | --- | --- | --- |',
    ...rows,
    `| **all** | | | **${cost(told)}** |`,
  ].join('\n');
}
