import { ABROAD } from '../../identity/keys.ts';
import { below, type Collected, together } from '../../summary/fields.ts';
import { isoMoment, municipalLayout, sumOfLines } from './municipal-note.ts';
import { computedReform } from './national.ts';

/** Date and time are separate fields; the time may have an offset after a dash. */
function issuedAt({ document, raw }: Collected): string | undefined {
  const day = isoMoment(document.issued_at);
  const time = /^\d{2}:\d{2}(?::\d{2})?/.exec(raw.issued_time ?? '')?.[0];
  return day === undefined || time === undefined ? day : `${day}T${time}`;
}

/**
 * A note of a city that uses IPM's Atende.Net. It has no provider name, and city codes are the tax office's. Source:
 * docs/fiscal/layouts.md.
 */
export const ipm = municipalLayout({
  layout: 'nfse ipm',
  fields: together(
    {
      raw: { recipient_type: 'tomador/tipo' },
      issuer: { tax_id: 'prestador/cpfcnpj' },
      recipient: [
        { in: 'tomador', tax_id: 'cpfcnpj', foreign: 'identificador', name: 'nome_razao_social' },
        { in: 'tomador', state_registration: 'ie' },
      ],
      parts: [
        { each: 'itens/lista itens/item', code: 'codigo_item_lista_servico', description: 'descritivo' },
        { in: 'itens/lista itens/item', rate: 'aliquota_item_lista_servico', base: 'valor_tributavel' },
        { in: 'itens/lista itens/item', deduction: 'valor_deducao', iss_withheld: 'valor_issrf' },
      ],
    },
    below('nf nfe', {
      document: [
        { number: 'numero_nfse numero', series: 'serie_nfse' },
        { issued_at: 'data_nfse', competence: 'data_fato' },
        { verification_code: 'cod_verificador_autenticidade codigo_autenticidade' },
      ],
      raw: { issued_time: 'hora_nfse', situation: 'situacao', situation_code: 'situacao_codigo_nfse' },
      totals: { services: 'valor_total', discount: 'valor_desconto' },
      withheld: [
        { income_tax: 'valor_ir', inss: 'valor_inss', csll: 'valor_contribuicao_social', other: 'valor_rps' },
        { pis: 'valor_pis', cofins: 'valor_cofins' },
      ],
      notes: { issuer: 'observacao' },
    }),
    below('nf/IBSCBS nfe/IBSCBS', computedReform),
  ),
  prepare(collected) {
    const { document: header, raw, recipient } = collected;
    // Requests to issue or cancel a note look similar: the city adds the date and the verification code.
    if ((header.issued_at ?? header.verification_code) === undefined) delete header.number;
    header.issued_at = issuedAt(collected);
    if (raw.recipient_type === 'E') recipient.state = ABROAD;
    const withheld = sumOfLines(collected, 'iss_withheld');
    if (withheld !== undefined) raw.iss_withheld = Number(withheld) > 0 ? '1' : '2';
  },
  /** 1 issued, 2 cancelled; a note saved from a city's site has only `C` once cancelled. */
  status({ raw }) {
    const { situation, situation_code: code } = raw;
    if (situation === 'C' || code === '2') return 'cancelled';
    return situation === undefined && (code === undefined || code === '1') ? 'authorized' : 'unknown';
  },
});
