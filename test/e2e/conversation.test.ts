import { expect, it } from 'vitest';
import { connect } from '../support/clients.ts';
import { daysAgo } from '../support/recent-days.ts';

it('the demo lists keys, reads a note and its DANFE', async () => {
  await using connection = await connect('v2 modern', { args: ['--demo'] });
  const days = { from: daysAgo(20), to: daysAgo(1) };
  const listed = await connection.call('list_document_keys', { document: 'nfe', ...days });
  expect(listed.isError).toBe(false);
  const [key] = (listed.structured?.keys ?? []) as string[];
  const note = await connection.call('get_document', { document: 'nfe', key });
  expect(note.structured).toMatchObject({
    document: { key, kind: 'nfe' },
    uri: `dfe://nfe/${key}/summary`,
  });
  const [pdf] = await connection.readResource(`dfe://nfe/${key}/pdf`);
  expect(pdf).toMatchObject({ mimeType: 'application/pdf' });
  expect(Buffer.from(String(pdf?.blob), 'base64').subarray(0, 5).toString()).toBe('%PDF-');
});
