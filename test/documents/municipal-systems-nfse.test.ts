import { describe, expect, it } from 'vitest';
import { readDocuments } from '../../src/documents/summary/read-document.ts';
import { one } from './one-document.ts';

const cnpj = '11222333000181';
const cpf = '52998224725';

/** Requests as their senders keep them: each names a note of which it says nothing. */
describe('a request is no note', () => {
  const cancellation =
    '<nf><numero>20190013</numero><serie_nfse>1</serie_nfse><situacao>C</situacao><observacao>erro</observacao>';
  const provider = '<prestador><cpfcnpj>11222333000181</cpfcnpj><cidade>8291</cidade></prestador>';

  it.each([
    `<nfse>${cancellation}</nf>${provider}</nfse>`,
    // The same with the values of the note to be cancelled.
    `<nfse>${cancellation}<valor_total>10,00</valor_total></nf>${provider}</nfse>`,
    '<ReqCancelamentoNFSe><Lote><Nota><NumeroNota>5</NumeroNota><CodigoVerificacao>x</CodigoVerificacao><MotivoCancelamento>m</MotivoCancelamento></Nota></Lote></ReqCancelamentoNFSe>',
    '<CancelarNfseEnvio><Nfse><IdentificacaoNfse><Numero>5</Numero></IdentificacaoNfse></Nfse></CancelarNfseEnvio>',
    '<PedidoCancelamentoNFe><Detalhe><NFe><ChaveNFe><NumeroNFe>5</NumeroNFe></ChaveNFe></NFe></Detalhe></PedidoCancelamentoNFe>',
  ])('%s', (xml) => {
    expect(readDocuments(xml)).toEqual([]);
  });
});

describe("an NFS-e of IPM's system", () => {
  const line = (amounts: string) =>
    '<lista><codigo_item_lista_servico>412</codigo_item_lista_servico><descritivo>CONSULTA</descritivo>' +
    `<aliquota_item_lista_servico>3,30</aliquota_item_lista_servico>${amounts}</lista>`;
  const note = (
    header = '',
    lines = line('<valor_tributavel>1.500,00</valor_tributavel><valor_issrf>0,00</valor_issrf>'),
    recipient = `<tipo>F</tipo><cpfcnpj>${cpf}</cpfcnpj><nome_razao_social>FULANA</nome_razao_social>`,
  ) =>
    '<nfse><nf><numero_nfse>29</numero_nfse><serie_nfse>1</serie_nfse><data_nfse>01/03/2026</data_nfse>' +
    `<hora_nfse>10:39:30</hora_nfse>${header}<valor_total>1.500,00</valor_total><valor_desconto>100,00</valor_desconto>` +
    '<valor_ir>22,50</valor_ir><valor_rps>5,00</valor_rps></nf>' +
    `<prestador><cpfcnpj>${cnpj}</cpfcnpj><cidade>8041</cidade></prestador><tomador>${recipient}</tomador><itens>${lines}</itens></nfse>`;

  it('is read in a reply or alone, its parties by one element for both kinds of id', () => {
    const documents = readDocuments(
      `<retorno><mensagem><codigo>1</codigo></mensagem>${note()}</retorno>${note()}`,
    );
    expect(documents[1]).toEqual(documents[0]);
    expect(documents[0]).toMatchObject({
      kind: 'nfse',
      layout: 'nfse ipm',
      number: '29',
      series: '1',
      issued_at: '2026-03-01T10:39:30',
      status: 'authorized',
      issuer: { id: cnpj, id_type: 'cnpj' },
      recipient: { id: cpf, id_type: 'cpf', name: 'FULANA' },
      iss_withheld: false,
      service: { code: '412', rate: '3.30', base: '1500.00', description: 'CONSULTA' },
      // 1500.00 - 22.50 - 5.00 - 100.00
      totals: { services: '1500.00', discount: '100.00', withheld: '27.50', net_derived: '1372.50' },
    });
    expect(documents[0]?.warnings).toEqual([]);
  });

  it.each([
    ['<situacao>C</situacao>', 'cancelled'],
    ['<situacao_codigo_nfse>1</situacao_codigo_nfse>', 'authorized'],
    ['<situacao_codigo_nfse>2</situacao_codigo_nfse>', 'cancelled'],
    ['<situacao>X</situacao>', 'unknown'],
    ['<situacao_codigo_nfse>3</situacao_codigo_nfse>', 'unknown'],
  ])('with %s is %s', (header, status) => {
    expect(one(note(header)).status).toBe(status);
  });

  it('adds up its lines, and says of them what they agree on', () => {
    const lines =
      line('<valor_tributavel>1.000,00</valor_tributavel><valor_issrf>33,00</valor_issrf>') +
      line('<valor_tributavel>500,00</valor_tributavel><valor_issrf>10,00</valor_issrf>').replace(
        '3,30',
        '2,00',
      );
    const document = one(note('<data_fato>28/02/2026</data_fato>', lines));
    expect(document).toMatchObject({
      competence: '2026-02-28',
      iss_withheld: true,
      service: { code: '412', base: '1500.00' },
      // 22.50 + 5.00 + 33.00 + 10.00; 1500.00 - 70.50 - 100.00
      totals: { withheld: '70.50', iss_withheld: '43.00', net_derived: '1329.50' },
    });
    expect(document.service?.rate).toBeUndefined();
  });

  it('has a recipient abroad by the identifier, and none by zeros', () => {
    const abroad = (identifier: string) =>
      one(
        note(
          '',
          '',
          `<tipo>E</tipo><cpfcnpj>0</cpfcnpj>${identifier}<nome_razao_social>ACME</nome_razao_social>`,
        ),
      );
    expect(abroad('<identificador>CHE-123.456</identificador>').recipient).toEqual({
      id: 'CHE-123.456',
      id_type: 'foreign',
      name: 'ACME',
      state: 'EX',
    });
    expect(abroad('').recipient).toEqual({ id_type: 'foreign', name: 'ACME', state: 'EX' });
    expect(abroad('').iss_withheld).toBeUndefined();
    expect(abroad('').totals.net_derived).toBeUndefined();
  });

  it('that is only asked for, or cancelled by a request, is none', () => {
    expect(readDocuments('<nfse><nf><valor_total>10,00</valor_total></nf></nfse>')).toEqual([]);
    expect(readDocuments('<nfse><dados><numero>10</numero></dados></nfse>')).toEqual([]);
  });
});

describe("an NFS-e of DSF's system", () => {
  const answered = (parts: string, beside = '') =>
    one(
      '<RetornoConsultaNotas><Notas><Nota><NumeroNota>77</NumeroNota><DataProcessamento>2026-05-04T09:00:00</DataProcessamento>' +
        '<CodigoVerificacao>abc</CodigoVerificacao><InscricaoMunicipalPrestador>123</InscricaoMunicipalPrestador>' +
        `<RazaoSocialPrestador>PRESTADORA</RazaoSocialPrestador>${parts}<AliquotaAtividade>5.00</AliquotaAtividade>` +
        `<ValorPIS>0.65</ValorPIS>${beside}<Itens><Item><DiscriminacaoServico>AULA</DiscriminacaoServico><ValorTotal>60.00</ValorTotal></Item>` +
        '<Item><DiscriminacaoServico>PROVA</DiscriminacaoServico><ValorTotal>40.50</ValorTotal></Item></Itens></Nota></Notas></RetornoConsultaNotas>',
    );

  it('as the web service answers it is the sum of its items, and its provider has no tax id', () => {
    const document = answered(
      `<SituacaoRPS>N</SituacaoRPS><NumeroNFSeSubstituida>0</NumeroNFSeSubstituida><CPFCNPJTomador>${cpf}</CPFCNPJTomador><TipoRecolhimento>A</TipoRecolhimento>`,
      '<Deducoes><Deducao><ValorDeduzir>10.00</ValorDeduzir></Deducao></Deducoes>',
    );
    expect(document).toMatchObject({
      layout: 'nfse dsf',
      number: '77',
      issued_at: '2026-05-04T09:00:00',
      verification_code: 'abc',
      status: 'authorized',
      recipient: { id: cpf, id_type: 'cpf' },
      iss_withheld: false,
      service: { rate: '5.00', description: 'AULA' },
      // 60.00 + 40.50; less 0.65
      totals: { services: '100.50', deductions: '10.00', withheld: '0.65', net_derived: '99.85' },
      references: [],
    });
    expect(document.issuer).toEqual({ name: 'PRESTADORA', municipal_registration: '123' });
    expect(document.warnings).toEqual([]);
  });

  it('says why it was cancelled, what it replaces, and whom it is for abroad', () => {
    const document = answered(
      '<SituacaoRPS>C</SituacaoRPS><NumeroNFSeSubstituida>70</NumeroNFSeSubstituida><CPFCNPJTomador>77777777777</CPFCNPJTomador>' +
        '<DocTomadorEstrangeiro>X-12.3</DocTomadorEstrangeiro><TipoRecolhimento>R</TipoRecolhimento><MotCancelamento>erro no valor</MotCancelamento>',
    );
    expect(document).toMatchObject({
      status: 'cancelled',
      event: { text: 'erro no valor' },
      references: [{ number: '70' }],
      recipient: { id: 'X-12.3', id_type: 'foreign' },
      iss_withheld: true,
    });
    // The ISS is withheld and nobody says how much.
    expect(document.totals.net_derived).toBeUndefined();
  });

  it('is no request to cancel one, nor a wrapper of that name', () => {
    expect(
      readDocuments(
        '<Lote><Nota><InscricaoMunicipalPrestador>1</InscricaoMunicipalPrestador><NumeroNota>7</NumeroNota></Nota></Lote>',
      ),
    ).toEqual([]);
  });

  const exported = (parts: string) =>
    one(
      `<NOTAS_FISCAIS><NOTA_FISCAL><TIPO>Prestado</TIPO><NUM_NOTA>000000000051453</NUM_NOTA><DATA_HORA_EMISSAO>01/07/2026 09:07:21</DATA_HORA_EMISSAO>` +
        `<MES_COMPETENCIA>06/2026</MES_COMPETENCIA>${parts}<PRESTADOR_CPF_CNPJ>${cnpj}</PRESTADOR_CPF_CNPJ><PRESTADOR_UF>RJ</PRESTADOR_UF>` +
        `<TOMADOR_CPF_CNPJ>${cpf}</TOMADOR_CPF_CNPJ><VALOR_NOTA>1387,36</VALOR_NOTA><VALOR_SERVICO>1387,36</VALOR_SERVICO><VALOR_ISS>27,7</VALOR_ISS>` +
        '<VALOR_PIS>0</VALOR_PIS><ALIQUOTA>2</ALIQUOTA><COS_SERVICO>0412</COS_SERVICO></NOTA_FISCAL></NOTAS_FISCAIS>',
    );

  it('as a city’s site exports it has its number without the zeros before it', () => {
    const document = exported(
      '<SITUACAO_NF>Normal</SITUACAO_NF><DATA_HORA_CANCELAMENTO>0000000000000000000</DATA_HORA_CANCELAMENTO><TIPO_RECOLHIMENTO>A</TIPO_RECOLHIMENTO><VALOR_ISS_RET>0</VALOR_ISS_RET>',
    );
    expect(document).toMatchObject({
      layout: 'nfse dsf export',
      number: '51453',
      issued_at: '2026-07-01T09:07:21',
      competence: '2026-06',
      status: 'authorized',
      issuer: { id: cnpj, state: 'RJ' },
      recipient: { id: cpf, id_type: 'cpf' },
      iss_withheld: false,
      service: { code: '0412', rate: '2' },
      totals: { services: '1387.36', iss: '27.7', withheld: '0', net_derived: '1387.36' },
    });
    expect(document.event).toBeUndefined();
  });

  it('as a city’s site exports it says when it was cancelled and what ISS is withheld', () => {
    expect(
      exported(
        '<SITUACAO_NF>Cancelada</SITUACAO_NF><DATA_HORA_CANCELAMENTO>02/07/2026 08:00:00</DATA_HORA_CANCELAMENTO><TIPO_RECOLHIMENTO>R</TIPO_RECOLHIMENTO><VALOR_ISS_RET>27,70</VALOR_ISS_RET>',
      ),
    ).toMatchObject({
      status: 'cancelled',
      event: { at: '2026-07-02T08:00:00' },
      iss_withheld: true,
      // 1387.36 - 27.70
      totals: { withheld: '27.70', iss_withheld: '27.70', net_derived: '1359.66' },
    });
    expect(exported('<SITUACAO_NF>Extraviada</SITUACAO_NF>').status).toBe('unknown');
  });
});

describe("an NFS-e of E&L's system", () => {
  const note = (parts: string, services: string) =>
    one(
      '<tcListaNFse><Nfse><Id>8a7f90</Id><LocalPrestacao>2</LocalPrestacao>' +
        `${parts}<DataEmissao>2026-03-20T00:00:00.000-03:00</DataEmissao><IdentificacaoNfse><Numero>243</Numero><Serie>PADRAO</Serie></IdentificacaoNfse>` +
        `<DadosPrestador><IdentificacaoPrestador><CpfCnpj>${cnpj}</CpfCnpj></IdentificacaoPrestador><RazaoSocial>CLINICA</RazaoSocial>` +
        '<Endereco><CodigoMunicipio>0</CodigoMunicipio><Municipio>COLATINA</Municipio><Uf>ES</Uf></Endereco></DadosPrestador>' +
        `<DadosTomador><IdentificacaoTomador><CpfCnpj>${cpf}</CpfCnpj></IdentificacaoTomador><RazaoSocial>FULANA</RazaoSocial></DadosTomador>` +
        `<Servicos>${services}</Servicos><Valores><ValorServicos>1030.00</ValorServicos><ValorIr>15.45</ValorIr><ValorIss>20.60</ValorIss>` +
        '<ValorLiquidoNfse>1014.55</ValorLiquidoNfse></Valores></Nfse></tcListaNFse>',
    );
  const service =
    '<CodigoServico116>4.12</CodigoServico116><Descricao>CONSULTA</Descricao><Aliquota>2.00</Aliquota>';

  it('has its service in Servicos or below it, and ISS that is not withheld by 1', () => {
    const document = note('<IssRetido>1</IssRetido><Status>1</Status>', service);
    expect(document).toMatchObject({
      layout: 'nfse el',
      number: '243',
      series: 'PADRAO',
      verification_code: '8a7f90',
      issued_at: '2026-03-20T00:00:00.000-03:00',
      status: 'authorized',
      issuer: { id: cnpj, name: 'CLINICA', state: 'ES', city: 'COLATINA' },
      recipient: { id: cpf, id_type: 'cpf', name: 'FULANA' },
      iss_withheld: false,
      service: { code: '4.12', rate: '2.00', description: 'CONSULTA' },
      totals: { services: '1030.00', withheld: '15.45', total: '1014.55', iss: '20.60' },
    });
    expect(document.warnings).toEqual([]);
    const nested = note('<IssRetido>1</IssRetido><Status>1</Status>', `<Servico>${service}</Servico>`);
    expect(nested.service).toEqual(document.service);
  });

  it('has ISS withheld by 2 and is cancelled by 2', () => {
    const document = note('<IssRetido>2</IssRetido><Status>2</Status>', service);
    expect(document).toMatchObject({ status: 'cancelled', iss_withheld: true });
    // 1030.00 - 15.45 - 20.60
    expect(document.warnings).toEqual([
      { code: 'net_against_parts', values: { found: '1014.55', expected: '993.95' } },
    ]);
    expect(note('<Status>3</Status>', service)).toMatchObject({ status: 'unknown' });
  });
});

describe('an NFS-e of Osasco', () => {
  const nil = ' xsi:nil="true"';
  const note = (parts: string) =>
    one(
      `<NFE xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><NotaFiscalRelatorioDTO><Prestador><CNPJ>${cnpj}</CNPJ><InscricaoMunicipal>99</InscricaoMunicipal>` +
        `<Nome>CLINICA</Nome><Endereco><Cidade>Osasco</Cidade><Estado>SP</Estado></Endereco></Prestador><Tomador><CPF>${cpf}</CPF><Nome>FULANA</Nome></Tomador>` +
        `<DataEmissao>2026-08-01T09:11:38.9089981-03:00</DataEmissao><Numero>2211</Numero><Serie>E</Serie>${parts}<ValorIss>100.00</ValorIss><Valor>2000.00</Valor>` +
        `<ValorIR>30.00</ValorIR><ValorINSS${nil}/><BaseCalculo>2000.00</BaseCalculo><Aliquota>5</Aliquota><DescricaoAtividade>4.12 - Odontologia</DescricaoAtividade>` +
        '<CodigoAutenticidade>UKFG</CodigoAutenticidade><NotaFiscalSubstituida>0</NotaFiscalSubstituida></NotaFiscalRelatorioDTO></NFE>',
    );

  it('is read with what is nil left out', () => {
    const document = note(
      `<DataCancelamento${nil}/><SubstituicaoTributaria>false</SubstituicaoTributaria><SomarISSAoValorTotal>false</SomarISSAoValorTotal>`,
    );
    expect(document).toMatchObject({
      layout: 'nfse osasco',
      number: '2211',
      series: 'E',
      verification_code: 'UKFG',
      status: 'authorized',
      issuer: { id: cnpj, name: 'CLINICA', city: 'Osasco', state: 'SP', municipal_registration: '99' },
      recipient: { id: cpf, id_type: 'cpf' },
      iss_withheld: false,
      service: { code: '4.12', rate: '5', base: '2000.00' },
      references: [],
      totals: { services: '2000.00', iss: '100.00', withheld: '30.00', net_derived: '1970.00' },
    });
    expect(document.environment).toBeUndefined();
  });

  it('under substitution leaves the ISS with the recipient, and has no net value where the ISS is on top', () => {
    const withheld = note('<SubstituicaoTributaria>true</SubstituicaoTributaria>');
    // 2000.00 - 30.00 - 100.00
    expect(withheld).toMatchObject({
      iss_withheld: true,
      totals: { withheld: '130.00', net_derived: '1870.00' },
    });
    const onTop = note(
      '<SubstituicaoTributaria>false</SubstituicaoTributaria><SomarISSAoValorTotal>true</SomarISSAoValorTotal>',
    );
    expect(onTop.totals.net_derived).toBeUndefined();
  });

  it.each([
    ['<DataCancelamento>2026-08-02T10:00:00-03:00</DataCancelamento>', 'cancelled'],
    ['<DataCancelamento>0001-01-01T00:00:00</DataCancelamento>', 'authorized'],
    ['<EmitidaParaPreVisualizacao>true</EmitidaParaPreVisualizacao>', 'no_protocol'],
    ['<EmitidaParaPreVisualizacao>false</EmitidaParaPreVisualizacao>', 'authorized'],
  ])('with %s is %s', (parts, status) => {
    expect(note(parts).status).toBe(status);
  });

  it('made for a test says so', () => {
    const document = note('<EmitidaParaHomologacao>true</EmitidaParaHomologacao>');
    expect(document.environment).toBe('test');
    expect(document.warnings.map(({ code }) => code)).toEqual(['test_environment']);
  });
});
