import { describe, expect, it } from 'vitest';
import expectedNotes from './nfe-expectations.json' with { type: 'json' };
import { documentIn, warningCodes } from './samples.ts';

// Taken from the files with Python's xml.etree and decimal, not with this program; warnings hold by hand.
describe('sample NF-e', () => {
  it.each(Object.entries(expectedNotes))('%s', (path, expected) => {
    const document = documentIn(path);
    expect(document).toMatchObject(expected.summary);
    expect(document.items).toHaveLength(expected.summary.item_count);
    expect(document.items[0]).toMatchObject(expected.first);
    expect(document.payments).toHaveLength(expected.payments);
    expect(document.installments).toHaveLength(expected.installments);
    expect(document.transport?.mode).toBe(expected.mode);
    expect(warningCodes(document)).toEqual(expected.warnings);
  });

  it('says what is wrong with the sums of the tax reform sample, with both values', () => {
    const { warnings } = documentIn('nfe/enviNFe-rtc-510-620-monofasico.xml');
    expect(warnings).toContainEqual({
      code: 'items_against_products',
      values: { found: '4435.20', expected: '2217.60' },
    });
    expect(warnings).toContainEqual({
      code: 'items_against_ibs',
      values: { found: '0.08', expected: '0.07' },
    });
    expect(warnings).toContainEqual({
      code: 'item_class_trib_against_cst',
      values: { item: '2', found: '200032', expected: '620' },
    });
  });

  it('reads the groups of the tax reform, adding state and city where the sum is left out', () => {
    const { items, totals } = documentIn('nfe/enviNFe-rtc-510-620-monofasico.xml');
    expect(items[0]?.taxes).toMatchObject({
      ibs_cbs_cst: '510',
      class_trib: '510001',
      ibs_cbs_base: '1840.61',
      ibs: '0.08',
      cbs: '6.63',
    });
    expect(items[1]?.taxes).toMatchObject({ class_trib: '200032', ibs_mono: '125.00', cbs_mono: '180.00' });
    expect(items[1]?.taxes.ibs).toBeUndefined();
    expect(totals).toMatchObject({
      ibs: '0.07',
      cbs: '6.63',
      total_with_ibs_cbs: '31.00',
      ibs_cbs_base: '1840.61',
    });
  });

  it('takes the cancellation appended to a note', () => {
    const document = documentIn('nfe/nfe-cancelada-com-retEvento.xml');
    expect(document.protocol).toEqual({
      number: '135210128765156',
      code: '100',
      at: '2021-02-04T14:36:36-03:00',
    });
    expect(document.event).toMatchObject({
      code: '110111',
      name: 'Cancelamento registrado',
      sequence: '1',
      at: '2021-02-04T15:15:09-03:00',
    });
    expect(document.items[0]?.notes).toBe('PRETO F04293    11888/FF');
    expect(document.transport).toMatchObject({
      carrier: { name: 'RETIRA', state: 'SP' },
      gross_weight: '109.650',
    });
  });

  it('keeps the issuer of an avulsa note, not the tax office in the key', () => {
    const { issuer, notes } = documentIn('nfe/nfa-avulsa-emit-cpf-chave-do-fisco.xml');
    expect(issuer).toMatchObject({ id: '11111111111', id_type: 'cpf', tax_regime: '3' });
    expect(notes).toBe(
      'Valor do frete: R$0.01|GTA: U-555973|O requerente deverá informar os dados do transportador no verso da NFA. Tipo de Emissão: Normal',
    );
  });

  it('takes import taxes and the foreign recipient', () => {
    const { items, flow, totals } = documentIn('nfe/nfe-importacao-idEstrangeiro.xml');
    expect(flow).toBe('0');
    expect(items[0]).toMatchObject({ origin: '2', taxes: { import_duty: '6243.50', ipi: '4526.53' } });
    expect(totals.import_duty).toBe('13921.27');
  });

  it('decodes entities, CDATA and ISO-8859-1', () => {
    expect(documentIn('nfe/nfe-21itens-entidades.xml').items[1]?.description).toBe(
      'GRANOLA BANANA & MEL 800G',
    );
    expect(documentIn('nfe/nfce-mod65-3itens-cdata.xml').issuer?.name).toBe(
      'Lumer Informática Serviços Digitais LTDA',
    );
    expect(documentIn('nfe/nfe-derivada-iso-8859-1.xml').operation).toContain('DEMONSTRAÇÃO');
  });
});
