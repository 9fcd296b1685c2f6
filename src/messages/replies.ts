import type { ReplyWarningCode } from '../clients/documents/replies/index.ts';
import type { Message } from './message.ts';

/** Words for what is odd about a reply that was understood. */
export const replyMessages = {
  'reply.empty_reply': [
    'o serviço respondeu com um texto vazio; isso costuma querer dizer que nada foi encontrado',
    'the service answered with an empty text, which usually means that nothing was found',
  ],
  'reply.count_differs': [
    'o serviço informa {declared} e enviou {found}',
    'the service announces {declared} and sent {found}',
  ],
  'reply.odd_code': [
    'a resposta tem conteúdo, mas traz o código {code}: "{message}"',
    'the reply has content but carries code {code}: "{message}"',
  ],
  'reply.duplicates': [
    'itens repetidos na resposta, mostrados uma só vez: {count}',
    'repeated entries in the reply, shown once: {count}',
  ],
  'reply.keys_rejected': [
    'chaves inválidas na resposta, não incluídas na lista: {count}',
    'invalid keys in the reply, not part of the list: {count}',
  ],
  'reply.text_between_keys': [
    'trechos entre as chaves que não são chaves e não foram lidos: {count}',
    'pieces between the keys that are not keys and were not read: {count}',
  ],
  'reply.unreadable': [
    '{count} {count:documento da resposta não pôde ser lido e não está|documentos da resposta não puderam ser lidos e não estão} entre os outros; lugar na resposta: {places}',
    '{count} {count:document of the reply could not be read and is|documents of the reply could not be read and are} not among the others; place in the reply: {places}',
  ],
  'reply.others_left_out': [
    'a resposta trouxe também documentos que não foram pedidos e não são mostrados: {count}',
    'the reply also contained documents that were not requested and are not shown: {count}',
  ],
} as const satisfies Record<`reply.${ReplyWarningCode}`, Message>;
