import { isDecimal } from '../../decimals.ts';
import { below, type Collected, type FieldTable, together } from '../../summary/fields.ts';
import { fill, isoMoment, municipalLayout, serviceFromLines, sumOfLines } from './municipal-note.ts';

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

/** The day and the time stand apart, and the time may have an offset after a dash. */
function issuedAt({ sections }: Collected): string | undefined {
  const day = isoMoment(sections.document.issued_at);
  const time = /^\d{2}:\d{2}(?::\d{2})?/.exec(sections.clue.issued_time ?? '')?.[0];
  return day === undefined || time === undefined ? day : `${day}T${time}`;
}

/**
 * A note of a city that uses IPM's Atende.Net, without the provider's name and with cities by the tax office's codes.
 * Source: docs/fiscal/layouts.md.
 */
export const ipm = municipalLayout({
  layout: 'nfse ipm',
  fields: together(
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
  ),
  /** Requests to issue or to cancel a note look like one: the city adds the day and the code to check it by. */
  isNote({ sections: { document: header } }) {
    return header.issued_at !== undefined || header.verification_code !== undefined;
  },
  prepare(collected) {
    const { document: header, clue, recipient, service, totals, withheld } = collected.sections;
    header.issued_at = issuedAt(collected);
    header.competence = isoMoment(header.competence);
    if (clue.recipient_type === 'E') recipient.state = 'EX';
    fill(withheld, { iss: sumOfLines(collected, 'iss_withheld') });
    fill(service, { base: sumOfLines(collected, 'base') });
    fill(totals, { deductions: sumOfLines(collected, 'deduction') });
    serviceFromLines(collected);
  },
  /** 1 issued, 2 cancelled; a note saved from a city's site says only `C`, once it is cancelled. */
  status({ sections: { clue } }) {
    const { situation, situation_code: code } = clue;
    if (situation === 'C' || code === '2') return 'cancelled';
    return situation === undefined && (code === undefined || code === '1') ? 'authorized' : 'unknown';
  },
  issWithheld({ sections: { withheld } }) {
    return withheld.iss === undefined || !isDecimal(withheld.iss) ? undefined : Number(withheld.iss) > 0;
  },
});
