import type { Message } from './message.ts';

/** Whether a document is genuine: three separate lines, since each says something else. */
export const verifyMessages = {
  'verify.unchanged_as_is': [
    'Conteúdo: inalterado desde a assinatura.',
    'Content: unchanged since it was signed.',
  ],
  'verify.unchanged_own_namespaces': [
    'Conteúdo: inalterado desde a assinatura (conferido sem o envelope em que veio).',
    'Content: unchanged since it was signed (checked without the envelope it came in).',
  ],
  'verify.unchanged_without_blanks': [
    'Conteúdo: inalterado desde a assinatura, a não ser por espaços entre as tags.',
    'Content: unchanged since it was signed, apart from whitespace between its tags.',
  ],
  'verify.changed': [
    'Conteúdo: ⚠ não é o que foi assinado ({reason}).',
    'Content: ⚠ not what was signed ({reason}).',
  ],
  'verify.content_unknown': [
    'Conteúdo: não dá para saber se foi alterado ({reason}). Isso não quer dizer que seja falso.',
    'Content: whether it was changed cannot be told ({reason}). That does not make it false.',
  ],
  'verify.signer_of_matches': [
    'Assinante: {who}; é o emitente ou outro estabelecimento dele.',
    'Signer: {who}; the issuer or another of its establishments.',
  ],
  'verify.signer_of_differs': ['Assinante: ⚠ {who}; não é o emitente.', 'Signer: ⚠ {who}; not the issuer.'],
  'verify.signer_of_unknown': [
    'Assinante: {who}; não dá para saber se é quem devia assinar.',
    'Signer: {who}; whether this is who should have signed cannot be told.',
  ],
  'verify.signer_national': [
    'Assinante: {who}, o servidor da NFS-e nacional.',
    'Signer: {who}, the server of the national NFS-e.',
  ],
  'verify.signer_unknown': [
    'Assinante: o certificado não diz de quem é.',
    'Signer: the certificate does not say whose it is.',
  ],
  'verify.signer_not_judged': [
    'Assinante: só se identifica quando a assinatura confere com o conteúdo.',
    'Signer: identified only when the signature matches the content.',
  ],
  'verify.valid': ['Certificado válido na emissão.', 'Certificate valid at issue.'],
  'verify.not_valid': ['⚠ Certificado fora da validade na emissão.', '⚠ Certificate not valid at issue.'],
  'verify.chain_trusted': [
    'Cadeia de certificação até uma raiz de DFE_TRUST_STORE.',
    'The certificate chains up to a root in DFE_TRUST_STORE.',
  ],
  'verify.chain_untrusted': [
    '⚠ Sem cadeia de certificação até uma raiz de DFE_TRUST_STORE.',
    '⚠ The certificate does not chain up to a root in DFE_TRUST_STORE.',
  ],
  'verify.chain_not_checked': [
    'A cadeia do certificado não foi conferida (falta DFE_TRUST_STORE).',
    "The certificate's chain was not checked (DFE_TRUST_STORE is not set).",
  ],
  'verify.authorization_confirmed': [
    'Autorização: o serviço a confirma.',
    'Authorisation: the service confirms it.',
  ],
  'verify.authorization_contradicted': [
    'Autorização: ⚠ algo a contradiz.',
    'Authorisation: ⚠ something contradicts it.',
  ],
  'verify.authorization_unknown': [
    'Autorização: não confirmada; só o serviço pode confirmá-la, porque o protocolo não é assinado.',
    'Authorisation: not confirmed; only the service can confirm it, because the protocol is not signed.',
  ],
  'verify.status': ['Situação: {status}, em {at}.', 'Status: {status}, as of {at}.'],
  'verify.status_in_file': ['O próprio arquivo diz: {status}.', 'The file itself says: {status}.'],
  'verify.protocol_matches': ['O protocolo é deste conteúdo.', 'The protocol belongs to this content.'],
  'verify.protocol_differs': [
    '⚠ O protocolo é de outro conteúdo.',
    '⚠ The protocol belongs to other content.',
  ],
  'verify.key_differs': ['⚠ A chave não confere com o documento.', '⚠ The key does not match the document.'],
  'verify.not_asked': [
    'O serviço não pôde ser consultado: {reason}',
    'The service could not be asked: {reason}',
  ],
  'verify.not_one_tick': [
    'São três respostas separadas; nenhuma vale pelas outras. Revogação de certificado não é conferida.',
    'These are three separate answers; none stands for the others. Revocation of certificates is not checked.',
  ],
  'verify.no_folders': [
    '"file" só funciona com DFE_FILES, que não está definida.',
    '"file" works only with DFE_FILES, which is not set.',
  ],
  'verify.no_file': [
    'Não há este arquivo dentro das pastas de DFE_FILES.',
    'There is no such file within the folders of DFE_FILES.',
  ],
  'verify.no_document': [
    'O arquivo não tem esse documento fiscal.',
    'The file holds no such fiscal document.',
  ],
  'verify.several': [
    'O arquivo tem {count} documentos: informe key. Por exemplo: {keys}.',
    'The file holds {count} documents: give key. For example: {keys}.',
  ],
  'verify.no_text': [
    'O texto do documento não está guardado e não pôde ser buscado.',
    "The document's text is not kept and could not be fetched.",
  ],
  'failure.trust_store': [
    'DFE_TRUST_STORE não pode ser usado ({code}): deve ser um arquivo PEM com certificados.',
    'DFE_TRUST_STORE cannot be used ({code}): it must be a PEM file of certificates.',
  ],
} as const satisfies Record<`${'verify' | 'failure'}.${string}`, Message>;
