import { describe, expect, it } from 'vitest';
import { one } from './one-document.ts';

const cnpj = '11222333000181';
const cpf = '52998224725';

describe('an NFS-e of São Paulo', () => {
  it("inside the service's own NFSe element is found", () => {
    const xml =
      '<retDownloadNFSes><retorno><NFSe NumeroDocumento="5"><Conteudo><NFe><ChaveNFe><NumeroNFe>5</NumeroNFe></ChaveNFe>' +
      '<StatusNFe>C</StatusNFe><ValorServicos>10</ValorServicos><ValorISS>0.5</ValorISS><ISSRetido>true</ISSRetido></NFe></Conteudo></NFSe></retorno></retDownloadNFSes>';
    expect(one(xml)).toMatchObject({
      layout: 'nfse prodam',
      number: '5',
      status: 'cancelled',
      iss_withheld: true,
      totals: { services: '10', withheld: '0.5' },
    });
  });

  it('whose amounts are no numbers has no sum of them', () => {
    const xml =
      '<NFe><ChaveNFe><NumeroNFe>5</NumeroNFe></ChaveNFe><StatusNFe>constructor</StatusNFe><DataEmissaoNFe>2026-10-05T10:00:00</DataEmissaoNFe><ValorPIS>dez</ValorPIS></NFe>';
    const document = one(xml);
    expect(document.status).toBe('unknown');
    expect(document.totals).toEqual({});
  });

  it('of version 2 has IBS and CBS, the city of the service and a recipient abroad', () => {
    const document = one(
      '<NFe><ChaveNFe><InscricaoPrestador>39616924</InscricaoPrestador><NumeroNFe>17943</NumeroNFe>' +
        '<ChaveNotaNacional>35503082258716523000119000000000001226011357924683</ChaveNotaNacional></ChaveNFe>' +
        '<DataEmissaoNFe>2026-10-05T10:00:00</DataEmissaoNFe><DataFatoGeradorNFe>2026-10-01T00:00:00</DataFatoGeradorNFe>' +
        `<CPFCNPJPrestador><CNPJ>${cnpj}</CNPJ></CPFCNPJPrestador><EnderecoPrestador><Cidade>3550308</Cidade></EnderecoPrestador>` +
        '<StatusNFe>N</StatusNFe><ValorServicos>1000.00</ValorServicos><ValorISS>50.00</ValorISS><ISSRetido>false</ISSRetido>' +
        '<CPFCNPJTomador><NIF>US 12-3456789</NIF></CPFCNPJTomador><MunicipioPrestacao>3550308</MunicipioPrestacao><NBS>115022000</NBS>' +
        '<IBSCBS><valores><trib><gIBSCBS><cClassTrib>000001</cClassTrib></gIBSCBS></trib></valores></IBSCBS>' +
        '<RetornoComplementarIBSCBS><ValorBCIBSCBS>950.00</ValorBCIBSCBS><ValorEstadualIBS>0.95</ValorEstadualIBS>' +
        '<ValorMunicipalIBS>0.10</ValorMunicipalIBS><ValorCBS>8.55</ValorCBS></RetornoComplementarIBSCBS></NFe>',
    );
    expect(document).toMatchObject({
      layout: 'nfse prodam',
      key: '35503082258716523000119000000000001226011357924683',
      competence: '2026-10-01T00:00:00',
      issuer: { id: cnpj, state: 'SP' },
      recipient: { id: 'US 12-3456789', id_type: 'foreign' },
      service: { nbs: '115022000', city: '3550308' },
      taxation: { class_trib: '000001' },
      // 0.95 + 0.10, since the file leaves the sum out.
      totals: {
        services: '1000.00',
        ibs_cbs_base: '950.00',
        ibs: '1.05',
        cbs: '8.55',
        net_derived: '1000.00',
      },
    });
  });
});

describe('an NFS-e of Bauru', () => {
  const note = (status: string, withheld: string, taker: string) =>
    one(
      '<NFe><Prefeitura>Bauru</Prefeitura><InscricaoPrestador>577</InscricaoPrestador>' +
        `<CPFCNPJPrestador><CNPJ>${cnpj}</CNPJ></CPFCNPJPrestador><ChaveNFe><NumeroNFe>1087</NumeroNFe><SerieNFe>1</SerieNFe>` +
        '<CodigoVerificacao>02C0</CodigoVerificacao><DataEmissaoNFe>2026-01-27</DataEmissaoNFe></ChaveNFe>' +
        `<StatusNFe>${status}</StatusNFe><ValorServicos>1.250,50</ValorServicos><ValorBase>1.250,50</ValorBase>` +
        '<CodigoServico>412</CodigoServico><AliquotaServicos>2,00</AliquotaServicos><ValorIR>18,76</ValorIR>' +
        `<ValorISS>25,01</ValorISS><ISSRetido>${withheld}</ISSRetido>${taker}<Discriminacao>CONSULTA</Discriminacao></NFe>`,
    );

  it('has amounts with points, the moment in the key and a CPF that stands as CNPJ', () => {
    const document = note('Ativa', 'NÃO', `<CPFCNPJTomador><CNPJ>${cpf}</CNPJ></CPFCNPJTomador>`);
    expect(document).toMatchObject({
      kind: 'nfse',
      layout: 'nfse bauru',
      number: '1087',
      series: '1',
      issued_at: '2026-01-27',
      verification_code: '02C0',
      status: 'authorized',
      issuer: { id: cnpj, id_type: 'cnpj', municipal_registration: '577' },
      recipient: { id: cpf, id_type: 'cpf' },
      iss_withheld: false,
      service: { code: '412', rate: '2.00', base: '1250.50', description: 'CONSULTA' },
      // 1250.50 - 18.76
      totals: { services: '1250.50', iss: '25.01', withheld: '18.76', net_derived: '1231.74' },
    });
    expect(document.warnings).toEqual([]);
  });

  it('takes the ISS off where it is withheld, and knows no other word for its state', () => {
    // 1250.50 - 18.76 - 25.01
    expect(note('Cancelada', 'SIM', '')).toMatchObject({
      status: 'cancelled',
      iss_withheld: true,
      totals: { withheld: '43.77', net_derived: '1206.73' },
    });
    expect(note('Substituída', 'TALVEZ', '')).toMatchObject({ status: 'unknown' });
    expect(note('Ativa', 'TALVEZ', '').iss_withheld).toBeUndefined();
  });
});

describe('an NFS-e as Ginfes exports it', () => {
  const nfse = (rest = '') =>
    '<ns2:Nfse><ns3:IdentificacaoNfse><ns3:Numero>1204</ns3:Numero><ns3:CodigoVerificacao>WXYZ</ns3:CodigoVerificacao></ns3:IdentificacaoNfse>' +
    '<ns3:DataEmissao>2026-02-03T08:00:00</ns3:DataEmissao><ns3:Competencia>2026-02-01</ns3:Competencia>' +
    '<ns3:NfseSubstituida><ns3:Numero>1200</ns3:Numero></ns3:NfseSubstituida><ns3:Servico><ns3:Valores><ns3:ValorServicos>200.00</ns3:ValorServicos>' +
    '<ns3:ValorPis>1.30</ns3:ValorPis><ns3:IssRetido>2</ns3:IssRetido><ns3:ValorLiquidoNfse>198.70</ns3:ValorLiquidoNfse></ns3:Valores>' +
    '<ns3:ItemListaServico>4.12</ns3:ItemListaServico><ns3:MunicipioPrestacaoServico>2704302</ns3:MunicipioPrestacaoServico></ns3:Servico>' +
    `<ns3:PrestadorServico><ns3:IdentificacaoPrestador><ns3:Cnpj>${cnpj}</ns3:Cnpj></ns3:IdentificacaoPrestador><ns3:Endereco><ns3:Cidade>2704302</ns3:Cidade></ns3:Endereco></ns3:PrestadorServico>` +
    `<ns3:TomadorServico><ns3:IdentificacaoTomador><ns3:CpfCnpj><ns3:Cpf>${cpf}</ns3:Cpf></ns3:CpfCnpj></ns3:IdentificacaoTomador><ns3:Endereco><ns3:Estado>PE</ns3:Estado></ns3:Endereco></ns3:TomadorServico>${rest}</ns2:Nfse>`;
  const cancellation = '<Cancelamento><data>2026-02-04T09:00:00</data><Motivo>erro</Motivo></Cancelamento>';

  it('has its number in a group and its fields without InfNfse around them', () => {
    const document = one(`<ns2:NFSE>${nfse()}</ns2:NFSE>`);
    expect(document).toMatchObject({
      layout: 'nfse ginfes',
      number: '1204',
      verification_code: 'WXYZ',
      issued_at: '2026-02-03T08:00:00',
      competence: '2026-02-01',
      status: 'authorized',
      issuer: { id: cnpj, state: 'AL' },
      recipient: { id: cpf, id_type: 'cpf', state: 'PE' },
      references: [{ number: '1200' }],
      iss_withheld: false,
      service: { code: '4.12', city: '2704302' },
      totals: { services: '200.00', withheld: '1.30', total: '198.70' },
    });
    expect(document.warnings).toEqual([]);
  });

  it('is cancelled by what stands in it or beside it', () => {
    const cancelled = { status: 'cancelled', event: { at: '2026-02-04T09:00:00' }, number: '1204' };
    expect(one(`<ns2:NFSE>${nfse(cancellation)}</ns2:NFSE>`)).toMatchObject(cancelled);
    expect(one(`<ListaNfse><CompNfse>${nfse()}${cancellation}</CompNfse></ListaNfse>`)).toMatchObject({
      ...cancelled,
      layout: 'nfse ginfes',
    });
  });
});

describe('amounts and ids of municipal notes', () => {
  it('are the same with a mask or a comma', () => {
    const document = one(
      '<CompNfse><Nfse><InfNfse><Numero>7</Numero><NfseSubstituida>0</NfseSubstituida><Servico><Valores><ValorServicos>1.234,56</ValorServicos><IssRetido>2</IssRetido>' +
        '<BaseCalculo>1234.56</BaseCalculo><Aliquota>0,02</Aliquota></Valores></Servico><PrestadorServico><IdentificacaoPrestador>' +
        '<Cnpj>11.222.333/0001-81</Cnpj></IdentificacaoPrestador></PrestadorServico><TomadorServico><IdentificacaoTomador><CpfCnpj>' +
        '<Cpf>529.982.247-25</Cpf></CpfCnpj></IdentificacaoTomador></TomadorServico></InfNfse></Nfse></CompNfse>',
    );
    expect(document).toMatchObject({
      issuer: { id: cnpj, id_type: 'cnpj' },
      recipient: { id: cpf, id_type: 'cpf' },
      service: { rate: '0.02', base: '1234.56' },
      totals: { services: '1234.56', net_derived: '1234.56' },
      references: [],
    });
    expect(document.warnings).toEqual([]);
  });
});
