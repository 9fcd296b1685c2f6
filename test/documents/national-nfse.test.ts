import { describe, expect, it } from 'vitest';
import { one } from './one-document.ts';

/** Made by 58716523000119 under number 12. */
const key = '35503082258716523000119000000000001226011357924683';

const emitter =
  '<emit><CNPJ>58716523000119</CNPJ><IM>123</IM><xNome>QUEM EMITIU</xNome><enderNac><cMun>3550308</cMun><UF>SP</UF></enderNac></emit>';

const note = (declared: string, emit = emitter) =>
  one(
    `<NFSe versao="1.01"><infNFSe Id="NFS${key}"><nNFSe>12</nNFSe><cStat>100</cStat><dhProc>2026-01-05T10:00:00-03:00</dhProc>` +
      `${emit}<valores><vLiq>100.00</vLiq></valores><DPS versao="1.01"><infDPS><tpAmb>1</tpAmb>${declared}` +
      '<valores><vServPrest><vServ>100.00</vServ></vServPrest></valores></infDPS></DPS></infNFSe></NFSe>',
  );

const provider =
  '<prest><CNPJ>11222333000181</CNPJ><xNome>QUEM PRESTOU</xNome><end><endNac><cMun>3106200</cMun></endNac></end></prest>';
const taker = '<toma><CNPJ>58716523000119</CNPJ><xNome>QUEM TOMOU</xNome></toma>';

describe('a national NFS-e in the wrapping of cities', () => {
  const key = '35503082258716523000119000000000001226011357924683';
  const note =
    `<infNFSe Id="NFS${key}"><nNFSe>12</nNFSe><cStat>100</cStat><dhProc>2026-01-13T10:00:00-03:00</dhProc>` +
    '<emit><CNPJ>58716523000119</CNPJ></emit><valores><vLiq>100.00</vLiq></valores></infNFSe>';
  const reply = (xml: string) =>
    `<EnviarLoteDpsSincronoResposta><ListaNfse><CompNfse>${xml}</CompNfse></ListaNfse></EnviarLoteDpsSincronoResposta>`;

  it.each([
    reply(`<Nfse versao="1.01">${note}</Nfse>`),
    reply(`<Nfse><NFSe versao="1.01">${note}</NFSe></Nfse>`),
    reply(`<NFSe versao="1.01">${note}</NFSe>`),
    `<Nfse versao="1.01">${note}</Nfse>`,
  ])('is read like any other: %s', (xml) => {
    const found = one(xml);
    expect(found).toMatchObject({
      layout: 'nfse national 1.01',
      key,
      number: '12',
      status: 'authorized',
      totals: { total: '100.00' },
    });
    expect(found.warnings).toEqual([]);
  });

  it('is cancelled by what stands beside it', () => {
    const beside =
      '<NfseCancelamento><Confirmacao><DataHora>2026-01-14T12:00:00</DataHora></Confirmacao></NfseCancelamento>';
    expect(one(reply(`<Nfse versao="1.01">${note}</Nfse>${beside}`))).toMatchObject({
      key,
      status: 'cancelled',
    });
  });
});

describe('a national NFS-e', () => {
  it('made by its provider has the provider in emit', () => {
    const document = note(
      '<tpEmit>1</tpEmit><prest><CNPJ>58716523000119</CNPJ></prest><toma><CPF>52998224725</CPF><xNome>X</xNome></toma>',
    );
    expect(document.issuer).toEqual({
      id: '58716523000119',
      id_type: 'cnpj',
      name: 'QUEM EMITIU',
      state: 'SP',
      city_code: '3550308',
      municipal_registration: '123',
    });
    expect(document.recipient).toMatchObject({ id: '52998224725', id_type: 'cpf' });
    expect(document.warnings).toEqual([]);
  });

  it.each([
    ['1', false],
    ['2', true],
    ['3', true],
    ['4', undefined],
  ])('opSimpNac %s: provider under the Simples %s', (option, expected) => {
    const { issuer } = note(
      `<tpEmit>1</tpEmit><prest><CNPJ>58716523000119</CNPJ><regTrib><opSimpNac>${option}</opSimpNac></regTrib></prest>`,
    );
    expect(issuer?.is_under_simples).toBe(expected);
  });

  it('made by its recipient (tpEmit 2) has the provider in prest, and its key is the maker’s', () => {
    const document = note(`<tpEmit>2</tpEmit>${provider}${taker}`);
    expect(document.issuer).toEqual({
      id: '11222333000181',
      id_type: 'cnpj',
      name: 'QUEM PRESTOU',
      state: 'MG',
      city_code: '3106200',
    });
    expect(document.recipient).toEqual({ id: '58716523000119', id_type: 'cnpj', name: 'QUEM TOMOU' });
    expect(document.warnings).toEqual([]);
  });

  it('made by its recipient, who is not named a second time, has the recipient in emit', () => {
    const { issuer, recipient } = note(`<tpEmit>2</tpEmit>${provider}`);
    expect(issuer?.id).toBe('11222333000181');
    expect(recipient).toMatchObject({ id: '58716523000119', name: 'QUEM EMITIU', state: 'SP' });
  });

  it('made by an intermediary (tpEmit 3) has neither party in emit', () => {
    const { issuer, recipient } = note(
      `<tpEmit>3</tpEmit>${provider}<toma><CNPJ>00000000000191</CNPJ><xNome>BANCO</xNome></toma>`,
    );
    expect(issuer?.id).toBe('11222333000181');
    expect(recipient?.id).toBe('00000000000191');
    expect(note(`<tpEmit>3</tpEmit>${provider}`).recipient).toBeUndefined();
  });

  it('has a foreign provider by the NIF, with its punctuation', () => {
    const abroad =
      '<prest><NIF>GB-123.456/7</NIF><xNome>CLOUD LTD</xNome><end><endExt><cPais>GB</cPais></endExt></end></prest>';
    expect(note(`<tpEmit>2</tpEmit>${abroad}${taker}`).issuer).toEqual({
      id: 'GB-123.456/7',
      id_type: 'foreign',
      name: 'CLOUD LTD',
      state: 'EX',
    });
  });

  it('whose key is not of who made it says so, whoever served', () => {
    const other = emitter.replace('58716523000119', '00000000000191');
    const { warnings } = note(`<tpEmit>2</tpEmit>${provider}`, other);
    expect(warnings).toEqual([
      { code: 'key_against_issuer', values: { found: '58716523000119', expected: '00000000000191' } },
    ]);
  });

  it.each([
    ['<end><endNac><cMun>2211001</cMun></endNac></end>', 'PI'],
    ['<end><endExt><cPais>US</cPais></endExt></end>', 'EX'],
    ['<end><endNac><cMun>221</cMun></endNac></end>', undefined],
    ['', undefined],
  ])('has its recipient in the state of the city it names: %s', (address, state) => {
    const { recipient } = note(`<tpEmit>1</tpEmit><toma><CPF>52998224725</CPF>${address}</toma>`);
    expect(recipient?.state).toBe(state);
  });

  it('that was only declared has no key and no protocol', () => {
    const document = one(
      '<DPS versao="1.01"><infDPS><tpAmb>1</tpAmb><dhEmi>2026-01-02T00:00:00-03:00</dhEmi></infDPS></DPS>',
    );
    expect(document).toMatchObject({ kind: 'nfse', layout: 'nfse national 1.01', status: 'no_protocol' });
    expect(document.warnings).toEqual([]);
  });
});
