import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/built-program.ts';
import { type Connection, completionsOf, type Form, type ToolResult } from '../support/clients.ts';
import {
  everyTool,
  hostileEnvironment,
  hostileList,
  hostileService,
  notes,
  type Plant,
} from '../support/hostile-service.ts';
import { connectInProcess } from '../support/in-process.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import type { Random } from './random.ts';
import { differences, type Heard, harmless, hostile, stringsIn } from './words.ts';

/** Everything a person or a model reads of a server before a service that plants. */
async function hear(plant: Plant, usesForms: boolean): Promise<{ heard: Heard[]; tools: readonly string[] }> {
  const folder = temporaryFolder();
  const upstream = await startRecordingUpstream(hostileService(plant));
  const books = join(folder.path, 'books');
  mkdirSync(books);
  writeFileSync(join(books, 'list.csv'), hostileList(plant));
  const forms: Form[] = [];
  const connection = await connectInProcess('v1', {
    env: { ...hostileEnvironment(upstream.url, folder.path), DFE_FILES: books },
    ...(usesForms && {
      onForm: (form: Form) => {
        forms.push(form);
        return { action: 'accept' as const, content: { confirm: true } };
      },
    }),
  });
  const heard: Heard[] = [];
  const note = (what: string, { text, content }: ToolResult) =>
    heard.push({
      what,
      text: text.replaceAll(folder.path, '/folder').replaceAll(upstream.url, 'http://service'),
      links: stringsIn(content.filter(({ type }) => type !== 'text')),
    });
  try {
    for (const [tool, args] of everyTool) {
      const what = `${tool} ${JSON.stringify(args)}`;
      const answer = await connection.call(tool, args);
      note(what, answer);
      const token = answer.structured?.confirmation_token;
      if (token !== undefined) {
        note(`${what}, confirmed`, await connection.call(tool, { ...args, confirmation_token: token }));
        note(`${what}, again`, await connection.call(tool, { ...args, confirmation_token: token }));
        note(`${what}, anew`, await connection.call(tool, args));
      }
    }
    for (const { links, what } of await readAll(connection)) heard.push({ what, text: '', links });
    for (const [index, { message }] of forms.entries())
      heard.push({ what: `form ${index}`, text: message, links: '' });
    const tools = (await connection.listTools()).map(({ name }) => String(name));
    return { heard, tools };
  } finally {
    await connection.close();
    await upstream.close();
  }
}

/** What resources hold, but for the documents' own text, and what is offered to complete them. */
async function readAll(connection: Connection): Promise<{ what: string; links: string }[]> {
  const [key = ''] = notes;
  const uri = `dfe://nfe/${key}/summary`;
  const read = await connection.readResource(uri);
  const summary = stringsIn(read.map(({ text }) => JSON.parse(String(text))));
  const templates = [
    ['dfe://nfe/{key}/xml', 'key'],
    ...['issuer', 'number', 'issue_date'].map((name) => [
      `dfe://nfse/{issuer}/{number}/{issue_date}/xml`,
      name,
    ]),
  ] as const;
  const offered = templates.map(async ([template = '', name = '']) => {
    const values = await completionsOf(connection, template, name);
    return { what: `completion of ${name}`, links: stringsIn(values) };
  });
  return [{ what: uri, links: summary }, ...(await Promise.all(offered))];
}

/** One round: hostile texts in every place a service and a document have for them, and the same with harmless ones. */
export async function fuzzAnswers(random: Random): Promise<string[]> {
  const usesForms = random.below(3) === 0;
  const [bad, good] = [await hear(hostile(random), usesForms), await hear(harmless, usesForms)];
  const faults = good.tools
    .filter((name) => !everyTool.some(([tool]) => tool === name))
    .map((name) => `${name} is not called`);
  return [...faults, ...differences(bad.heard, good.heard)];
}
