import { checkNationalNfseKey } from '../../identity/keys.ts';
import {
  below,
  type Collected,
  type DocumentLayout,
  type FieldTable,
  together,
} from '../../summary/fields.ts';
import { meantMoment, municipalLayout, yesOrNo } from './municipal-note.ts';
import { nationalNfse, summarizeNationalNfse } from './national.ts';

const abrasfService: FieldTable = {
  raw: { iss_withheld: 'IssRetido Valores/IssRetido', discount_conditional: 'Valores/DescontoCondicionado' },
  service: [
    { code: 'ItemListaServico', nbs: 'CodigoNbs', city: 'CodigoMunicipio', iss_city: 'MunicipioIncidencia' },
    { description: 'Discriminacao' },
    { in: 'Valores', base: 'BaseCalculo', rate: 'Aliquota' },
  ],
  totals: [
    { in: 'Valores', services: 'ValorServicos', deductions: 'ValorDeducoes', iss: 'ValorIss' },
    { in: 'Valores', discount: 'DescontoIncondicionado', total: 'ValorLiquidoNfse' },
  ],
  withheld: [
    { in: 'Valores', pis: 'ValorPis', cofins: 'ValorCofins', inss: 'ValorInss', income_tax: 'ValorIr' },
    { in: 'Valores', csll: 'ValorCsll', other: 'OutrasRetencoes', iss: 'ValorIssRetido' },
  ],
};

const abrasfProvider: FieldTable = {
  issuer: [
    { in: 'IdentificacaoPrestador/CpfCnpj CpfCnpj', cnpj: 'Cnpj', cpf: 'Cpf' },
    { cnpj: 'IdentificacaoPrestador/Cnpj', name: 'RazaoSocial' },
    { municipal_registration: 'IdentificacaoPrestador/InscricaoMunicipal InscricaoMunicipal' },
    { in: 'Endereco', state: 'Uf', city_code: 'CodigoMunicipio' },
  ],
};

const abrasfTaker: FieldTable = {
  recipient: [
    { in: 'IdentificacaoTomador/CpfCnpj', cnpj: 'Cnpj', cpf: 'Cpf' },
    { municipal_registration: 'IdentificacaoTomador/InscricaoMunicipal', foreign: 'NifTomador' },
    { name: 'RazaoSocial', country: 'EnderecoExterior/CodigoPais' },
    { in: 'Endereco', state: 'Uf', city_code: 'CodigoMunicipio' },
  ],
};

const abrasfNote: FieldTable = together(
  {
    document: [
      { number: 'Numero', verification_code: 'CodigoVerificacao', issued_at: 'DataEmissao' },
      { competence: 'Competencia' },
    ],
    references: { each: 'NfseSubstituida', number: '.' },
    notes: { issuer: 'OutrasInformacoes' },
    issuer: { is_under_simples: 'OptanteSimplesNacional', special_regime: 'RegimeEspecialTributacao' },
    service: { in: 'ValoresNfse', base: 'BaseCalculo', rate: 'Aliquota' },
    totals: { in: 'ValoresNfse', iss: 'ValorIss', total: 'ValorLiquidoNfse' },
  },
  below('Servico', abrasfService),
  below('PrestadorServico', abrasfProvider),
  below('TomadorServico', abrasfTaker),
);

const abrasfDeclaration: FieldTable = together(
  {
    document: { competence: 'Competencia' },
    issuer: { is_under_simples: 'OptanteSimplesNacional', special_regime: 'RegimeEspecialTributacao' },
  },
  below('Servico', abrasfService),
  below('Prestador', abrasfProvider),
  below('Tomador TomadorServico', abrasfTaker),
);

const confirmations = [
  'NfseCancelamento',
  'NfseCancelamento/Confirmacao',
  'NfseCancelamento/Confirmacao/InfConfirmacaoCancelamento',
].join(' ');

const abrasfCancellation: FieldTable = {
  raw: [
    { in: confirmations, cancel_success: 'Sucesso', cancelled_at: 'DataHora DataHoraCancelamento' },
    { replaced_by: 'NfseSubstituicao/SubstituicaoNfse/NfseSubstituidora' },
  ],
};

/** Ginfes' deviations from ABRASF: number and code in a group, addresses, the cancellation. */
const ginfesNote: FieldTable = {
  raw: { own_number: 'IdentificacaoNfse/Numero', cancelled_at: 'Cancelamento/data' },
  document: { verification_code: 'IdentificacaoNfse/CodigoVerificacao' },
  references: { number: 'NfseSubstituida/Numero' },
  service: { city: 'Servico/MunicipioPrestacaoServico' },
  issuer: { in: 'PrestadorServico/Endereco', state: 'Estado', city_code: 'Cidade' },
  recipient: { in: 'TomadorServico/Endereco', state: 'Estado', city_code: 'Cidade' },
};

/** A refused request to cancel leaves the note as it was, and so does a request without an answer. */
function isCancelled({ raw, document }: Collected): boolean {
  const { cancelled_at, cancel_success, replaced_by } = raw;
  const replaced = replaced_by !== undefined && replaced_by !== document.number;
  if (replaced || cancel_success === undefined) return replaced || meantMoment(cancelled_at) !== undefined;
  return yesOrNo(cancel_success) !== false;
}

/** The national key that cities write into the free text; only if it is one and of this note. */
function nationalKeyInNotes({ notes, document }: Collected): string | undefined {
  const found = /CHAVE\s+NFS-?E\s+NACIONAL\W*([0-9A-Z]{50})\b/i.exec(notes.issuer ?? '')?.[1];
  if (found === undefined) return undefined;
  const checked = checkNationalNfseKey(found);
  const isOfThis = checked.ok && checked.value.number === document.number;
  return isOfThis ? checked.value.key : undefined;
}

const municipal = municipalLayout({
  layout({ raw, document: header, parts }) {
    if (header.number === undefined && raw.own_number !== undefined) return 'nfse ginfes';
    // Version 2 says so, or has the declaration inside; version 1 has neither.
    return `nfse abrasf ${raw.version ?? (parts.length > 0 ? '2.00' : '1.00')}`;
  },
  fields: together(
    {
      raw: { version: 'Nfse/@versao', cancelled_at: 'Cancelamento/data' },
      parts: { each: 'Nfse/InfNfse/DeclaracaoPrestacaoServico' },
    },
    below('Nfse Nfse/NFSe', nationalNfse.fields),
    below('Nfse', ginfesNote),
    below('Nfse Nfse/InfNfse', abrasfNote),
    below('Nfse/InfNfse/DeclaracaoPrestacaoServico/InfDeclaracaoPrestacaoServico', abrasfDeclaration),
    abrasfCancellation,
  ),
  prepare(collected) {
    const { document: header, raw } = collected;
    header.number ??= raw.own_number;
    const key = nationalKeyInNotes(collected);
    if (key !== undefined) header.key = key;
  },
  status: (collected) => (isCancelled(collected) ? 'cancelled' : 'authorized'),
});

/**
 * ABRASF 1 and 2, the layout of Ginfes that came before it and has no `InfNfse`, or a national note in their wrapping.
 * Source: docs/fiscal/layouts.md.
 */
export const abrasf: DocumentLayout = {
  fields: municipal.fields,
  summarize(collected) {
    const { id, sent_at } = collected.raw;
    return id !== undefined || sent_at !== undefined
      ? summarizeNationalNfse(collected, isCancelled(collected))
      : municipal.summarize(collected);
  },
};
