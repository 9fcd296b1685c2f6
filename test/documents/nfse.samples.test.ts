import { describe, expect, it } from 'vitest';
import { documentIn, documentsIn, warningCodes } from './samples.ts';

describe('sample NFS-e', () => {
  it('nacional-autorizada: net, gross, discount, withheld parts and ISS withheld by the taker', () => {
    const document = documentIn('nfse/nacional-autorizada.xml');
    expect(document).toMatchObject({
      kind: 'nfse',
      layout: 'nfse national 1.01',
      key: '33033021211222333000181000000000001026010000010000',
      number: '10',
      series: '20261',
      issued_at: '2026-01-15T14:30:00-03:00',
      competence: '2026-01-15',
      environment: 'production',
      status: 'authorized',
      protocol: { code: '100', at: '2026-01-15T14:30:00-03:00' },
      issuer: { id: '11222333000181', name: 'EMPRESA EXEMPLO DESENVOLVIMENTO LTDA', state: 'RJ' },
      recipient: { id: '91712343000134', name: 'CLIENTE FICTICIO COMERCIO S.A.' },
      iss_withheld: true,
      item_count: 0,
      service: {
        national_code: '010700',
        code: '007',
        city: '3303302',
        rate: '2.00',
        base: '1350.00',
        description: 'Desenvolvimento de sistema de gestão empresarial - Contrato #2026-001',
      },
    });
    // 15.00 + 22.50 + 15.00 withheld federally, and the ISS of 27.00.
    expect(document.totals).toMatchObject({
      total: '1292.75',
      services: '1500.00',
      discount: '100.00',
      iss: '27.00',
      withheld: '79.50',
    });
    expect(document.notes).toContain('Pedido de compra: PC-00123');
  });

  it('nacional-real-simples-destcpf: no base and no ISS, a taker with CPF, a description of several lines', () => {
    const document = documentIn('nfse/nacional-real-simples-destcpf.xml');
    expect(document).toMatchObject({
      key: '21113002200574753000100000000000146726037032711025',
      number: '1467',
      status: 'authorized',
      recipient: { id: '52998224725', id_type: 'cpf', name: 'PESSOA FISICA FICTICIA' },
      totals: { total: '51.60', services: '51.60' },
      iss_withheld: false,
    });
    expect(document.totals.iss).toBeUndefined();
    expect(document.service?.base).toBeUndefined();
    expect(document.service?.description).toMatch(/^Pagamento de mensalidade plano\n\nCONFORME LEI/);
    expect(document.warnings).toEqual([]);
  });

  it('nacional-retorno-ibscbs: IBS and CBS', () => {
    const document = documentIn('nfse/nacional-retorno-ibscbs-2025-12.xml');
    expect(document).toMatchObject({
      key: '43149022226263261000198000000000000225120787292537',
      number: '2',
      environment: 'test',
      issuer: { id: '26263261000198', state: 'RS' },
      recipient: { id: '04632445000307' },
      totals: {
        total: '1500.00',
        services: '1500.00',
        iss: '75.00',
        ibs: '1.43',
        cbs: '12.83',
        ibs_cbs_base: '1425.00',
        total_with_ibs_cbs: '1500.00',
      },
      taxation: { ibs_cbs_cst: '000', class_trib: '000001' },
      service: { nbs: '105011110', rate: '5.00' },
    });
    expect(warningCodes(document)).toEqual(['test_environment']);
  });

  it('abrasf1-gerarNfse-bom: version 1 in a reply, amounts as they are, a net value that does not add up', () => {
    const document = documentIn('nfse/abrasf1-gerarNfse-bom.xml');
    expect(document).toMatchObject({
      kind: 'nfse',
      layout: 'nfse abrasf 1.00',
      number: '20',
      verification_code: 'AWA5-PGCP',
      issued_at: '2010-01-01T21:00:00',
      status: 'authorized',
      issuer: { id: '04642554000143', municipal_registration: '2994275', state: 'RJ' },
      recipient: { id: '99999999000191', name: 'INSCRICAO DE TESTE' },
      iss_withheld: false,
      totals: { total: '990', services: '1000', iss: '49.5', discount: '10', withheld: '60' },
      service: { code: '0102', rate: '0.05', city: '3304557', description: 'Teste' },
    });
    expect(document.key).toBeUndefined();
    // 1000 less six withheld amounts of 10 and two discounts of 10.
    expect(document.warnings).toEqual([
      { code: 'net_against_parts', values: { found: '990', expected: '920' } },
    ]);
  });

  it('abrasf202-com-chave-nacional: the key from the free text, fractional seconds, an entity', () => {
    const document = documentIn('nfse/abrasf202-com-chave-nacional.xml');
    expect(document).toMatchObject({
      layout: 'nfse abrasf 2.02',
      key: '31367021211222333000181000000056753126080574690042',
      number: '567531',
      issued_at: '2026-08-28T11:45:10.62',
      competence: '2026-08-01',
      issuer: { id: '11222333000181', name: 'EMPRESA FICTICIA DE SOFTWARE S.A.' },
      recipient: { id: '58716523000119', name: 'TOMADORA FICTICIA LTDA' },
      totals: { total: '690.00', services: '690.00', iss: '13.80' },
      service: { code: '01.05', nbs: '111032200', rate: '2.00', description: 'Assinatura mensal & suporte' },
      iss_withheld: false,
    });
    expect(document.warnings).toEqual([]);
  });

  it('prodam-sp-RetornoConsulta: two notes, their elements named like an NF-e', () => {
    const documents = documentsIn('nfse/prodam-sp-RetornoConsulta.xml');
    expect(documents.map(({ number }) => number)).toEqual(['17943', '17944']);
    expect(documents[0]).toMatchObject({
      kind: 'nfse',
      layout: 'nfse prodam',
      verification_code: 'PH5GL6XU',
      issued_at: '2015-01-28T13:03:57',
      status: 'authorized',
      issuer: { id: '99999997000100', name: 'JVA LAVANDERIA LTDA', municipal_registration: '39616924' },
      recipient: { id: '52998224725', id_type: 'cpf', name: 'JOAO TESTE' },
      totals: { services: '20500', iss: '0', deductions: '5000', withheld: '50' },
      service: { code: '7617', rate: '0', description: 'Desenvolvimento de Web Site Pessoal.' },
      iss_withheld: false,
    });
    // 20500 less what is withheld (50).
    expect(documents[0]?.totals).toMatchObject({ total: '20450', net_derived: '20450' });
    expect(documents[1]?.totals.services).toBe('20501');
  });
});
