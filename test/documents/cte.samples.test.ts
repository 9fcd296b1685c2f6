import { describe, expect, it } from 'vitest';
import { documentIn, warningCodes } from './samples.ts';

describe('sample CT-e', () => {
  it('cte-2012-sem-protocolo: never authorised, wrong check digit, sender pays', () => {
    const document = documentIn('cte/cte-2012-sem-protocolo.xml');
    expect(document).toMatchObject({
      kind: 'cte',
      layout: 'cte 3.00',
      key: '43120178408960000182570010000000041000000047',
      model: '57',
      series: '1',
      number: '4',
      issued_at: '2012-01-06T17:25:56-02:00',
      environment: 'test',
      operation: 'SERV. TRANSPORTE',
      cfop: '6353',
      modal: '01',
      status: 'no_protocol',
      issuer: { id: '78408960000182', id_type: 'cnpj', name: 'KERBER E CIA. LTDA.', state: 'SC' },
      sender: { id: '78408960000182', state: 'SC' },
      payer: { id: '78408960000182' },
      recipient: { id: '81639791000104', name: 'HOBI E CIA LTDA. - MATRIZ', state: 'PR' },
      totals: {
        total: '2300.00',
        receivable: '2300.00',
        icms: '276.00',
        icms_base: '2300.00',
        cargo: '174.38',
      },
      route: {
        origin: { city: '4213609', name: 'PORTO UNIAO', state: 'SC' },
        destination: { city: '4128203', name: 'UNIAO DA VITORIA', state: 'PR' },
      },
      taxation: { cst: '00' },
      notes: 'NOTA FISCAL DE PRODUTOR RURAL N. 253-254-255',
      item_count: 0,
      linked_keys: [],
    });
    expect(document.protocol).toBeUndefined();
    expect(document.warnings).toEqual([
      { code: 'test_environment', values: {} },
      { code: 'key_check_digit', values: { found: '7', expected: '4' } },
    ]);
  });

  it('cteProc-producao-4840: cancelled by its own cStat, recipient pays, carries one note', () => {
    const document = documentIn('cte/cteProc-producao-4840.xml');
    expect(document).toMatchObject({
      kind: 'cte',
      key: '24210231626841000132570010000007811746401259',
      number: '781',
      environment: 'production',
      status: 'cancelled',
      protocol: { number: '324210000930048', code: '101', at: '2021-02-08T15:28:30-03:00' },
      issuer: { id: '31626841000132' },
      payer: { id: '01318353000105', name: 'L T DE SOUSA eamp; CIA LTDA', state: 'PA' },
      totals: {
        total: '4840.42',
        receivable: '4840.42',
        icms: '290.42',
        icms_base: '2420.21',
        cargo: '1716.00',
      },
      taxation: { cst: '20' },
      linked_keys: ['24210234533611000117550010000005081684535350'],
      route: { destination: { city: '1100304', name: 'Vilhena', state: 'RO' } },
    });
    expect(document.route?.origin?.name).toBe('MossorÃ³');
    expect(document.warnings).toEqual([]);
  });

  it('cte-derivado-cnpj-alfanumerico: letters in the CNPJ and in the key', () => {
    const document = documentIn('cte/cte-derivado-cnpj-alfanumerico.xml');
    expect(document).toMatchObject({
      key: '24210212ABC34501DE35570010000007811746401257',
      issuer: { id: '12ABC34501DE35', id_type: 'cnpj' },
      sender: { id: '12ABC34501DE35' },
      status: 'cancelled',
    });
    expect(document.warnings).toEqual([]);
  });

  it('cteProc-cancelado-com-procCancCTe: cancelled by the receipt beside the protocol, sender with CPF', () => {
    const document = documentIn('cte/cteProc-cancelado-com-procCancCTe.xml');
    expect(document).toMatchObject({
      layout: 'cte 2.00',
      key: '41160379569018000169570010000010031820538334',
      number: '1003',
      status: 'cancelled',
      protocol: { number: '141160000021633', code: '100' },
      sender: { id: '52998224725', id_type: 'cpf' },
      payer: { id: '52998224725', id_type: 'cpf' },
      recipient: { id: '00971297000132', state_registration: 'ISENTO' },
      totals: { total: '110.00', cargo: '110.00' },
      installments: [{ number: '1003/1', due: '2016-03-10', amount: '110.00' }],
      linked_keys: ['41150806161494000172550010000001201354745483'],
      event: { code: '110111', name: 'Cancelamento', sequence: '1', at: '2016-03-11T10:26:59' },
    });
    expect(document.totals.icms).toBeUndefined();
    expect(warningCodes(document)).toEqual(['test_environment']);
  });

  it('cteos-mod67-bom: byte-order mark, other services, taker of its own', () => {
    const document = documentIn('cte/cteos-mod67-bom.xml');
    expect(document).toMatchObject({
      kind: 'cteos',
      layout: 'cte 3.00',
      key: '35170799999999999999670000000000261309301440',
      model: '67',
      series: '0',
      number: '26',
      status: 'no_protocol',
      payer: { id: '99999999999999', name: 'XXXXXXXXXXXXXXXXXXXXXX', state: 'SP' },
      totals: { total: '2500.00', icms: '450.00' },
    });
    expect(document.sender).toBeUndefined();
    expect(document.recipient).toBeUndefined();
    expect(warningCodes(document)).toEqual(['test_environment', 'key_check_digit', 'issuer_id', 'payer_id']);
  });
});
