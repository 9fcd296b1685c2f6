import type { WordsByRule } from './rule-words.ts';

export const amongWords = {
  duplicate_document: {
    title: { 'pt-BR': 'Documento repetido', en: 'Repeated document' },
    finding: {
      'pt-BR': 'o mesmo documento aparece {found} vezes',
      en: 'the same document appears {found} times',
    },
    todo: { 'pt-BR': 'Escriture uma só vez.', en: 'Book it only once.' },
  },
  contents_differ: {
    title: { 'pt-BR': 'Mesma chave com conteúdos diferentes', en: 'Same key with different contents' },
    finding: {
      'pt-BR': 'chegaram {found} conteúdos diferentes com esta chave; deveria haver {expected}',
      en: '{found} different contents came under this key; there should be {expected}',
    },
    todo: {
      'pt-BR':
        'Consulte a chave no portal do fisco e confira qual XML é o autorizado antes de escriturar ou pagar; o outro pode ter sido alterado.',
      en: 'Look the key up on the tax office’s portal to see which XML is the authorised one before booking or paying; the other may have been altered.',
    },
  },
  text_against_signature: {
    title: { 'pt-BR': 'XML difere do que foi assinado', en: 'XML differs from what was signed' },
    finding: {
      'pt-BR': 'o XML não é o que foi assinado; deveria estar inalterado',
      en: 'the XML is not what was signed; it should be unchanged',
    },
    todo: {
      'pt-BR':
        'Não escriture nem pague por este XML: peça-o de novo ao emitente ou ao fisco; verify_document diz o que não confere.',
      en: 'Do not book or pay by this XML: have it sent again by the issuer or the tax office; verify_document says what does not match.',
    },
  },
  duplicate_invoice: {
    title: { 'pt-BR': 'Mesmo emitente, número e valor', en: 'Same issuer, number and value' },
    finding: {
      'pt-BR': 'número {number} e valor {total} como no documento {expected}',
      en: 'number {number} and value {total} as in document {expected}',
    },
    todo: {
      'pt-BR': 'Confira se não é a mesma operação antes de pagar as duas.',
      en: 'Check that they are not the same operation before paying both.',
    },
  },
  freight_billed_twice: {
    title: { 'pt-BR': 'Mesmo frete em dois CT-e', en: 'Same freight in two CT-e' },
    finding: {
      'pt-BR': 'mesmo transportador, valor {total} e notas (a primeira é {nfe}) do CT-e {expected}',
      en: 'same carrier, value {total} and notes (the first is {nfe}) as CT-e {expected}',
    },
    todo: {
      'pt-BR':
        'Confira se não é cobrança em dobro; se for, peça o cancelamento ou registre o desacordo em até 45 dias.',
      en: 'Check whether it was billed twice; if so, ask for a cancellation or register the disagreement within 45 days.',
    },
  },
  number_gap: {
    title: { 'pt-BR': 'Salto na numeração própria', en: 'Gap in the company’s own numbering' },
    finding: {
      'pt-BR':
        'série {series}: {missing:falta|faltam} {missing} {missing:número|números}, {range}; depois deste viria {expected} e veio {found}',
      en: 'series {series}: {missing} {missing:number|numbers} missing, {range}; after this one {expected} was due and {found} came',
    },
    todo: {
      'pt-BR': 'Confira se foram inutilizados (até o dia 10 do mês seguinte) ou se faltou recebê-los.',
      en: 'Check whether they were voided (inutilização, by the tenth of the next month) or have not been received.',
    },
  },
  cancelled_after_entry: {
    title: { 'pt-BR': 'Cancelado depois da entrada', en: 'Cancelled after its entry' },
    finding: {
      'pt-BR': 'cancelado em {found} (evento {code}), depois da entrada ou emissão em {expected}',
      en: 'cancelled on {found} (event {code}), after it was entered or issued on {expected}',
    },
    todo: {
      'pt-BR': 'Se já foi escriturado, estorne a entrada e o crédito.',
      en: 'If it is booked, reverse the entry and the credit.',
    },
  },
  corrected_after_entry: {
    title: { 'pt-BR': 'Corrigido depois da entrada', en: 'Corrected after its entry' },
    finding: {
      'pt-BR': 'carta de correção de {found} (evento {code}), depois da entrada ou emissão em {expected}',
      en: 'correction letter of {found} (event {code}), after it was entered or issued on {expected}',
    },
    todo: {
      'pt-BR': 'Veja o que mudou e ajuste a escrituração.',
      en: 'See what changed and adjust the books.',
    },
  },
  tacit_confirmation_near: {
    title: { 'pt-BR': 'Confirmação tácita próxima', en: 'Tacit confirmation near' },
    finding: {
      'pt-BR':
        'sem manifestação conclusiva; depois de {expected} a operação conta como confirmada ({days:resta|restam} {days} {days:dia|dias})',
      en: 'no conclusive manifestation; after {expected} the operation counts as confirmed ({days} {days:day|days} left)',
    },
    todo: {
      'pt-BR':
        'Se a operação não ocorreu ou é desconhecida, manifeste até {expected}; depois o evento é rejeitado (596).',
      en: 'If the operation did not take place or is unknown to you, manifest that by {expected}; after that the event is rejected (596).',
    },
  },
  cte_disagreement_deadline: {
    title: { 'pt-BR': 'Prazo de desacordo do CT-e perto do fim', en: 'CT-e disagreement deadline near' },
    finding: {
      'pt-BR':
        'o tomador pode registrar “prestação do serviço em desacordo” até {expected} ({days:resta|restam} {days} {days:dia|dias})',
      en: 'the payer (tomador) may register “prestação do serviço em desacordo” until {expected} ({days} {days:day|days} left)',
    },
    todo: {
      'pt-BR': 'Se o frete não confere com o contratado, registre o desacordo (610110) até {expected}.',
      en: 'If the freight is not as agreed, register the disagreement (610110) by {expected}.',
    },
  },
  cte_without_nfe: {
    title: { 'pt-BR': 'CT-e sem a sua NF-e', en: 'CT-e without its NF-e' },
    finding: {
      'pt-BR': 'constam {found} das {expected} NF-e transportadas; a primeira que falta é {nfe}',
      en: '{found} of the {expected} NF-e it carries are present; the first that is missing is {nfe}',
    },
    todo: {
      'pt-BR': 'Procure a NF-e que falta: sem ela não se sabe de que compra ou venda é o frete.',
      en: 'Look for the missing NF-e: without it nobody knows which purchase or sale the freight belongs to.',
    },
  },
  nfe_without_cte: {
    title: { 'pt-BR': 'NF-e sem o seu CT-e', en: 'NF-e without its CT-e' },
    finding: {
      'pt-BR':
        'frete por conta da empresa (modFrete {mode}), transportador {carrier}, e nenhum CT-e traz esta nota',
      en: 'the company pays the freight (modFrete {mode}), carrier {carrier}, and no CT-e lists this note',
    },
    todo: {
      'pt-BR': 'Peça o CT-e ao transportador antes de pagar o frete.',
      en: 'Ask the carrier for the CT-e before the freight is paid.',
    },
  },
} as const satisfies WordsByRule;
