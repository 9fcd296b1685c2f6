import type { Message } from './message.ts';

/** What goes wrong between this program and the two services, and the outcome of writes. */
export const upstreamMessages = {
  'upstream.service_documents': ['O serviço de documentos', 'The documents service'],
  'upstream.service_account': ['O serviço da conta', 'The account service'],
  'upstream.service_token': ['O servidor de tokens OAuth', 'The OAuth token server'],
  'upstream.label_status': ['status {status}', 'status {status}'],
  'upstream.label_code': ['código {code}', 'code {code}'],
  'upstream.label_none': ['sem código', 'no code'],

  'upstream.unreachable': [
    '{service} está fora de alcance: não houve conexão com {host} ou ela caiu ({code}). Confira o endereço em {variable}, a rede e, se houver, o proxy; depois tente de novo.',
    '{service} is out of reach: there was no connection to {host}, or it broke ({code}). Check the address in {variable}, the network and the proxy, if any; then try again.',
  ],
  'upstream.unreachable_name': [
    '{service} não foi encontrado: {host} não existe na rede ({code}). Confira o endereço em {variable}.',
    '{service} was not found: {host} does not exist on the network ({code}). Check the address in {variable}.',
  ],
  'upstream.unreachable_certificate': [
    '{service} apresentou em {host} um certificado que este computador não aceita ({code}). Se a rede inspeciona HTTPS ou a autoridade é própria, aponte NODE_EXTRA_CA_CERTS para o certificado dela e reinicie o programa.',
    '{service} presented a certificate at {host} that this machine does not accept ({code}). If the network inspects HTTPS or the authority is your own, point NODE_EXTRA_CA_CERTS to its certificate and restart the program.',
  ],
  'upstream.unreachable_certificate_wrong': [
    '{service} apresentou em {host} um certificado vencido ou de outro endereço ({code}). Confira o endereço em {variable} e o relógio do computador; se estiverem certos, avise quem mantém o serviço.',
    '{service} presented a certificate at {host} that is expired or belongs to another address ({code}). Check the address in {variable} and the clock of this machine; if both are right, tell whoever runs the service.',
  ],
  'upstream.unreachable_proxy': [
    '{service} está fora de alcance: o proxy não levou a chamada até {host} ({code}). Confira HTTP_PROXY, HTTPS_PROXY e NO_PROXY.',
    '{service} is out of reach: the proxy did not take the call to {host} ({code}). Check HTTP_PROXY, HTTPS_PROXY and NO_PROXY.',
  ],
  'upstream.proxy_credentials': [
    '{service} está fora de alcance: o proxy da rede pede usuário e senha. Informe-os em HTTP_PROXY e HTTPS_PROXY (http://usuario:senha@host:porta).',
    '{service} is out of reach: the proxy of the network asks for a user and password. Put them into HTTP_PROXY and HTTPS_PROXY (http://user:password@host:port).',
  ],
  'upstream.timed_out': [
    '{service} não deu uma resposta completa em {seconds} s. Tente um período menor ou aumente DFE_TIMEOUT.',
    '{service} gave no complete reply within {seconds} s. Try a shorter period or raise DFE_TIMEOUT.',
  ],

  'upstream.timed_out_own': [
    '{service} não deu uma resposta completa em {seconds} s, o máximo que se espera por uma entre várias respostas. Tente de novo mais tarde; DFE_TIMEOUT não muda esse limite.',
    '{service} gave no complete reply within {seconds} s, the longest wait for one reply of several. Try again later; DFE_TIMEOUT does not change this limit.',
  ],
  'upstream.unsendable_documents': [
    'O usuário ou a senha do serviço de documentos tem uma quebra de linha ou outro caractere de controle e não foi enviado. Corrija DFE_USER e DFE_PASSWORD (ou o arquivo de DFE_PASSWORD_FILE, que deve ter uma linha só).',
    'The user or the password of the documents service has a line break or another control character and was not sent. Correct DFE_USER and DFE_PASSWORD (or the file of DFE_PASSWORD_FILE, which must have one line).',
  ],
  'upstream.unsendable_account': [
    'A credencial do serviço da conta tem uma quebra de linha ou outro caractere que um cabeçalho não leva, e nada foi enviado. Corrija as variáveis DFE_ACCOUNT_ da forma de acesso em uso (chave de API, token, OAuth, ou usuário e licença).',
    'The credential of the account service has a line break or another character that a header cannot carry, and nothing was sent. Correct the DFE_ACCOUNT_ variables of the way of access in use (API key, token, OAuth, or user and licence).',
  ],

  'upstream.refused': [
    '{service} recusou o pedido ({label}) e não disse por quê. Confira os dados informados.',
    '{service} refused the request ({label}) and did not say why. Check the values given.',
  ],
  'upstream.refused_message': [
    '{service} recusou o pedido ({label}) e disse: "{message}". Corrija o que ele aponta antes de repetir.',
    '{service} refused the request ({label}) and said: "{message}". Correct what it names before trying again.',
  ],
  'upstream.unauthorized_documents': [
    '{service} não aceitou o usuário e a senha. Confira DFE_USER e DFE_PASSWORD (ou DFE_PASSWORD_FILE).',
    '{service} did not accept the user and password. Check DFE_USER and DFE_PASSWORD (or DFE_PASSWORD_FILE).',
  ],
  'upstream.unauthorized_account': [
    '{service} não aceitou a credencial. Confira as variáveis DFE_ACCOUNT_ da forma de acesso em uso (chave de API, token, OAuth, ou usuário e licença).',
    '{service} did not accept the credential. Check the DFE_ACCOUNT_ variables of the way of access in use (API key, token, OAuth, or user and licence).',
  ],
  'upstream.token_refused': [
    '{service} não deu um token ({label}). Confira DFE_ACCOUNT_OAUTH_TOKEN_URL, DFE_ACCOUNT_OAUTH_CLIENT_ID, DFE_ACCOUNT_OAUTH_CLIENT_SECRET e DFE_ACCOUNT_OAUTH_SCOPE.',
    '{service} issued no token ({label}). Check DFE_ACCOUNT_OAUTH_TOKEN_URL, DFE_ACCOUNT_OAUTH_CLIENT_ID, DFE_ACCOUNT_OAUTH_CLIENT_SECRET and DFE_ACCOUNT_OAUTH_SCOPE.',
  ],
  'upstream.forbidden': [
    '{service} reconheceu a credencial, mas ela não tem permissão para isto ({label}). Peça o acesso a quem administra a conta.',
    '{service} knows the credential, but it is not allowed to do this ({label}). Ask whoever administers the account for access.',
  ],
  'upstream.not_found': [
    '{service} não encontrou o que foi pedido ({label}). Confira os identificadores e o endereço em {variable}.',
    '{service} could not find the requested item ({label}). Check the identifiers and the address in {variable}.',
  ],
  'upstream.no_action': [
    '{service} não tem a operação pedida com estes parâmetros: não é um documento que falta. Ele pode ser de outra versão; confira o endereço em {variable}.',
    '{service} has no such operation with these parameters: it is not a document that is missing. It may be of another version; check the address in {variable}.',
  ],
  'upstream.address': [
    '{service} respondeu com o endereço de um arquivo que não é seguido: só vale um endereço da internet pública por https, ou do próprio servidor, com um redirecionamento no máximo. Peça o arquivo por outro formato ou avise quem administra o serviço.',
    '{service} answered with the address of a file that is not followed: only one of the public internet over https will do, or one of its own server, with one redirect at most. Ask for another format, or tell whoever administers the service.',
  ],
  'upstream.redirected': [
    '{service} mandou a chamada para {host}. Redirecionamentos não são seguidos, para que a credencial não vá a outro endereço. Se {host} é o endereço certo, informe-o em {variable}.',
    '{service} redirected the call to {host}. Redirects are not followed, so that the credential does not go to another address. If {host} is the right address, put it into {variable}.',
  ],
  'upstream.wait_until': ['{wait}, a partir de {at}', '{wait}, from {at} on'],
  'upstream.wait_seconds': ['{count} s', '{count} s'],
  'upstream.again_now': [
    '{service} não atendeu a chamada ({label}), mas diz que já se pode tentar de novo.',
    '{service} did not serve the call ({label}), but says that it may be tried again now.',
  ],
  'upstream.wait_some': ['alguns minutos', 'a few minutes'],
  'upstream.rate_limited': [
    '{service} recebeu pedidos demais. Tente de novo em {wait}.',
    '{service} got too many requests. Try again in {wait}.',
  ],
  'upstream.unavailable': [
    '{service} não está atendendo agora ({label}). Tente de novo em {wait}.',
    '{service} is not available now ({label}). Try again in {wait}.',
  ],

  'upstream.other_model': [
    '{service} respondeu com um documento de um modelo que não é lido aqui: {model}.',
    '{service} answered with a document of a model that is not read here: {model}.',
  ],
  'upstream.another_document': [
    '{service} respondeu com outro documento, e não com o que foi pedido. Confira a chave ou o número; se estiverem certos, avise quem administra o serviço.',
    '{service} answered with another document, not the one asked for. Check the key or the number; if it is right, tell whoever runs the service.',
  ],
  'upstream.not_understood': [
    '{service} respondeu algo que não foi entendido ({reply}). Confira o endereço em {variable}; se estiver certo, avise quem mantém este programa.',
    '{service} sent a reply that could not be understood ({reply}). Check the address in {variable}; if it is right, tell whoever maintains this program.',
  ],
  'upstream.encoding': [
    '{service} mandou uma resposta comprimida que este programa não pôde descomprimir. Tente de novo; se continuar, avise quem administra o serviço ou o proxy.',
    '{service} sent a compressed reply that this program could not decompress. Try again; if it stays so, tell whoever runs the service or the proxy.',
  ],
  'upstream.truncated': [
    '{service} mandou uma resposta incompleta ({kind}, {bytes} bytes). Tente de novo.',
    '{service} sent an incomplete reply ({kind}, {bytes} bytes). Try again.',
  ],
  'upstream.too_large': [
    '{service} mandou uma resposta grande demais (passou de {bytes} bytes). Tente um período menor.',
    '{service} sent a reply that is too large (beyond {bytes} bytes). Try a shorter period.',
  ],

  'upstream.outcome_unknown': [
    '{service} recebeu ou pode ter recebido o pedido, mas {what}: não se sabe se ele foi executado. Consulte a situação antes de repetir.',
    '{service} received the request or may have, but {what}: whether it was performed is not known. Look up the state before trying again.',
  ],
  'upstream.lost_connection': ['a conexão caiu antes da resposta', 'the connection broke before the reply'],
  'upstream.lost_time': ['a resposta não veio em {seconds} s', 'the reply did not come within {seconds} s'],
  'upstream.lost_status': ['respondeu com {label}', 'it answered with {label}'],
  'upstream.lost_meaning': [
    'a resposta não se entende ({kind}, {bytes} bytes)',
    'the reply is not understood ({kind}, {bytes} bytes)',
  ],
  'upstream.lost_encoding': [
    'a resposta veio com a compressão danificada',
    'the compression of the reply is damaged',
  ],
  'upstream.lost_cancelled': [
    'a chamada foi cancelada antes da resposta',
    'the call was cancelled before the reply',
  ],
  'upstream.held_failing': [
    '{service} falhou várias vezes seguidas, e por um tempo nada lhe é pedido. Nada foi enviado agora; nova tentativa em {wait}.',
    '{service} failed several times in a row, and nothing is asked of it for a while. Nothing was sent now; it is tried again in {wait}.',
  ],
  'upstream.held_asked_to_wait': [
    '{service} pediu que se espere. Nada foi enviado agora; chame de novo em {wait}.',
    '{service} asked to wait. Nothing was sent now; call again in {wait}.',
  ],
  'upstream.held_undue_consumption': [
    '{service} recusou as consultas desta empresa por excesso (cStat 656, consumo indevido), e nada mais lhe é pedido desta empresa por um tempo. Nada foi enviado agora; chame de novo em {wait}.',
    '{service} refused the calls for this company as too many (cStat 656, consumo indevido), and nothing more is asked of it for this company for a while. Nothing was sent now; call again in {wait}.',
  ],
  'upstream.cancelled': [
    'A chamada foi cancelada antes da resposta. Peça de novo quando quiser.',
    'The call was cancelled before the reply. Ask again whenever you like.',
  ],

  // What became of writes, and parts of their previews.
  'result.done': ['registrado', 'registered'],
  'result.refused': ['recusado', 'refused'],
  'result.not_sent': ['não enviado', 'not sent'],
  'result.in_flight': ['em andamento', 'under way'],
  'result.unknown': ['resultado desconhecido', 'outcome unknown'],
  'result.overall_done': ['Feito.', 'Done.'],
  'result.overall_partly': [
    'Feito em parte: veja o resultado de cada chave.',
    'Partly done: see the outcome of each key.',
  ],
  'result.overall_refused': ['Não foi registrado.', 'Not registered.'],
  'result.overall_not_sent': ['Nada foi enviado.', 'Nothing was sent.'],
  'result.overall_unknown': [
    'O resultado não é conhecido: pode ter sido registrado.',
    'The outcome is unknown: it may have been registered.',
  ],
  'result.shortened': [
    'As mensagens do serviço foram encurtadas aqui; no conteúdo estruturado estão inteiras.',
    "The service's messages are shortened here; they are whole in the structured content.",
  ],
  'result.look_up': [
    'Onde o resultado é desconhecido, use get_nfe_event_status antes de repetir.',
    'Where the outcome is unknown use get_nfe_event_status before repeating.',
  ],
  'result.cancelled_before': ['cancelado antes desta parte', 'cancelled before this part'],
  'result.still_awaited': [
    'enviado, e a resposta ainda não veio: o programa continua esperando por ela e anota o resultado no diário',
    'sent, and the reply has not come yet: the program keeps waiting for it and notes the outcome in the journal',
  ],
  'result.no_time_left': [
    'não enviado, porque o tempo da chamada acabou antes desta parte; peça de novo só para estas chaves',
    'not sent, because the time of the call was over before this part; ask again for these keys alone',
  ],
  'result.forestalled': [
    'não enviado, porque outro envio para a mesma chave veio antes; peça uma nova prévia',
    'not sent, because another write for the same key came first; ask for a new preview',
  ],
  'result.stopped_after_refusal': [
    'não enviado, porque o serviço recusou a parte anterior por inteiro',
    'not sent, because the service refused the previous part as a whole',
  ],
  'result.progress': ['{done} {done:chave tratada|chaves tratadas}', '{done} {done:key|keys} handled'],
  'result.settled': [
    'O envio de {at}, de resultado desconhecido, fica esclarecido no diário.',
    'The write of {at}, whose outcome was unknown, is settled in the journal.',
  ],
  'result.other_key': [
    '⚠ o serviço respondeu sobre a chave "{found}", e a pergunta era sobre {asked}',
    '⚠ the service answered about key "{found}", and the question was about {asked}',
  ],
  'preview.raw': [
    'Enviar este evento exatamente como está, sem conferência do conteúdo:',
    'Send this event exactly as it stands, its content unchecked:',
  ],
  'preview.replace': [
    'Substituir por inteiro {subject}. O que não está aqui deixa de existir no serviço:',
    'Replace {subject} as a whole. What is not listed here ceases to exist at the service:',
  ],
  'preview.subject_setting': ['a configuração {id} da empresa {owner}', 'setting {id} of company {owner}'],
  'preview.subject_subscription': [
    'a assinatura {id} da conta {owner}',
    'subscription {id} of account {owner}',
  ],
  'preview.stored': ['{field}: {value}', '{field}: {value}'],
  'preview.cleared': ['{field}: será apagado', '{field}: will be cleared'],
  'preview.records_omitted': [
    'Campos de registro não enviados, que o serviço pode apagar ou preencher: {fields}.',
    'Record-keeping fields not sent, which the service may clear or fill in: {fields}.',
  ],
  'preview.excluded': [
    '{field}: não se envia, porque {other} o determina',
    '{field}: not sent, because {other} determines it',
  ],
  'replacement.done': [
    'Substituído. O serviço guarda agora: {stored}',
    'Replaced. The service now stores: {stored}',
  ],
  'replacement.still_awaited': [
    'A resposta ainda não veio: o programa continua esperando por ela e anota o resultado no diário. Não repita antes disso.',
    'The reply has not come yet: the program keeps waiting for it and notes the outcome in the journal. Do not repeat it before then.',
  ],
  'replacement.unknown': [
    'O resultado não é conhecido: pode ter sido substituído. {words}',
    'The outcome is unknown: it may have been replaced. {words}',
  ],
  'replacement.refused': ['Nada foi substituído. {words}', 'Nothing was replaced. {words}'],
  'replacement.not_sent': [
    'Nada foi enviado, e nada foi substituído. {words}',
    'Nothing was sent, and nothing was replaced. {words}',
  ],
  'replacement.difference': [
    '{field}: enviado {sent}, guardado {stored}',
    '{field}: sent {sent}, stored {stored}',
  ],
  'replacement.would_clear': [
    'a substituição apagaria {fields}: informe o valor de cada um ou cite-o em "clear" para apagá-lo de propósito',
    'the replacement would clear {fields}: give each a value or name it in "clear" to clear it on purpose',
  ],
  'replacement.given_and_cleared': [
    '{fields} tem valor e está em "clear": escolha um dos dois',
    '{fields} has a value and is in "clear": choose one of the two',
  ],
  'replacement.roles': [
    'Esta operação exige um destes papéis: {roles}.',
    'This operation requires one of these roles: {roles}.',
  ],
  'replacement.check_ids': [
    'Confira os ids: {subject} não existe para esta credencial.',
    'Check the ids: {subject} does not exist for this credential.',
  ],
} as const satisfies Record<string, Message>;
