import type { Message } from '../../message.ts';

/** What the view of a document says besides. */
export const documentViewMessages = {
  'view.verify': { 'pt-BR': 'Verificar autenticidade', en: 'Verify authenticity' },
  'view.verifying': { 'pt-BR': 'Verificando…', en: 'Verifying…' },
  'view.portal': { 'pt-BR': 'Consultar no portal', en: 'Look up on the portal' },
  'view.save': { 'pt-BR': 'Salvar', en: 'Save' },
  'view.ask_for_file': {
    'pt-BR': 'Salve o {format} deste documento: {title}, {key}',
    en: 'Save the {format} of this document: {title}, {key}',
  },
  'view.related': {
    'pt-BR': '{count:Documento relacionado|Documentos relacionados} ({count})',
    en: '{count:Related document|Related documents} ({count})',
  },
  'view.and_more': { 'pt-BR': '… e mais {count} no XML', en: '… and {count} more in the XML' },
  'view.events': { 'pt-BR': 'Eventos', en: 'Events' },
  'view.status_as_of': { 'pt-BR': 'Situação {from}, em {at}.', en: 'Status {from}, as of {at}.' },
  'view.status_from.document': { 'pt-BR': 'conforme o próprio documento', en: 'as in the document itself' },
  'view.status_from.event': { 'pt-BR': 'conforme os eventos', en: 'by its events' },
  'view.status_from.service': { 'pt-BR': 'conforme o serviço', en: 'as the service says' },
  'view.source.service': { 'pt-BR': 'Origem: o serviço.', en: 'Source: the service.' },
  'view.source.files': { 'pt-BR': 'Origem: os seus arquivos.', en: 'Source: your files.' },
  'view.source.both': {
    'pt-BR': 'Origem: o serviço e os seus arquivos.',
    en: 'Source: the service and your files.',
  },
  'view.contents': {
    'pt-BR': 'Há {count} conteúdos diferentes com esta chave.',
    en: 'There are {count} different contents under this key.',
  },
  'view.verified': { 'pt-BR': 'Autenticidade', en: 'Authenticity' },
  'view.verify.content_unchanged': {
    'pt-BR': 'Conteúdo inalterado desde a assinatura',
    en: 'Content unchanged since it was signed',
  },
  'view.verify.content_changed': {
    'pt-BR': 'O conteúdo não é o que foi assinado',
    en: 'The content is not what was signed',
  },
  'view.verify.content_unknown': {
    'pt-BR': 'Não se pode dizer se o conteúdo foi alterado; isso não quer dizer que seja falso',
    en: 'Whether the content was changed cannot be told; that does not mean that it is false',
  },
  'view.verify.signer_matches': {
    'pt-BR': 'Assinado pelo emitente ou por quem assina por ele',
    en: 'Signed by the issuer or by who signs for it',
  },
  'view.verify.signer_differs': {
    'pt-BR': 'Assinado por outro que não o emitente',
    en: 'Signed by somebody else than the issuer',
  },
  'view.verify.signer_unknown': {
    'pt-BR': 'Não se pode dizer se foi assinado por quem devia',
    en: 'Whether it was signed by who should sign cannot be told',
  },
  'view.verify.authorization_confirmed': {
    'pt-BR': 'Autorização confirmada pelo serviço',
    en: 'Authorization confirmed by the service',
  },
  'view.verify.authorization_contradicted': {
    'pt-BR': 'Algo contradiz a autorização',
    en: 'Something contradicts the authorization',
  },
  'view.verify.authorization_unknown': {
    'pt-BR': 'Autorização não confirmada: só o serviço pode fazê-lo',
    en: 'Authorization not confirmed: only the service can do that',
  },
  'view.certificate_expired': {
    'pt-BR': '⚠ Certificado fora da validade na emissão.',
    en: '⚠ Certificate not valid at issue.',
  },
  'view.protocol_differs': {
    'pt-BR': '⚠ O protocolo é de outro conteúdo.',
    en: '⚠ The protocol is of another content.',
  },
  'view.key_differs': {
    'pt-BR': '⚠ A chave diz outra coisa que o documento.',
    en: '⚠ The key says something else than the document.',
  },
  'view.chain.trusted': {
    'pt-BR': 'Cadeia de certificados confiável.',
    en: 'Chain of certificates trusted.',
  },
  'view.chain.untrusted': {
    'pt-BR': '⚠ Sem cadeia até uma raiz confiável.',
    en: '⚠ No chain up to a trusted root.',
  },
  'view.chain.not_checked': {
    'pt-BR': 'Cadeia de certificados não conferida.',
    en: 'Chain of certificates not checked.',
  },
  'view.three_answers': {
    'pt-BR': 'São três respostas separadas; nenhuma vale pelas outras.',
    en: 'These are three separate answers; none stands for the others.',
  },
  'view.reason.digest': {
    'pt-BR': 'O texto difere do resumo assinado.',
    en: 'The text differs from the signed digest.',
  },
  'view.reason.signature': {
    'pt-BR': 'A assinatura não é deste certificado.',
    en: 'The signature is not of this certificate.',
  },
  'view.reason.not_signed': { 'pt-BR': 'Sem assinatura.', en: 'No signature.' },
} as const satisfies Record<`view.${string}`, Message>;
