import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/built-program.ts';
import { type Connection, connect } from '../support/clients.ts';
import { authorisedNote, ourCompany, supplier } from '../support/filed-documents.ts';

/** Buyers by what stands in `dest`, each with a note of its own amount. */
const buyers: readonly (readonly [dest: string, total: string])[] = [
  ['<idEstrangeiro>9144030067</idEstrangeiro><xNome>ACME HONG KONG</xNome>', '1.00'],
  ['<idEstrangeiro>US-998877</idEstrangeiro><xNome>ACME INC</xNome>', '2.00'],
  ['<idEstrangeiro>55012</idEstrangeiro>', '4.00'],
  ['<CNPJ>11222333000181</CNPJ><xNome>3M DO BRASIL LTDA</xNome>', '8.00'],
  ['<CNPJ>58716523000119</CNPJ><xNome>B2W DIGITAL</xNome>', '16.00'],
  ['<CNPJ>27865757000102</CNPJ><xNome>99 TECNOLOGIA LTDA</xNome>', '32.00'],
  ['<idEstrangeiro></idEstrangeiro><xNome>ZETA GMBH</xNome>', '64.00'],
];

describe('whom an answer names, by what it names them', () => {
  const folder = temporaryFolder();
  let connection: Connection;

  beforeAll(async () => {
    buyers.forEach(([dest, total], i) => {
      const xml = authorisedNote({ number: i + 1, issuer: ourCompany, recipient: supplier, total });
      const party = `<CNPJ>${supplier}</CNPJ><xNome>Compradora ção</xNome>`;
      expect(xml).toContain(party);
      writeFileSync(join(folder.path, `${i}.xml`), xml.replace(party, dest));
    });
    const env = { DFE_FILES: folder.path, DFE_CNPJ: ourCompany, DFE_LANGUAGE: 'en' };
    connection = await connect('v1', { env });
  });

  afterAll(async () => {
    await connection.close();
    folder.remove();
  });

  const query = (party: object) =>
    connection.call('query_documents', {
      document: 'nfe',
      direction: 'outbound',
      from: '2026-10-01',
      to: '2026-10-31',
      ...party,
    });

  const ask = (recipient: string | number) => query({ recipient });

  it.each([
    ['9144030067', '1.00'],
    [9144030067, '1.00'],
    ['US-998877', '2.00'],
    ['55012', '4.00'],
    ['3M', '8.00'],
    ['B2W', '16.00'],
    ['99', '32.00'],
  ])('finds %s', async (recipient, total) => {
    const { structured, text, isError } = await ask(recipient);
    expect(isError, text).toBe(false);
    expect(structured, text).toMatchObject({ documents: 1, listed: [{ totals: { total } }] });
  });

  it.each(['123', '11222333000182', '9144030068'])('refuses %s, which nobody has', async (recipient) => {
    const { isError, text } = await ask(recipient);
    expect(isError, text).toBe(true);
    expect(text).toContain('recipient');
  });

  it('does not say that nothing was asked of what is refused after documents were read', async () => {
    const { isError, text } = await query({ issuer: '9144030067' });
    expect(isError, text).toBe(true);
    expect(text).not.toContain('Nothing was asked');
    expect(text).toContain('Nothing was changed at the service; correct them and call again.');
  });

  it('does not deny a name that documents give without an id', async () => {
    const { text } = await ask('Zeta');
    expect(text).toContain('no name with "Zeta" among the parties identified');
  });
});
