import { describe, expect, it } from 'vitest';
import { XmlError } from '../../src/documents/xml/xml.ts';
import { documentIn, documentsIn, samplePaths, warningCodes } from './samples.ts';

describe('sample events', () => {
  it('cte-evento-cce: corrections by group and field, the empty one left out', () => {
    const document = documentIn('events/cte-evento-cce.xml');
    expect(document).toMatchObject({
      kind: 'event',
      layout: 'cte event 3.00',
      key: '35150107565416000104570000000012301000012300',
      status: 'no_protocol',
      event: {
        code: '110110',
        name: 'Carta de Correcao',
        sequence: '1',
        at: '2015-01-05T16:35:06-02:00',
        author: '07565416000104',
        text: 'ide/cfop: 6353',
      },
    });
  });

  it('nfe-cce-evento: sent, not answered', () => {
    const document = documentIn('events/nfe-cce-evento.xml');
    expect(document).toMatchObject({
      kind: 'event',
      layout: 'nfe event 1.00',
      key: '35180803102452000172550010000476051695511860',
      environment: 'production',
      status: 'no_protocol',
      event: {
        code: '110110',
        name: 'Carta de Correção',
        author: '75335849000115',
        text: 'VOLUME: 4 VOLUMES',
      },
    });
    expect(document.warnings).toEqual([]);
  });

  it('nfe-procEvento-cce: registered', () => {
    const document = documentIn('events/nfe-procEvento-cce.xml');
    expect(document).toMatchObject({
      key: '35110510142785000190551110000000131998817900',
      status: 'authorized',
      protocol: { number: '135110004447087', code: '135', at: '2011-06-06T12:09:21-03:00' },
    });
    expect(document.event?.text).toContain('considerar o periodo como "ref.: MAIO/2011"');
  });

  it('nfe-soap-manifesta-210210: in an envelope', () => {
    expect(documentIn('events/nfe-soap-manifesta-210210.xml')).toMatchObject({
      key: '29161211351930000106550010000000151000000151',
      environment: 'test',
      status: 'no_protocol',
      event: { code: '210210', name: 'Ciencia da Operacao', author: '58716523000119' },
    });
  });

  it('procEvento-210200-confirmacao-alfanumerico: a key with letters', () => {
    const document = documentIn('events/procEvento-210200-confirmacao-alfanumerico.xml');
    expect(document).toMatchObject({
      key: '35260712ABC34501DE35550010000001231102030403',
      status: 'authorized',
      event: { code: '210200', name: 'Confirmacao da Operacao', at: '2026-09-10T09:15:00-03:00' },
      protocol: { number: '891260000000001', code: '135' },
    });
    expect(document.warnings).toEqual([]);
  });

  it('resEvento-cnpj-alfanumerico: a key of a state that does not exist', () => {
    const document = documentIn('events/resEvento-cnpj-alfanumerico.xml');
    expect(document).toMatchObject({
      kind: 'event',
      layout: 'nfe event summary 1.01',
      key: '190806ABCDEF12345655001000057913194346389000',
      status: 'authorized',
      protocol: { number: '341221234567890', at: '2022-03-02T15:27:44-03:00' },
      event: { code: '110111', name: 'Descricao do evento', author: 'ABCDEF12345678' },
    });
    expect(warningCodes(document)).toEqual(['key_state']);
  });
});

describe('sample envelopes', () => {
  it.each([
    'vendor-envelopes/retChavesNfe-raiz-xml.xml',
    'vendor-envelopes/retChavesNfe-vazio.xml',
    'vendor-envelopes/retChavesNfse.xml',
    'vendor-envelopes/retDownloadNFe-cdata.xml',
    'vendor-envelopes/retDownloadNFe-escapado.xml',
  ])('%s holds no document as XML', (path) => {
    expect(documentsIn(path)).toEqual([]);
  });

  it('a JSON string is not XML', () => {
    expect(() => documentsIn('vendor-envelopes/retChavesNfe-json-quoted.txt')).toThrow(XmlError);
  });

  it('every sample is looked at by a test here', () => {
    expect(samplePaths()).toHaveLength(38);
  });
});
