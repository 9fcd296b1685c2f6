import type { Message } from './message.ts';

/** Whether a document is genuine: three separate lines, since each says something else. */
export const verifyMessages = {
  'verify.unchanged_as_is': {
    'pt-BR': 'Conteúdo: inalterado desde a assinatura.',
    en: 'Content: unchanged since it was signed.',
  },
  'verify.unchanged_own_namespaces': {
    'pt-BR': 'Conteúdo: inalterado desde a assinatura (conferido sem o envelope em que veio).',
    en: 'Content: unchanged since it was signed (checked without the envelope it came in).',
  },
  'verify.unchanged_without_blanks': {
    'pt-BR': 'Conteúdo: inalterado desde a assinatura, a não ser por espaços entre as tags.',
    en: 'Content: unchanged since it was signed, apart from whitespace between its tags.',
  },
  'verify.changed': {
    'pt-BR': 'Conteúdo: ⚠ não é o que foi assinado ({reason}).',
    en: 'Content: ⚠ not what was signed ({reason}).',
  },
  'verify.content_unknown': {
    'pt-BR': 'Conteúdo: não dá para saber se foi alterado ({reason}). Isso não quer dizer que seja falso.',
    en: 'Content: whether it was changed cannot be told ({reason}). That does not make it false.',
  },
  'verify.signer_of_matches': {
    'pt-BR': 'Assinante: {who}; é o emitente ou outro estabelecimento dele.',
    en: 'Signer: {who}; the issuer or another of its establishments.',
  },
  'verify.signer_of_differs': {
    'pt-BR': 'Assinante: ⚠ {who}; não é o emitente.',
    en: 'Signer: ⚠ {who}; not the issuer.',
  },
  'verify.signer_of_unknown': {
    'pt-BR': 'Assinante: {who}; não dá para saber se é quem devia assinar.',
    en: 'Signer: {who}; whether this is who should have signed cannot be told.',
  },
  'verify.signer_national': {
    'pt-BR': 'Assinante: {who}, o servidor da NFS-e nacional.',
    en: 'Signer: {who}, the server of the national NFS-e.',
  },
  'verify.signer_unknown': {
    'pt-BR': 'Assinante: o certificado não diz de quem é.',
    en: 'Signer: the certificate does not say whose it is.',
  },
  'verify.signer_not_judged': {
    'pt-BR': 'Assinante: só se identifica quando a assinatura confere com o conteúdo.',
    en: 'Signer: identified only when the signature matches the content.',
  },
  'verify.valid': { 'pt-BR': 'Certificado válido na emissão.', en: 'Certificate valid at issue.' },
  'verify.not_valid': {
    'pt-BR': '⚠ Certificado fora da validade na emissão.',
    en: '⚠ Certificate not valid at issue.',
  },
  'verify.chain_trusted': {
    'pt-BR': 'Cadeia de certificação até uma raiz de DFE_TRUST_STORE.',
    en: 'The certificate chains up to a root in DFE_TRUST_STORE.',
  },
  'verify.chain_untrusted': {
    'pt-BR': '⚠ Sem cadeia de certificação até uma raiz de DFE_TRUST_STORE.',
    en: '⚠ The certificate does not chain up to a root in DFE_TRUST_STORE.',
  },
  'verify.chain_not_checked': {
    'pt-BR': 'A cadeia do certificado não foi conferida (falta DFE_TRUST_STORE).',
    en: "The certificate's chain was not checked (DFE_TRUST_STORE is not set).",
  },
  'verify.authorization_confirmed': {
    'pt-BR': 'Autorização: o serviço a confirma.',
    en: 'Authorisation: the service confirms it.',
  },
  'verify.authorization_contradicted': {
    'pt-BR': 'Autorização: ⚠ algo a contradiz.',
    en: 'Authorisation: ⚠ something contradicts it.',
  },
  'verify.authorization_unknown': {
    'pt-BR': 'Autorização: não confirmada; só o serviço pode confirmá-la, porque o protocolo não é assinado.',
    en: 'Authorisation: not confirmed; only the service can confirm it, because the protocol is not signed.',
  },
  'verify.status': { 'pt-BR': 'Situação: {status}, em {at}.', en: 'Status: {status}, as of {at}.' },
  'verify.protocol_matches': {
    'pt-BR': 'O protocolo é deste conteúdo.',
    en: 'The protocol belongs to this content.',
  },
  'verify.protocol_differs': {
    'pt-BR': '⚠ O protocolo é de outro conteúdo.',
    en: '⚠ The protocol belongs to other content.',
  },
  'verify.key_differs': {
    'pt-BR': '⚠ A chave não confere com o documento.',
    en: '⚠ The key does not match the document.',
  },
  'verify.not_asked': {
    'pt-BR': 'O serviço não pôde ser consultado: {reason}',
    en: 'The service could not be asked: {reason}',
  },
  'verify.not_one_tick': {
    'pt-BR':
      'São três respostas separadas; nenhuma vale pelas outras. Revogação de certificado não é conferida.',
    en: 'These are three separate answers; none stands for the others. Revocation of certificates is not checked.',
  },
  'verify.no_folders': {
    'pt-BR': '"file" só funciona com DFE_FILES, que não está definida.',
    en: '"file" works only with DFE_FILES, which is not set.',
  },
  'verify.no_file': {
    'pt-BR': 'Não há este arquivo dentro das pastas de DFE_FILES.',
    en: 'There is no such file within the folders of DFE_FILES.',
  },
  'verify.no_document': {
    'pt-BR': 'O arquivo não tem esse documento fiscal.',
    en: 'The file holds no such fiscal document.',
  },
  'verify.several': {
    'pt-BR': 'O arquivo tem {count} documentos: informe key. Por exemplo: {keys}.',
    en: 'The file holds {count} documents: give key. For example: {keys}.',
  },
  'verify.no_text': {
    'pt-BR': 'O texto do documento não está guardado e não pôde ser buscado.',
    en: "The document's text is not kept and could not be fetched.",
  },
  'failure.trust_store': {
    'pt-BR': 'DFE_TRUST_STORE não pode ser usado ({code}): deve ser um arquivo PEM com certificados.',
    en: 'DFE_TRUST_STORE cannot be used ({code}): it must be a PEM file of certificates.',
  },
} as const satisfies Record<`${'verify' | 'failure'}.${string}`, Message>;
