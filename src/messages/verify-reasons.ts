import type { Message } from './message.ts';

/** Why a content is not what was signed, or can't be told; in answers and in the view of a document. */
export const verifyReasonMessages = {
  'verify.reason_digest': {
    'pt-BR': 'o texto difere do resumo assinado: foi alterado ou regravado depois',
    en: 'the text differs from the signed digest: it was changed or rewritten afterwards',
  },
  'verify.reason_signature': {
    'pt-BR': 'a assinatura não foi feita com este certificado',
    en: 'the signature was not made with this certificate',
  },
  'verify.reason_not_signed': { 'pt-BR': 'sem assinatura', en: 'no signature' },
  'verify.reason_not_well_formed': { 'pt-BR': 'XML malformado', en: 'malformed XML' },
  'verify.reason_too_large': { 'pt-BR': 'grande demais', en: 'too large' },
  'verify.reason_several_signed_elements': {
    'pt-BR': 'mais de um elemento assinado no arquivo',
    en: 'more than one signed element in the file',
  },
  'verify.reason_several_signatures': { 'pt-BR': 'mais de uma assinatura', en: 'more than one signature' },
  'verify.reason_several_references': {
    'pt-BR': 'a assinatura não se refere a exatamente um elemento',
    en: 'the signature does not refer to exactly one element',
  },
  'verify.reason_other_element_signed': {
    'pt-BR': 'a assinatura é de outro elemento',
    en: 'the signature covers another element',
  },
  'verify.reason_duplicate_id': {
    'pt-BR': 'o Id assinado aparece mais de uma vez',
    en: 'the signed Id occurs more than once',
  },
  'verify.reason_comments': {
    'pt-BR': 'comentários ou instruções no que foi assinado',
    en: 'comments or instructions in what was signed',
  },
  'verify.reason_algorithms': { 'pt-BR': 'algoritmo não aceito', en: 'algorithm not accepted' },
  'verify.reason_transforms': { 'pt-BR': 'transformação não aceita', en: 'transform not accepted' },
  'verify.reason_key_info': {
    'pt-BR': 'a assinatura não traz exatamente um certificado',
    en: 'the signature does not carry exactly one certificate',
  },
  'verify.reason_certificate': { 'pt-BR': 'certificado ilegível', en: 'unreadable certificate' },
} as const satisfies Record<`verify.reason_${string}`, Message>;
