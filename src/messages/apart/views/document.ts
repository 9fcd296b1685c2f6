import type { Message } from '../../message.ts';

/** What the view of a document says besides. */
export const documentViewMessages = {
  verify: { 'pt-BR': 'Verificar autenticidade', en: 'Verify authenticity' },
  verifying: { 'pt-BR': 'Verificando…', en: 'Verifying…' },
  portal: { 'pt-BR': 'Consultar no portal', en: 'Look up on the portal' },
  save: { 'pt-BR': 'Salvar', en: 'Save' },
  ask_for_file: {
    'pt-BR': 'Salve o {format} deste documento: {title}, {key}',
    en: 'Save the {format} of this document: {title}, {key}',
  },
  related: {
    'pt-BR': '{count:Documento relacionado|Documentos relacionados} ({count})',
    en: '{count:Related document|Related documents} ({count})',
  },
  and_more: { 'pt-BR': '… e mais {count} no XML', en: '… and {count} more in the XML' },
  events: { 'pt-BR': 'Eventos', en: 'Events' },
  status_as_of: { 'pt-BR': 'Situação {from}, em {at}.', en: 'Status {from}, as of {at}.' },
  'status_from.document': { 'pt-BR': 'conforme o próprio documento', en: 'as in the document itself' },
  'status_from.event': { 'pt-BR': 'conforme os eventos', en: 'by its events' },
  'status_from.service': { 'pt-BR': 'conforme o serviço', en: 'as the service says' },
  'source.service': { 'pt-BR': 'Origem: o serviço.', en: 'Source: the service.' },
  'source.files': { 'pt-BR': 'Origem: os seus arquivos.', en: 'Source: your files.' },
  'source.both': {
    'pt-BR': 'Origem: o serviço e os seus arquivos.',
    en: 'Source: the service and your files.',
  },
  contents: {
    'pt-BR': 'Há {count} conteúdos diferentes com esta chave.',
    en: 'There are {count} different contents under this key.',
  },
  verified: { 'pt-BR': 'Autenticidade', en: 'Authenticity' },
  'content.unchanged': {
    'pt-BR': 'Conteúdo inalterado desde a assinatura',
    en: 'Content unchanged since it was signed',
  },
  'content.changed': {
    'pt-BR': 'O conteúdo não é o que foi assinado',
    en: 'The content is not what was signed',
  },
  'content.unknown': {
    'pt-BR': 'Não dá para saber se o conteúdo foi alterado; isso não quer dizer que seja falso',
    en: 'Whether the content was changed cannot be told; that does not make it false',
  },
  'signer.matches': {
    'pt-BR': 'Assinado pelo emitente ou por quem assina por ele',
    en: 'Signed by the issuer or by whoever signs for it',
  },
  'signer.differs': {
    'pt-BR': 'Assinado por outro que não o emitente',
    en: 'Signed by somebody other than the issuer',
  },
  'signer.unknown': {
    'pt-BR': 'Não dá para saber se foi assinado por quem devia',
    en: 'Whether the right party signed it cannot be told',
  },
  'authorization.confirmed': {
    'pt-BR': 'Autorização confirmada pelo serviço',
    en: 'Authorisation confirmed by the service',
  },
  'authorization.contradicted': {
    'pt-BR': 'Algo contradiz a autorização',
    en: 'Something contradicts the authorisation',
  },
  'authorization.unknown': {
    'pt-BR': 'Autorização não confirmada: só o serviço pode fazê-lo',
    en: 'Authorisation not confirmed: only the service can do that',
  },
  certificate_expired: {
    'pt-BR': '⚠ Certificado fora da validade na emissão.',
    en: '⚠ Certificate not valid at issue.',
  },
  protocol_differs: {
    'pt-BR': '⚠ O protocolo é de outro conteúdo.',
    en: '⚠ The protocol belongs to other content.',
  },
  key_differs: {
    'pt-BR': '⚠ A chave não confere com o documento.',
    en: '⚠ The key does not match the document.',
  },
  'chain.trusted': {
    'pt-BR': 'Cadeia de certificados confiável.',
    en: 'Certificate chain trusted.',
  },
  'chain.untrusted': {
    'pt-BR': '⚠ Sem cadeia de certificação até uma raiz confiável.',
    en: '⚠ No certificate chain up to a trusted root.',
  },
  'chain.not_checked': {
    'pt-BR': 'Cadeia de certificados não conferida.',
    en: 'Certificate chain not checked.',
  },
  three_answers: {
    'pt-BR': 'São três respostas separadas; nenhuma vale pelas outras.',
    en: 'These are three separate answers; none stands for the others.',
  },
} as const satisfies Record<string, Message>;
