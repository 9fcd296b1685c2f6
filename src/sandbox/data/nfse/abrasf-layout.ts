import { isoDate, isoWallClock, type Moment } from '../calendar.ts';
import { type Party, taxIdElement } from '../parties/party.ts';
import { createRandom } from '../random.ts';
import { formatCents, formatRate } from '../taxes/cents.ts';
import { element, group, leaves } from '../xml.ts';
import type { Nfse } from './book.ts';
import type { NfseContent } from './content.ts';

function taxId(party: Party): string {
  return group('CpfCnpj', leaves({ [taxIdElement(party) === 'CNPJ' ? 'Cnpj' : 'Cpf']: party.id }));
}

/** The city's registration number of a provider. */
function cityRegistration(party: Party): string {
  return createRandom('city registration', party.id).digits(9);
}

function address(party: Party): string {
  return group(
    'Endereco',
    leaves({
      Endereco: party.street,
      Numero: party.streetNumber,
      Bairro: party.district,
      CodigoMunicipio: party.city.code,
      Uf: party.city.state,
      Cep: party.postalCode,
    }),
  );
}

function provider(party: Party): string {
  const registration = leaves({ InscricaoMunicipal: cityRegistration(party) });
  return group(
    'PrestadorServico',
    group('IdentificacaoPrestador', taxId(party), registration),
    leaves({ RazaoSocial: party.name }),
    address(party),
  );
}

/** The federal taxes here are what the taker withholds; PIS and COFINS are never withheld in the sandbox. */
function service(note: Nfse, content: NfseContent): string {
  const { nationalCode, nbs } = note.service;
  const { withheld } = content;
  return group(
    'Servico',
    group(
      'Valores',
      leaves({
        ValorServicos: formatCents(content.gross),
        ValorDeducoes: '0.00',
        ValorPis: '0.00',
        ValorCofins: '0.00',
        ValorIr: formatCents(withheld.incomeTax),
        ValorCsll: formatCents(withheld.socialContribution),
        ValorIss: formatCents(content.iss),
        Aliquota: formatRate(content.issRate),
      }),
    ),
    leaves({
      IssRetido: withheld.iss > 0 ? '1' : '2',
      ItemListaServico: `${nationalCode.slice(0, 2)}.${nationalCode.slice(2, 4)}`,
      CodigoNbs: nbs,
      Discriminacao: content.description,
      CodigoMunicipio: note.issuer.city.code,
      ExigibilidadeISS: '1',
      MunicipioIncidencia: note.issuer.city.code,
    }),
  );
}

function declaration(note: Nfse, content: NfseContent): string {
  const { issuer, recipient } = note;
  const number = String(note.number);
  const day = isoDate(note.issuedAt);
  return group(
    'DeclaracaoPrestacaoServico',
    group(
      'InfDeclaracaoPrestacaoServico',
      group(
        'Rps',
        group('IdentificacaoRps', leaves({ Numero: number, Serie: '1', Tipo: '1' })),
        leaves({ DataEmissao: day, Status: '1' }),
      ),
      leaves({ Competencia: `${day.slice(0, 7)}-01` }),
      service(note, content),
      group('Prestador', taxId(issuer), leaves({ InscricaoMunicipal: cityRegistration(issuer) })),
      group(
        'TomadorServico',
        group('IdentificacaoTomador', taxId(recipient)),
        leaves({ RazaoSocial: recipient.name }),
        address(recipient),
      ),
      leaves({ OptanteSimplesNacional: issuer.regime === '1' ? '1' : '2', IncentivoFiscal: '2' }),
    ),
  );
}

function cancellation(note: Nfse, now: Moment): string {
  if (note.cancelledAt === undefined || note.cancelledAt > now) return '';
  const subject = group(
    'IdentificacaoNfse',
    leaves({ Numero: String(note.number) }),
    taxId(note.issuer),
    leaves({ InscricaoMunicipal: cityRegistration(note.issuer), CodigoMunicipio: note.issuer.city.code }),
  );
  const request = group('InfPedidoCancelamento', subject, leaves({ CodigoCancelamento: '2' }));
  const at = leaves({ DataHora: isoWallClock(note.cancelledAt) });
  return group('NfseCancelamento', group('Confirmacao', group('Pedido', request), at));
}

/** `CompNfse` of ABRASF 2.04, without XML declaration. */
export function abrasfNfseXml(note: Nfse, content: NfseContent, now: Moment): string {
  const { issuer } = note;
  const code = createRandom('verification', issuer.id, note.number).digits(8);
  return element(
    'CompNfse',
    { xmlns: 'http://www.abrasf.org.br/nfse.xsd' },
    element(
      'Nfse',
      { versao: '2.04' },
      element(
        'InfNfse',
        { Id: `nfse${note.number}` },
        leaves({
          Numero: String(note.number),
          CodigoVerificacao: code,
          DataEmissao: isoWallClock(note.issuedAt),
        }),
        group(
          'ValoresNfse',
          leaves({
            BaseCalculo: formatCents(content.gross),
            Aliquota: formatRate(content.issRate),
            ValorIss: formatCents(content.iss),
            ValorLiquidoNfse: formatCents(content.net),
          }),
        ),
        provider(issuer),
        group('OrgaoGerador', leaves({ CodigoMunicipio: issuer.city.code, Uf: issuer.city.state })),
        declaration(note, content),
      ),
    ),
    cancellation(note, now),
  );
}
