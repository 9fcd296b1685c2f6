import type { Message } from '../../message.ts';

/** What the view of a document says besides. */
export const documentViewMessages = {
  verify: ['Verificar autenticidade', 'Verify authenticity'],
  verifying: ['Verificando…', 'Verifying…'],
  portal: ['Consultar no portal', 'Look up on the portal'],
  save: ['Salvar', 'Save'],
  ask_for_file: [
    'Salve o {format} deste documento: {title}, {key}',
    'Save the {format} of this document: {title}, {key}',
  ],
  related: [
    '{count:Documento relacionado|Documentos relacionados} ({count})',
    '{count:Related document|Related documents} ({count})',
  ],
  and_more: ['… e mais {count} no XML', '… and {count} more in the XML'],
  events: ['Eventos', 'Events'],
  status_as_of: ['Situação {from}, em {at}.', 'Status {from}, as of {at}.'],
  event_undone: ['desfeito por outro evento', 'taken back by another event'],
  'status_from.document': ['conforme o próprio documento', 'as in the document itself'],
  'status_from.event': ['conforme os eventos', 'by its events'],
  'status_from.service': ['conforme o serviço', 'as the service says'],
  'source.service': ['Origem: o serviço.', 'Source: the service.'],
  'source.files': ['Origem: os seus arquivos.', 'Source: your files.'],
  'source.both': ['Origem: o serviço e os seus arquivos.', 'Source: the service and your files.'],
  contents: [
    'Há {count} conteúdos diferentes com esta chave.',
    'There are {count} different contents under this key.',
  ],
  verified: ['Autenticidade', 'Authenticity'],
  'content.unchanged': ['Conteúdo inalterado desde a assinatura', 'Content unchanged since it was signed'],
  'content.changed': ['O conteúdo não é o que foi assinado', 'The content is not what was signed'],
  'content.unknown': [
    'Não dá para saber se o conteúdo foi alterado; isso não quer dizer que seja falso',
    'Whether the content was changed cannot be told; that does not make it false',
  ],
  'signer.matches': [
    'Assinado pelo emitente ou por quem assina por ele',
    'Signed by the issuer or by whoever signs for it',
  ],
  'signer.differs': ['Assinado por outro que não o emitente', 'Signed by somebody other than the issuer'],
  'signer.unknown': [
    'Não dá para saber se foi assinado por quem devia',
    'Whether the right party signed it cannot be told',
  ],
  'authorization.confirmed': [
    'Autorização confirmada pelo serviço',
    'Authorisation confirmed by the service',
  ],
  'authorization.contradicted': ['Algo contradiz a autorização', 'Something contradicts the authorisation'],
  'authorization.unknown': [
    'Autorização não confirmada: só o serviço pode fazê-lo',
    'Authorisation not confirmed: only the service can do that',
  ],
  certificate_expired: ['⚠ Certificado fora da validade na emissão.', '⚠ Certificate not valid at issue.'],
  protocol_differs: ['⚠ O protocolo é de outro conteúdo.', '⚠ The protocol belongs to other content.'],
  key_differs: ['⚠ A chave não confere com o documento.', '⚠ The key does not match the document.'],
  'chain.trusted': ['Cadeia de certificados confiável.', 'Certificate chain trusted.'],
  'chain.untrusted': [
    '⚠ Sem cadeia de certificação até uma raiz confiável.',
    '⚠ No certificate chain up to a trusted root.',
  ],
  'chain.not_checked': ['Cadeia de certificados não conferida.', 'Certificate chain not checked.'],
  three_answers: [
    'São três respostas separadas; nenhuma vale pelas outras.',
    'These are three separate answers; none stands for the others.',
  ],
} as const satisfies Record<string, Message>;
