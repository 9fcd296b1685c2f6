import type { Message } from './message.ts';

/** Why a content is not the signed one, or is undecidable; in answers and in the view of a document. */
export const verifyReasonMessages = {
  'verify.reason_digest': [
    'o texto difere do resumo assinado: foi alterado ou regravado depois',
    'the text differs from the signed digest: it was changed or rewritten afterwards',
  ],
  'verify.reason_signature': [
    'a assinatura não foi feita com este certificado',
    'the signature was not made with this certificate',
  ],
  'verify.reason_not_signed': ['sem assinatura', 'no signature'],
  'verify.reason_not_well_formed': ['XML malformado', 'malformed XML'],
  'verify.reason_too_large': ['grande demais', 'too large'],
  'verify.reason_several_signed_elements': [
    'mais de um elemento assinado no arquivo',
    'more than one signed element in the file',
  ],
  'verify.reason_several_signatures': ['mais de uma assinatura', 'more than one signature'],
  'verify.reason_several_references': [
    'a assinatura não se refere a exatamente um elemento',
    'the signature does not refer to exactly one element',
  ],
  'verify.reason_other_element_signed': [
    'a assinatura é de outro elemento',
    'the signature covers another element',
  ],
  'verify.reason_duplicate_id': [
    'o Id assinado aparece mais de uma vez',
    'the signed Id occurs more than once',
  ],
  'verify.reason_comments': [
    'comentários ou instruções no que foi assinado',
    'comments or instructions in what was signed',
  ],
  'verify.reason_algorithms': ['algoritmo não aceito', 'algorithm not accepted'],
  'verify.reason_transforms': ['transformação não aceita', 'transform not accepted'],
  'verify.reason_key_info': [
    'a assinatura não traz exatamente um certificado',
    'the signature does not carry exactly one certificate',
  ],
  'verify.reason_certificate': ['certificado ilegível', 'unreadable certificate'],
} as const satisfies Record<`verify.reason_${string}`, Message>;
