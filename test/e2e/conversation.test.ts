import { afterEach, describe, expect, it } from 'vitest';
import { type Connection, clientKinds, connect } from '../support/clients.ts';
import { isLong } from '../support/depth.ts';
import { daysAgo } from '../support/recent-days.ts';

/** What over-stdio.test.ts asks by every client: the demo is asked by one of them in the short suite. */
const kinds = clientKinds.filter((kind) => isLong || kind === 'v2 modern');

describe.each(kinds)('the demo, talked to by a %s client', (kind) => {
  let connection: Connection | undefined;

  afterEach(async () => {
    await connection?.close();
    connection = undefined;
  });

  it('lists keys, reads a note and its DANFE, and manifests after a yes', async () => {
    connection = await connect(kind, { args: ['--demo'] });
    const listed = await connection.call('list_document_keys', {
      document: 'nfe',
      from: daysAgo(20),
      to: daysAgo(1),
    });
    expect(listed.isError).toBe(false);
    const [key] = (listed.structured?.keys ?? []) as string[];
    expect(key).toMatch(/^[0-9]{6}[0-9A-Z]{12}[0-9]{26}$/);

    const note = await connection.call('get_document', { document: 'nfe', key });
    expect(note.structured).toMatchObject({
      document: { key, kind: 'nfe' },
      uri: `dfe://nfe/${key}/summary`,
    });

    const [pdf] = await connection.readResource(`dfe://nfe/${key}/pdf`);
    expect(pdf).toMatchObject({ mimeType: 'application/pdf' });
    expect(Buffer.from(String(pdf?.blob), 'base64').subarray(0, 5).toString()).toBe('%PDF-');
  });
});
