import { checkNationalNfseKey } from '../../identity/keys.ts';
import {
  below,
  type Collected,
  type DocumentLayout,
  type FieldTable,
  together,
} from '../../summary/fields.ts';
import type { DocumentStatus } from '../../summary/summary.ts';
import { keyFromId } from '../common-parts.ts';
import { meantMoment, municipalLayout, yesOrNo } from './municipal-note.ts';
import { computedReform, declaredReform, nationalNfse, summarizeNationalNfse } from './national.ts';

const abrasfAmounts: FieldTable = {
  raw: { iss_withheld: 'IssRetido', discount_conditional: 'DescontoCondicionado' },
  service: { base: 'BaseCalculo', rate: 'Aliquota' },
  totals: [
    { services: 'ValorServicos', deductions: 'ValorDeducoes', iss: 'ValorIss' },
    { discount: 'DescontoIncondicionado', total: 'ValorLiquidoNfse' },
  ],
  withheld: [
    { pis: 'ValorPis', cofins: 'ValorCofins', inss: 'ValorInss', income_tax: 'ValorIr' },
    { csll: 'ValorCsll', other: 'OutrasRetencoes', iss: 'ValorIssRetido' },
  ],
  is_withheld: [
    { pis: 'RetidoPis', cofins: 'RetidoCofins', inss: 'RetidoInss', income_tax: 'RetidoIr' },
    { csll: 'RetidoCsll', other: 'RetidoOutrasRetencoes' },
  ],
};

const abrasfService: FieldTable = together(
  {
    raw: { iss_withheld: 'IssRetido' },
    service: [
      { code: 'ItemListaServico', nbs: 'CodigoNbs', description: 'Discriminacao' },
      { city: 'CodigoMunicipio', iss_city: 'MunicipioIncidencia' },
    ],
    parts: { each: 'ListaItensServico/ItemServico', code: 'ItemListaServico', description: 'Descricao' },
  },
  below('Valores', together(abrasfAmounts, declaredReform)),
);

const abrasfProvider: FieldTable = {
  issuer: [
    { in: 'IdentificacaoPrestador/CpfCnpj CpfCnpj', cnpj: 'Cnpj', cpf: 'Cpf' },
    { cnpj: 'IdentificacaoPrestador/Cnpj', name: 'RazaoSocial' },
    { municipal_registration: 'IdentificacaoPrestador/InscricaoMunicipal InscricaoMunicipal' },
    { in: 'Endereco', state: 'Uf', city_code: 'CodigoMunicipio', city: 'CidadeNome Municipio' },
  ],
};

const abrasfTaker: FieldTable = {
  recipient: [
    { in: 'IdentificacaoTomador/CpfCnpj', cnpj: 'Cnpj', cpf: 'Cpf' },
    { municipal_registration: 'IdentificacaoTomador/InscricaoMunicipal', foreign: 'NifTomador' },
    { state_registration: 'IdentificacaoTomador/InscricaoEstadual InscricaoEstadual' },
    { name: 'RazaoSocial', country: 'EnderecoExterior/CodigoPais' },
    { in: 'Endereco', state: 'Uf', city_code: 'CodigoMunicipio', city: 'CidadeNome Municipio' },
  ],
};

const abrasfNote: FieldTable = together(
  {
    document: [
      { number: 'Numero', verification_code: 'CodigoVerificacao', issued_at: 'DataEmissao' },
      { competence: 'Competencia', series: 'Serie', key: 'ChaveADN' },
    ],
    raw: { situation: 'StatusNfse tsStatusNfse', situation_code: 'Status' },
    references: { each: 'NfseSubstituida', number: '.' },
    notes: { issuer: 'OutrasInformacoes' },
    issuer: [
      { is_under_simples: 'OptanteSimplesNacional', special_regime: 'RegimeEspecialTributacao' },
      { in: 'EnderecoPrestadorServico', state: 'Uf', city_code: 'CodigoMunicipio' },
    ],
    service: { in: 'ValoresNfse', base: 'BaseCalculo', rate: 'Aliquota' },
    totals: { in: 'ValoresNfse', iss: 'ValorIss', total: 'ValorLiquidoNfse' },
  },
  below('IBSCBS DeclaracaoPrestacaoServico/IBSCBS', computedReform),
  below('Servico', abrasfService),
  below('PrestadorServico', abrasfProvider),
  below('TomadorServico', abrasfTaker),
);

const abrasfDeclaration: FieldTable = together(
  {
    document: { competence: 'Competencia' },
    issuer: { is_under_simples: 'OptanteSimplesNacional', special_regime: 'RegimeEspecialTributacao' },
    notes: { issuer: 'OutrasInformacoes InformacoesComplementares' },
    taxation: {
      in: 'Servico/IBSCBS/ValoresTributos',
      ibs_cbs_cst: 'SituacaoTributaria',
      class_trib: 'ClassificacaoTributaria',
    },
  },
  declaredReform,
  below('Servico Servico/tcDadosServico', abrasfService),
  below('ValoresServico', abrasfAmounts),
  below('Prestador DadosPrestador', abrasfProvider),
  below('Tomador TomadorServico', abrasfTaker),
);

const confirmations = [
  'NfseCancelamento',
  'NfseCancelamento/Confirmacao',
  'NfseCancelamento/Confirmacao/InfConfirmacaoCancelamento',
  'NfseCancelamento/ConfirmacaoCancelamento',
].join(' ');

const abrasfCancellation: FieldTable = {
  raw: [
    { in: confirmations, cancel_success: 'Sucesso', cancelled_at: 'DataHora DataHoraCancelamento' },
    { replaced_by: 'NfseSubstituicao/SubstituicaoNfse/NfseSubstituidora' },
  ],
};

/** Deviations of Ginfes and ISSNet from ABRASF: number and code in a group, addresses, the cancellation. */
const ginfesNote: FieldTable = {
  raw: { own_number: 'IdentificacaoNfse/Numero', cancelled_at: 'Cancelamento/data' },
  document: { verification_code: 'IdentificacaoNfse/CodigoVerificacao' },
  references: { number: 'NfseSubstituida/Numero' },
  service: { city: 'Servico/MunicipioPrestacaoServico' },
  issuer: { in: 'PrestadorServico/Endereco', state: 'Estado', city_code: 'Cidade' },
  recipient: { in: 'TomadorServico/Endereco', state: 'Estado', city_code: 'Cidade' },
};

/** A cancellation request that is refused or unanswered does not change the note. */
function isCancelled({ raw, document }: Collected): boolean {
  const { cancelled_at, cancel_success, replaced_by } = raw;
  const replaced = replaced_by !== undefined && replaced_by !== document.number;
  if (replaced || cancel_success === undefined) return replaced || meantMoment(cancelled_at) !== undefined;
  return yesOrNo(cancel_success) !== false;
}

/** The national key, from its own field or the free text; only if valid and of this note. */
function nationalKeyOf({ notes, document }: Collected): string | undefined {
  const inNotes = /CHAVE\s+NFS-?E\s+NACIONAL\W*([0-9A-Z]{50})\b/i.exec(notes.issuer ?? '')?.[1];
  for (const found of [keyFromId(document.key), inNotes]) {
    const checked = checkNationalNfseKey(found ?? '');
    if (checked.ok && checked.value.number === document.number) return checked.value.key;
  }
  return undefined;
}

/** Drops taxes marked as not withheld: PIS and COFINS are then the provider's own. */
function dropUnwithheld({ is_withheld, totals, withheld }: Collected): void {
  for (const [name, word] of Object.entries(is_withheld)) {
    const tax = name as keyof typeof withheld;
    if (yesOrNo(word) !== false) continue;
    const amount = withheld[tax];
    if ((tax === 'pis' || tax === 'cofins') && amount !== undefined) totals[tax] = amount;
    delete withheld[tax];
  }
}

/**
 * Status that some cities give in addition to ABRASF's cancellation: 1 or EM issued, 2 or CA cancelled. `Status` is the
 * note's own only in version 2: in version 1 it is that of the RPS, and 2 also occurs on valid notes.
 */
function statusFrom(collected: Collected): DocumentStatus {
  const { raw, parts } = collected;
  const situation = raw.situation ?? raw.situation_code ?? '1';
  const isOwn = raw.situation !== undefined || parts.length > 0;
  if (isCancelled(collected) || (isOwn && /^(?:2|CA)$/.test(situation))) return 'cancelled';
  return /^(?:1|EM)$/.test(situation) ? 'authorized' : 'unknown';
}

const municipal = municipalLayout({
  layout({ raw, document: header, parts }) {
    if (header.number === undefined && raw.own_number !== undefined) return 'nfse ginfes';
    // Version 2 is stated, or implied by the declaration inside; version 1 has neither.
    return `nfse abrasf ${raw.version ?? (parts.length > 0 ? '2.00' : '1.00')}`;
  },
  fields: together(
    {
      raw: { version: 'Nfse/@versao', cancelled_at: 'Cancelamento/data' },
      document: { key: 'ChaveNotaNacional' },
      parts: { each: 'Nfse/InfNfse/DeclaracaoPrestacaoServico' },
    },
    below('IBSCBSTotal', computedReform),
    below('Nfse Nfse/NFSe', nationalNfse.fields),
    below('Nfse Nfse/InfNfse', together(ginfesNote, abrasfNote)),
    below('Nfse/InfNfse/DeclaracaoPrestacaoServico/InfDeclaracaoPrestacaoServico', abrasfDeclaration),
    abrasfCancellation,
  ),
  prepare(collected) {
    const { document: header, raw, issuer, recipient } = collected;
    header.number ??= raw.own_number;
    header.key = nationalKeyOf(collected);
    for (const party of [issuer, recipient]) {
      if (!/[A-Za-z]/.test(party.city_code ?? '')) continue;
      party.city ??= party.city_code;
      delete party.city_code;
    }
    dropUnwithheld(collected);
  },
  status: statusFrom,
});

/**
 * ABRASF 1 and 2, its predecessor by Ginfes without `InfNfse`, or a national note in their wrapper. Source:
 * docs/fiscal/layouts.md.
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
