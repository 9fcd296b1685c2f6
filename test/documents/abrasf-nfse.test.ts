import { describe, expect, it } from 'vitest';
import { one } from './one-document.ts';

describe('an NFS-e by ABRASF', () => {
  const abrasf = (note: string, beside = '') =>
    `<ListaNfse><CompNfse><Nfse><InfNfse><Numero>7</Numero><Competencia>2026-01</Competencia>${note}</InfNfse></Nfse>${beside}</CompNfse></ListaNfse>`;

  it.each([
    ['', 'authorized'],
    ['<NfseCancelamento/>', 'authorized'],
    [
      '<NfseCancelamento><Confirmacao><DataHora>2026-01-02T00:00:00</DataHora></Confirmacao></NfseCancelamento>',
      'cancelled',
    ],
    [
      '<NfseCancelamento><Confirmacao><InfConfirmacaoCancelamento><Sucesso>false</Sucesso><DataHora>2026-01-02T00:00:00</DataHora></InfConfirmacaoCancelamento></Confirmacao></NfseCancelamento>',
      'authorized',
    ],
    [
      '<NfseCancelamento><Confirmacao><InfConfirmacaoCancelamento><Sucesso>true</Sucesso></InfConfirmacaoCancelamento></Confirmacao></NfseCancelamento>',
      'cancelled',
    ],
    [
      '<NfseCancelamento><Confirmacao><DataHoraCancelamento>2026-01-02T00:00:00</DataHoraCancelamento></Confirmacao></NfseCancelamento>',
      'cancelled',
    ],
    [
      '<NfseCancelamento><Pedido><InfPedidoCancelamento/></Pedido><DataHoraCancelamento>2026-01-02T00:00:00</DataHoraCancelamento></NfseCancelamento>',
      'cancelled',
    ],
    [
      '<NfseCancelamento><Pedido/><Sucesso>false</Sucesso><DataHoraCancelamento>2026-01-02T00:00:00</DataHoraCancelamento></NfseCancelamento>',
      'authorized',
    ],
    ['<NfseCancelamento><Pedido><InfPedidoCancelamento/></Pedido></NfseCancelamento>', 'authorized'],
    [
      '<NfseCancelamento><Confirmacao><DataHora>0001-01-01T00:00:00</DataHora></Confirmacao></NfseCancelamento>',
      'authorized',
    ],
    [
      '<NfseSubstituicao><SubstituicaoNfse><NfseSubstituidora>8</NfseSubstituidora></SubstituicaoNfse></NfseSubstituicao>',
      'cancelled',
    ],
  ])('with %s is %s', (beside, status) => {
    expect(one(abrasf('', beside)).status).toBe(status);
  });

  it('of version 2 adds what is withheld, the ISS with it', () => {
    const values =
      '<DeclaracaoPrestacaoServico><InfDeclaracaoPrestacaoServico><Servico><Valores><ValorServicos>100.00</ValorServicos>' +
      '<ValorPis>0.65</ValorPis><ValorIr>1.50</ValorIr><ValorIss>5.00</ValorIss></Valores><IssRetido>1</IssRetido></Servico>' +
      '</InfDeclaracaoPrestacaoServico></DeclaracaoPrestacaoServico><ValoresNfse><ValorLiquidoNfse>92.85</ValorLiquidoNfse></ValoresNfse>';
    const document = one(abrasf(values));
    expect(document).toMatchObject({
      layout: 'nfse abrasf 2.00',
      iss_withheld: true,
      totals: { withheld: '7.15', total: '92.85' },
    });
    expect(document.warnings).toEqual([]);
  });

  it("takes a national key from the free text only where it is the note's own", () => {
    const key = '31367021211222333000181000000056753126080574690042';
    const text = `<OutrasInformacoes>[CHAVE NFSE NACIONAL: ${key}]</OutrasInformacoes>`;
    expect(one(abrasf(text)).key).toBeUndefined();
    expect(one(abrasf(text).replace('>7<', '>567531<')).key).toBe(key);
  });

  const municipal = (amounts: string, more = '') =>
    one(
      '<CompNfse><Nfse><InfNfse><Numero>5</Numero><DataEmissao>2026-10-06T09:00:00</DataEmissao><Servico>' +
        `<Valores><ValorServicos>500.00</ValorServicos>${amounts}</Valores></Servico></InfNfse></Nfse>${more}</CompNfse>`,
    );

  it.each([
    // 500.00 - 3.25 - 15.00 - 10.00 - 2.00 = 469.75
    [
      '<ValorPis>3.25</ValorPis><ValorCofins>15.00</ValorCofins><IssRetido>2</IssRetido>' +
        '<DescontoIncondicionado>10.00</DescontoIncondicionado><DescontoCondicionado>2.00</DescontoCondicionado>',
      '469.75',
    ],
    ['<IssRetido>1</IssRetido><ValorIssRetido>25.00</ValorIssRetido>', '475.00'],
    ['<IssRetido>2</IssRetido><ValorIss>25.00</ValorIss>', '500.00'],
    // Withheld, and nobody says how much.
    ['<IssRetido>1</IssRetido>', undefined],
    // Nobody says whether.
    ['<ValorIss>25.00</ValorIss>', undefined],
    ['<IssRetido>2</IssRetido><ValorLiquidoNfse>480.00</ValorLiquidoNfse>', undefined],
  ])('without a net value has it worked out from all that is taken, or not at all: %s', (amounts, net) => {
    const { totals } = municipal(amounts);
    expect(totals.net_derived).toBe(net);
    expect(totals.total).toBe(/Liquido/.test(amounts) ? '480.00' : net);
  });

  it('names the ISS withheld apart from the ISS, and the moment of its cancellation', () => {
    const withheld = municipal(
      '<ValorIss>0.00</ValorIss><IssRetido>1</IssRetido><ValorIssRetido>25.00</ValorIssRetido>',
    );
    expect(withheld).toMatchObject({ iss_withheld: true, totals: { iss: '0.00', iss_withheld: '25.00' } });
    const cancellation =
      '<NfseCancelamento><Confirmacao><DataHora>2026-10-06T12:00:00</DataHora></Confirmacao></NfseCancelamento>';
    expect(municipal('<IssRetido>2</IssRetido>', cancellation)).toMatchObject({
      status: 'cancelled',
      event: { at: '2026-10-06T12:00:00' },
    });
    expect(municipal('<IssRetido>2</IssRetido>').event).toBeUndefined();
  });

  it.each(['CompNfse', 'ComplNfse', 'tcCompNfse'])(
    'is one in %s, with the cancellation beside it',
    (root) => {
      const cancellation =
        '<NfseCancelamento><Pedido/><DataHoraCancelamento>2026-01-02T00:00:00</DataHoraCancelamento></NfseCancelamento>';
      const xml = `<ListaNfse><${root}><Nfse><InfNfse><Numero>7</Numero><DataEmissao>2026-01-01T00:00:00</DataEmissao></InfNfse></Nfse>${cancellation}</${root}></ListaNfse>`;
      expect(one(xml)).toMatchObject({
        number: '7',
        status: 'cancelled',
        event: { at: '2026-01-02T00:00:00' },
      });
    },
  );

  it.each([
    ['1', true],
    ['true', true],
    ['2', false],
    ['false', false],
    ['S', true],
    ['Não', false],
    ['talvez', undefined],
  ])('with IssRetido %s has ISS withheld: %s', (text, withheld) => {
    expect(municipal(`<IssRetido>${text}</IssRetido>`).iss_withheld).toBe(withheld);
  });

  it.each([
    ['<CodigoMunicipio>3106200</CodigoMunicipio><Uf>MG</Uf>', 'MG'],
    ['<CodigoMunicipio>3106200</CodigoMunicipio>', 'MG'],
    ['<CodigoMunicipio>9999999</CodigoMunicipio>', 'EX'],
    // The tax office's own code, and one that no state has.
    ['<CodigoMunicipio>4123</CodigoMunicipio>', undefined],
    ['<CodigoMunicipio>9906200</CodigoMunicipio>', undefined],
  ])('has its recipient in the state of the city where the file names none: %s', (address, state) => {
    const recipient = `<TomadorServico><RazaoSocial>X</RazaoSocial><Endereco>${address}</Endereco></TomadorServico>`;
    expect(one(abrasf(recipient)).recipient?.state).toBe(state);
  });
});
