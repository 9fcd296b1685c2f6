import { isDecimal } from '../../decimals.ts';
import { below, type Collected, type FieldTable, together } from '../../summary/fields.ts';
import type { DocumentStatus, DocumentSummary } from '../../summary/summary.ts';
import { isoMoment, municipalNote, serviceFromLines, sumOfLines } from './municipal-note.ts';

const header: FieldTable = {
  fields: {
    numero_nfse: 'document.number',
    numero: 'document.number',
    serie_nfse: 'document.series',
    data_nfse: 'document.issued_at',
    hora_nfse: 'clue.issued_time',
    data_fato: 'document.competence',
    situacao: 'clue.situation',
    situacao_codigo_nfse: 'clue.situation_code',
    cod_verificador_autenticidade: 'document.verification_code',
    codigo_autenticidade: 'document.verification_code',
    valor_total: 'totals.services',
    valor_desconto: 'totals.discount',
    valor_ir: 'withheld.income_tax',
    valor_inss: 'withheld.inss',
    valor_contribuicao_social: 'withheld.csll',
    valor_rps: 'withheld.other',
    valor_pis: 'withheld.pis',
    valor_cofins: 'withheld.cofins',
    observacao: 'notes.issuer',
  },
};

const line: FieldTable = {
  fields: {
    codigo_item_lista_servico: 'parts.code',
    descritivo: 'parts.description',
    aliquota_item_lista_servico: 'parts.rate',
    valor_tributavel: 'parts.base',
    valor_deducao: 'parts.deduction',
    valor_issrf: 'parts.iss_withheld',
  },
  lists: { '': ['parts'] },
};

/** A note of a city that uses IPM's Atende.Net, from its `nfse` down. Source: docs/fiscal/layouts.md. */
export const ipmFields: FieldTable = together(
  {
    fields: {
      'prestador/cpfcnpj': 'issuer.tax_id',
      'tomador/tipo': 'clue.recipient_type',
      'tomador/cpfcnpj': 'recipient.tax_id',
      'tomador/identificador': 'recipient.foreign',
      'tomador/nome_razao_social': 'recipient.name',
      'tomador/ie': 'recipient.state_registration',
    },
  },
  below('nf', header),
  below('nfe', header),
  below('itens/lista', line),
  below('itens/item', line),
);

/** 1 issued, 2 cancelled; a note saved from a city's site says only `C`, once it is cancelled. */
function statusOf({ sections }: Collected): DocumentStatus {
  const { situation, situation_code } = sections.clue;
  if (situation === 'C' || situation_code === '2') return 'cancelled';
  return situation === undefined && (situation_code === undefined || situation_code === '1')
    ? 'authorized'
    : 'unknown';
}

/** The day and the time stand apart, and the time may have an offset after a dash. */
function issuedAt({ sections }: Collected): string | undefined {
  const day = isoMoment(sections.document.issued_at);
  const time = /^\d{2}:\d{2}(?::\d{2})?/.exec(sections.clue.issued_time ?? '')?.[0];
  return day === undefined || time === undefined ? day : `${day}T${time}`;
}

/** A note of a city that uses IPM's system, without the provider's name and with cities by the tax office's codes. */
export function summarizeIpmNfse(collected: Collected): DocumentSummary | undefined {
  const { document: header, clue, recipient, service, totals, withheld } = collected.sections;
  // Requests to issue or to cancel a note look like one: the city adds the day and the code to check it by.
  if (header.issued_at === undefined && header.verification_code === undefined) return undefined;
  const iss = sumOfLines(collected, 'iss_withheld');
  const base = sumOfLines(collected, 'base');
  const deductions = sumOfLines(collected, 'deduction');
  const issued_at = issuedAt(collected);
  const competence = isoMoment(header.competence);
  if (issued_at !== undefined) header.issued_at = issued_at;
  if (competence !== undefined) header.competence = competence;
  if (clue.recipient_type === 'E') recipient.state = 'EX';
  if (iss !== undefined) withheld.iss = iss;
  if (base !== undefined) service.base = base;
  if (deductions !== undefined) totals.deductions = deductions;
  serviceFromLines(collected);
  const isIssWithheld = iss === undefined || !isDecimal(iss) ? undefined : Number(iss) > 0;
  return municipalNote(collected, {
    layout: 'nfse ipm',
    status: statusOf(collected),
    issWithheld: isIssWithheld,
  });
}
