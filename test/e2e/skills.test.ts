import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { tools } from '../../src/tools/index.ts';
import { type Connection, clientKinds } from '../support/clients.ts';
import { duringTests } from '../support/during-tests.ts';
import { connectInProcess } from '../support/in-process.ts';

const listing = z.looseObject({
  skills: z.array(
    z.looseObject({
      uri: z.string(),
      frontmatter: z.looseObject({ name: z.string(), description: z.string() }),
    }),
  ),
});

async function skillsOf({ raw }: Connection) {
  const client = raw as { request(request: object, schema: object): Promise<unknown> };
  return listing.parse(await client.request({ method: 'skills/list', params: {} }, listing)).skills;
}

const namesOf = async (connection: Connection) =>
  (await skillsOf(connection)).map(({ frontmatter }) => frontmatter.name).toSorted();

describe.each(clientKinds)('skills, asked by a %s client', (kind) => {
  const connection = duringTests(() => connectInProcess(kind));

  it('are those of the month closing, manifestation, reconciliation and the tax reform', async () => {
    expect(await namesOf(connection)).toEqual([
      'manifestation',
      'month-closing',
      'reconciliation',
      'tax-reform',
    ]);
  });

  it('read as the digests of their list say, and name only tools that are there', async () => {
    const known = new Set(tools.map(({ name }) => name));
    const skills = await skillsOf(connection);
    for (const { uri, frontmatter } of skills) {
      expect(uri).toBe(`skill://${frontmatter.name}/SKILL.md`);
      const [file] = await connection.readResource(uri);
      expect(file?.mimeType).toBe('text/markdown');
      const text = String(file?.text);
      expect(JSON.stringify(skills)).toContain(createHash('sha256').update(text).digest('hex'));
      const named = [...text.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name = '']) => name);
      const asTools = named.filter((name) =>
        /^(?:list|query|check|get|verify|manifest|export|update)_/.test(name),
      );
      expect(asTools.length).toBeGreaterThan(0);
      expect(asTools.filter((name) => !known.has(name))).toEqual([]);
    }
  });

  it('that are not there are said to be unknown', async () => {
    await expect(connection.readResource('skill://month-closing/../secrets')).rejects.toThrow();
    await expect(connection.readResource('skill://unknown/SKILL.md')).rejects.toThrow(/not found/i);
  });
});

it('a skill is not offered without the tools that it needs', async () => {
  await using connection = await connectInProcess('v2 modern', { args: ['--read-only'] });
  expect(await namesOf(connection)).toEqual(['month-closing', 'reconciliation', 'tax-reform']);
});
