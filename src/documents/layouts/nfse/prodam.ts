import { checkParties, type Unchecked } from '../../summary/checks.ts';
import type { Collected } from '../../summary/collected.ts';
import type { FieldTable } from '../../summary/field-table.ts';
import type { DocumentStatus, DocumentSummary } from '../../summary/summary.ts';
import { withWarnings } from '../common-parts.ts';
import { derivedNet, municipalWithheld } from './net-value.ts';
import { cancellationFrom, noteParts } from './note-parts.ts';

/** A note of the city of São Paulo, from its `NFe` down. Source: docs/fiscal/layouts.md. */
export const prodamFields: FieldTable = {
  fields: {
    'ChaveNFe/NumeroNFe': 'document.number',
    'ChaveNFe/CodigoVerificacao': 'document.verification_code',
    'ChaveNFe/ChaveNotaNacional': 'document.key',
    'ChaveNFe/InscricaoPrestador': 'issuer.municipal_registration',
    DataEmissaoNFe: 'document.issued_at',
    StatusNFe: 'clue.situation',
    DataCancelamento: 'clue.cancelled_at',
    'CPFCNPJPrestador/CNPJ': 'issuer.cnpj',
    'CPFCNPJPrestador/CPF': 'issuer.cpf',
    RazaoSocialPrestador: 'issuer.name',
    'EnderecoPrestador/UF': 'issuer.state',
    'CPFCNPJTomador/CNPJ': 'recipient.cnpj',
    'CPFCNPJTomador/CPF': 'recipient.cpf',
    InscricaoMunicipalTomador: 'recipient.municipal_registration',
    RazaoSocialTomador: 'recipient.name',
    'EnderecoTomador/UF': 'recipient.state',
    ValorServicos: 'totals.services',
    ValorDeducoes: 'totals.deductions',
    ValorPIS: 'withheld.pis',
    ValorCOFINS: 'withheld.cofins',
    ValorINSS: 'withheld.inss',
    ValorIR: 'withheld.income_tax',
    ValorCSLL: 'withheld.csll',
    CodigoServico: 'service.code',
    AliquotaServicos: 'service.rate',
    ValorISS: 'totals.iss',
    ISSRetido: 'clue.iss_withheld',
    Discriminacao: 'service.description',
  },
};

function prodamStatus(letter: string | undefined): DocumentStatus {
  if (letter === 'N') return 'authorized';
  return letter === 'C' ? 'cancelled' : 'unknown';
}

/** A note of the city of São Paulo, which names no net value. */
export function summarizeProdamNfse(collected: Collected): DocumentSummary | undefined {
  const { clue, document: header } = collected.sections;
  if (header.number === undefined) return undefined;
  const iss_withheld = clue.iss_withheld === undefined ? undefined : clue.iss_withheld === 'true';
  const { totals } = collected.sections;
  totals.withheld = municipalWithheld(collected, iss_withheld === true);
  totals.net_derived = derivedNet(collected, iss_withheld);
  const status = prodamStatus(clue.situation);
  const parts = noteParts(collected, 'nfse prodam', status);
  const document: Unchecked = Object.assign(parts, {
    iss_withheld,
    event: cancellationFrom(collected, status),
  });
  return withWarnings(document, checkParties(document));
}
