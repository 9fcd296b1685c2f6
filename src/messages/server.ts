import type { Message } from './message.ts';

/** The server that others reach over HTTP; the archive and its commands; the user's own files as a source. */
export const serverMessages = {
  // Words of the server that others reach over HTTP: its start, its tenants file, its refusals.
  'failure.scope': [
    'O seu acesso não inclui esta ferramenta: falta o escopo {scope}. Nada foi enviado.',
    'Your access does not include this tool: the scope {scope} is missing. Nothing was sent.',
  ],
  'failure.company_not_allowed': [
    'A empresa {company} não está entre as que o seu acesso permite. Nada foi consultado.',
    'The company {company} is not among those that your access allows. Nothing was asked of the service.',
  ],
  'failure.company_of_files': [
    'Os dígitos verificadores do CNPJ {company} não conferem: por ele só se leem os seus arquivos, pela data de emissão. Nada foi consultado no serviço.',
    'The check digits of the CNPJ {company} are wrong: by it only your files can be read, by day of issue. Nothing was asked of the service.',
  ],
  'config.signing_key': [
    'DFE_SIGNING_KEY_FILE não serve ({code}): deve conter numa linha ao menos 32 bytes aleatórios em base64 ou hexadecimal.',
    'DFE_SIGNING_KEY_FILE cannot be used ({code}): it must hold at least 32 random bytes in base64 or hexadecimal on one line.',
  ],
  'archive.of_tenants': [
    'docfiscal-mcp archive trata de uma empresa por vez: execute sem DFE_TENANTS, com as credenciais e o DFE_DATA_DIR (a pasta tenants e o id) dela.',
    'docfiscal-mcp archive looks after one company at a time: run it without DFE_TENANTS, with its credentials and its DFE_DATA_DIR (the folder tenants and its id).',
  ],
  'tenants.company_missing': [
    'Este servidor atende várias empresas: diga em cnpj de qual se trata ({known}).',
    'This server serves several companies: name one in cnpj ({known}).',
  ],
  'tenants.company_of_none': [
    'A empresa {company} não está em DFE_TENANTS. Nada foi consultado. Estão lá: {known}.',
    'The company {company} is not in DFE_TENANTS. Nothing was asked of a service. It has: {known}.',
  ],
  'tenants.company_of_several': [
    'A empresa {company} está em mais de um inquilino de DFE_TENANTS ({tenants}): não se sabe quais credenciais usar.',
    'The company {company} is in more than one tenant of DFE_TENANTS ({tenants}): whose credentials to use is not known.',
  ],
  'tenants.companies_apart': [
    'As credenciais de {company} são outras que as de {first}: pergunte por {company} em outra chamada. Nada foi consultado.',
    'The credentials of {company} are not those of {first}: ask about {company} in another call. Nothing was asked of a service.',
  ],
  'tenants.all_apart': [
    'Cada inquilino de DFE_TENANTS tem credenciais próprias: pergunte por um de cada vez. Estão lá: {known}.',
    'Every tenant of DFE_TENANTS has credentials of its own: ask about one at a time. It has: {known}.',
  ],
  'tenants.document_of_whom': [
    'Não se sabe de qual empresa é este documento: abra-o com get_document, com o cnpj dela.',
    'It is not known whose document this is: open it with get_document and the cnpj of the company.',
  ],
  'doctor.tenants': [
    '{count} {count:inquilino|inquilinos} em DFE_TENANTS',
    '{count} {count:tenant|tenants} in DFE_TENANTS',
  ],
  'failure.not_prepared': [
    'O arquivo não pôde ser preparado no servidor ({code}).',
    'The file could not be prepared on the server ({code}).',
  ],
  'files.link': [
    'Para baixar, até {until} e só para quem pediu: {url}',
    'To download until {until}, only by whoever asked for it: {url}',
  ],
  'files.link_expired': [
    'Este link expirou. Peça o arquivo de novo ao assistente.',
    'This link has expired. Ask the assistant for the file again.',
  ],
  'files.link_unknown': [
    'Este link não é válido. Peça o arquivo de novo ao assistente.',
    'This link is not valid. Ask the assistant for the file again.',
  ],
  'files.link_ended': [
    'Este link não vale mais: quem o pediu já não pode consultar estes documentos.',
    'This link has ended: whoever asked for it may no longer read these documents.',
  ],
  'files.link_of_other': ['Este link foi feito para outra pessoa.', 'This link was made for somebody else.'],
  'files.link_changed': [
    'Os documentos mudaram desde que este link foi feito. Peça o arquivo de novo ao assistente.',
    'The documents have changed since this link was made. Ask the assistant for the file again.',
  ],
  'files.link_not_yet': [
    'Parte dos documentos ainda precisa ser buscada no serviço. Abra o link de novo daqui a pouco.',
    'Some of the documents have yet to be fetched from the service. Open the link again in a moment.',
  ],
  'http.running': ['docfiscal-mcp atende em {url}', 'docfiscal-mcp serves at {url}'],
  'http.open': [
    'Sem identificação: atende qualquer programa desta máquina, e só desta.',
    'Without sign-in: serves any program on this machine, and only on this one.',
  ],
  'http.no_port': ['Não se pôde abrir {host}:{port} ({code}).', 'Could not open {host}:{port} ({code}).'],
  'http.stopping': [
    'docfiscal-mcp está encerrando: {count} {count:chamada em andamento|chamadas em andamento}',
    'docfiscal-mcp is shutting down: {count} {count:call|calls} under way',
  ],
  'http.tenants_kept': [
    'O arquivo de inquilinos não foi recarregado; vale o anterior:',
    'The tenants file was not reloaded; the previous one stays in force:',
  ],
  'http.tenants_reloaded': [
    'Arquivo de inquilinos recarregado: {count} {count:inquilino|inquilinos}',
    'Tenants file reloaded: {count} {count:tenant|tenants}',
  ],
  'http.passwords_unreadable': [
    'O arquivo de DFE_PASSWORD_FILE de {count} {count:inquilino|inquilinos} não pôde ser lido, e só as chamadas {count:dele|deles} falham: {tenants}',
    'DFE_PASSWORD_FILE of {count} {count:tenant|tenants} cannot be read, and {count:its|their} calls alone fail: {tenants}',
  ],
  'config.needs_identity': [
    '{variable}={value} é alcançável de outras máquinas: configure quem pode entrar (DFE_AUTH_ISSUER, ou DFE_TENANTS com tokens)',
    '{variable}={value} can be reached from other machines: configure who may use it (DFE_AUTH_ISSUER, or DFE_TENANTS with tokens)',
  ],
  'config.provider_needs_https': [
    '{variable} não usa https, e outra máquina da rede poderia trocar as chaves que conferem os tokens: use https, ou DFE_HTTP_INSECURE numa rede em que confia',
    '{variable} does not use https, so another machine on the network could replace the keys that check tokens: use https, or DFE_HTTP_INSECURE on a network you trust',
  ],
  'config.needs_https': [
    '{variable} não usa https, e tokens passariam à vista da rede: use https, ou DFE_HTTP_INSECURE se algo diante dele já cifra',
    '{variable} does not use https, so tokens could be read on the network: use https, or DFE_HTTP_INSECURE if something in front of it encrypts',
  ],
  'config.needs_members': [
    'DFE_TENANTS: nenhum inquilino tem "who", e por HTTP ninguém poderia entrar',
    'DFE_TENANTS: no tenant has "who", and nobody could sign in over HTTP',
  ],
  'config.claims_need_issuer': [
    'DFE_TENANTS usa "claim", que precisa de DFE_AUTH_ISSUER',
    'DFE_TENANTS uses "claim", which needs DFE_AUTH_ISSUER',
  ],
  'tenants.unreadable': [
    'DFE_TENANTS: o arquivo não pode ser lido ({code})',
    'DFE_TENANTS: the file cannot be read ({code})',
  ],
  'tenants.line': ['DFE_TENANTS, linha {line}: {problem}', 'DFE_TENANTS, line {line}: {problem}'],
  'tenants.syntax': ['não é JSON', 'is not JSON'],
  'tenants.unknown_field': ['campo desconhecido: {field}', 'unknown field: {field}'],
  'tenants.twice': ['o campo {field} aparece duas vezes', 'the field {field} is given twice'],
  'tenants.same_id': ['o id {id} aparece duas vezes', 'the id {id} is given twice'],
  'tenants.expected': ['{field} falta ou não tem a forma esperada', '{field} is missing or malformed'],
  'tenants.id': [
    'o id "{value}" não serve: use letras minúsculas sem acento, dígitos, - e _ (até 63, o primeiro uma letra ou um dígito)',
    'the id "{value}" cannot be used: use lower-case letters, digits, - and _ (63 at most, the first a letter or a digit)',
  ],
  'tenants.scope': [
    'o escopo "{value}" não existe; os que existem: {choices}',
    'there is no scope "{value}"; there are: {choices}',
  ],
  'tenants.company': [
    'deve ser um CNPJ válido, ou os oito primeiros caracteres seguidos de *',
    'must be a valid CNPJ, or its first eight characters followed by *',
  ],
  'tenants.not_a_tenants_setting': [
    '{variable} vale para o programa inteiro, não para um inquilino',
    '{variable} applies to the whole program, not to one tenant',
  ],
  'token.made': ['Token (aparece só desta vez; guarde-o):', 'Token (shown only once; keep it):'],
  'token.line': ['Linha para "who" no arquivo de inquilinos:', 'Line for "who" in the tenants file:'],
  'help.command.http': ['MCP por HTTP, para uma equipe', 'MCP over Streamable HTTP, for a team'],
  'help.command.token': ['cria um token para HTTP', 'makes a token for HTTP'],
  'help.http.purpose': [
    'Atende MCP em /mcp até ser encerrado. Em um endereço desta máquina não pede identificação; em qualquer outro só inicia com DFE_AUTH_ISSUER ou DFE_TENANTS.',
    'Serves MCP at /mcp until it is stopped. On an address of this machine it asks for no sign-in; on any other it starts only with DFE_AUTH_ISSUER or DFE_TENANTS.',
  ],
  'help.http.host': ['endereço em que escuta (127.0.0.1)', 'address it listens on (127.0.0.1)'],
  'help.http.port': ['porta (3717)', 'port (3717)'],
  'help.http.demo': ['com o simulador embutido, sem conta', 'with the embedded sandbox, no account'],
  'help.token.purpose': [
    'Mostra uma vez um token novo, que um cliente envia como "Authorization: Bearer", e a linha com o seu SHA-256 para DFE_TENANTS.',
    'Shows a new token once, which a client sends as "Authorization: Bearer", and the line with its SHA-256 for DFE_TENANTS.',
  ],

  // Words for the archive: what goes wrong with it, and its commands.
  'archive.engine_missing': [
    'Listas, somas, conferências e exportações precisam do SQLite, que o Node {node} não traz: instale o pacote libsql ou use Node 22.13 ou mais novo.',
    'Lists, sums, checks and exports need SQLite, which Node {node} does not have: install the package libsql or use Node 22.13 or newer.',
  ],
  'archive.other_version': [
    'O arquivo de documentos foi gravado por outra versão deste programa (esquema {found}; esta usa {known}). Nada foi tocado: docfiscal-mcp archive import, sem caminho, refaz o arquivo com o que ele guarda.',
    'The archive was written by another version of this program (schema {found}; this one uses {known}). Nothing was touched: docfiscal-mcp archive import, without a path, rebuilds it from what it holds.',
  ],
  'archive.rebuilt': [
    'Arquivo refeito e conferido: {documents} {documents:documento|documentos} e {events} {events:evento|eventos}. O que veio de pastas de arquivos é lido de novo na próxima consulta.',
    'Archive rebuilt and verified: {documents} {documents:document|documents} and {events} {events:event|events}. What came from folders of files is read again by the next question.',
  ],
  'archive.rebuild_file_only': [
    'Só um arquivo de DFE_ARCHIVE=file pode ser refeito assim. Para um banco de outra versão: aponte DFE_DATABASE_URL para um banco vazio e busque os documentos de novo (docfiscal-mcp archive fetch). Para trazer documentos de fora, informe os caminhos.',
    'Only an archive of DFE_ARCHIVE=file can be rebuilt so. For a database of another version: point DFE_DATABASE_URL to an empty database and fetch the documents again (docfiscal-mcp archive fetch). To take documents over, give their paths.',
  ],
  'archive.unusable': [
    'O arquivo de documentos não pode ser usado ({code}). Confira DFE_ARCHIVE e DFE_DATA_DIR, ou DFE_DATABASE_URL e o banco.',
    'The archive cannot be used ({code}). Check DFE_ARCHIVE and DFE_DATA_DIR, or DFE_DATABASE_URL and the database.',
  ],
  'archive.busy': [
    'O arquivo de documentos está ocupado ({code}): outro programa o segura, ou são conexões demais com o banco. Tente de novo daqui a pouco.',
    'The archive is busy ({code}): another program holds it, or the database has too many connections. Try again in a moment.',
  ],
  'archive.lost': [
    'A conexão com o banco de documentos caiu no meio da chamada ({code}). O que estava sendo guardado não foi guardado. Tente de novo.',
    'The connection to the archive database was lost during the call ({code}). What was being stored was not stored. Try again.',
  ],
  'archive.damage': [
    'O arquivo de documentos está danificado ({code}). docfiscal-mcp archive verify diz o que fazer.',
    'The archive is damaged ({code}). docfiscal-mcp archive verify says what to do.',
  ],
  'archive.sum_too_large': ['A soma é grande demais para ser exata.', 'The sum is too large to be exact.'],
  'archive.cancelled': [
    'A chamada foi cancelada; o que estava sendo lido não foi guardado.',
    'The call was cancelled; what was being fetched was not kept.',
  ],
  'archive.still_fetching': [
    'A lista é longa e ainda está sendo lida e guardada ({documents} {documents:documento|documentos} até agora). Chame de novo com os mesmos argumentos: a leitura continua de onde está, não recomeça.',
    'The list is long and is still being fetched and stored ({documents} {documents:document|documents} so far). Call again with the same arguments: it continues where it left off.',
  ],
  'archive.memory': [
    'Com DFE_ARCHIVE=memory os documentos ficam só na memória, enquanto o servidor roda, e este comando não tem do que cuidar. Com DFE_ARCHIVE=file ficam guardados.',
    'With DFE_ARCHIVE=memory documents are held only while the server runs, and there is nothing for this command to look after. With DFE_ARCHIVE=file they are kept.',
  ],
  'archive.info': [
    '{engine}, esquema {schema}, {bytes} bytes: {documents} {documents:documento|documentos}, {items} {items:item|itens}, {events} {events:evento|eventos}, {with_xml} com XML',
    '{engine}, schema {schema}, {bytes} bytes: {documents} {documents:document|documents}, {items} {items:item|items}, {events} {events:event|events}, {with_xml} with XML',
  ],
  'archive.no_company': ['sem empresa', 'no company'],
  'archive.by_issue': ['emissão', 'issue'],
  'archive.by_entry': ['entrada', 'entry'],
  'archive.by_period': ['período do serviço', 'service period'],
  'archive.covered': [
    '{company}, {kind} por {by}: {period}, lido em {fetched}',
    '{company}, {kind} by {by}: {period}, fetched {fetched}',
  ],
  'archive.verified': [
    '{documents} {documents:documento conferido|documentos conferidos}, {count} {count:dano|danos}',
    '{documents} {documents:document|documents} verified, {count} damaged',
  ],
  'archive.purge_preview': [
    'Seriam removidos {documents} {documents:documento|documentos}, {items} {items:item|itens} e {events} {events:evento|eventos} de {companies}; {kept} {kept:fica|ficam} para outras empresas. Repita com --yes para remover.',
    'This would remove {documents} {documents:document|documents}, {items} {items:item|items} and {events} {events:event|events} of {companies}; {kept} {kept:stays|stay} for other companies. Repeat with --yes to remove.',
  ],
  'archive.purged': [
    'Removidos: {documents} {documents:documento|documentos}, {items} {items:item|itens} e {events} {events:evento|eventos}.',
    'Removed: {documents} {documents:document|documents}, {items} {items:item|items} and {events} {events:event|events}.',
  ],
  'archive.exported': [
    '{count} {count:documento|documentos} em {path}',
    '{count} {count:document|documents} in {path}',
  ],
  'archive.nothing_exported': [
    'Nada a exportar: o arquivo não tem documentos assim.',
    'Nothing to export: the archive has no such documents.',
  ],
  'archive.fetching': ['Lendo {subject}…', 'Fetching {subject}…'],
  'archive.fetched': [
    '{subject}: {documents} {documents:documento lido|documentos lidos} agora.',
    '{subject}: {documents} {documents:document|documents} fetched now.',
  ],
  'archive.fetch_time_over': [
    'o tempo acabou antes; rode de novo para continuar',
    'the time limit was reached first; run it again to continue',
  ],
  'archive.stopped': [
    'Interrompido: o que já foi guardado fica; rode de novo para continuar.',
    'Interrupted: what is already kept stays; run it again to continue.',
  ],
  'archive.fetch_company': [
    'De qual empresa? Informe --company, ou defina DFE_CNPJ.',
    'Of which company? Give --company, or set DFE_CNPJ.',
  ],
  'archive.not_heeded': ['não vale para archive {action}', 'does not apply to archive {action}'],
  'archive.one_dossier': [
    'diga um arquivo: archive verify-dossier ARQUIVO',
    'name one file: archive verify-dossier FILE',
  ],
  'archive.bad_hash': ['não é um SHA-256 (64 hexadecimais)', 'is no SHA-256 (64 hexadecimal digits)'],
  'archive.remedy': [
    'O que fazer: exporte o que ainda se lê (docfiscal-mcp archive export --to PASTA, por tipo ou período se for preciso), encerre o servidor, tire {path} do lugar (com os arquivos -wal e -shm ao lado) e pergunte de novo: os documentos são buscados outra vez no serviço.',
    'What to do: export what can still be read (docfiscal-mcp archive export --to FOLDER, by kind or period if need be), stop the server, move {path} aside (with the -wal and -shm files beside it) and ask again: the documents are fetched again from the service.',
  ],
  'archive.remedy_database': [
    'O que fazer: exporte o que ainda se lê (docfiscal-mcp archive export --to PASTA), remova o resto (docfiscal-mcp archive purge) e pergunte de novo: os documentos são buscados outra vez no serviço.',
    'What to do: export what can still be read (docfiscal-mcp archive export --to FOLDER), remove the rest (docfiscal-mcp archive purge) and ask again: the documents are fetched again from the service.',
  ],

  // The user's own files as a source: what an answer from them rests on, and what of them gave no document.
  'files.alone': [
    'Dos seus arquivos, lidos em {at}: {documents} {documents:documento|documentos}. Por eles não se pode saber se o período está completo.',
    'From your files, read {at}: {documents} {documents:document|documents}. Whether the period is complete cannot be known from them.',
  ],
  'files.beside': [
    'Com o que só está nos seus arquivos, lidos em {at}.',
    'Together with what only your files have, read {at}.',
  ],
  'files.chosen': [
    'Empresa {company}: é a que mais aparece nos arquivos.',
    'Company {company}: the one that appears most in the files.',
  ],
  'files.reading': [
    'Os arquivos ainda estão sendo lidos ({read} até agora): a resposta tem só o que já foi lido. Continue com next_cursor ou pergunte de novo.',
    'The files are still being read ({read} so far): this answer has only what has been read. Continue with next_cursor or ask again.',
  ],
  'files.reading_progress': [
    '{read} {read:arquivo lido|arquivos lidos}, {documents} {documents:documento|documentos}',
    '{read} {read:file|files} read, {documents} {documents:document|documents}',
  ],
  'files.unseen': [
    '"{path}" não pôde ser lido ({code}); se já tinha sido lido, vale o que se sabia',
    '"{path}" could not be read ({code}); if it was read before, what was known of it counts',
  ],
  'files.empty_folder': [
    '"{path}" está vazia: nada foi lido dela; se deveria ter documentos, veja se o disco ou a pasta de rede está montado',
    '"{path}" is empty: nothing was read from it; if it should hold documents, see whether the disk or network folder is mounted',
  ],
  'archive.not_in_files': [
    'Nenhum dos seus arquivos tem este documento. Para buscá-lo no serviço, defina DFE_URL, DFE_USER e DFE_PASSWORD.',
    'None of your files has this document. To fetch it from the service, set DFE_URL, DFE_USER and DFE_PASSWORD.',
  ],
  'archive.files_not_read': [
    'Os arquivos ainda estão sendo lidos e nenhum dos já lidos tem este documento. Pergunte de novo.',
    'The files are still being read and none of those read so far has this document. Ask again.',
  ],
  'files.company_unclear': [
    'Nos arquivos há mais de uma empresa com o mesmo número de documentos: informe cnpj. As que mais aparecem: {companies}.',
    'Several companies have the same number of documents in the files: give cnpj. The most frequent: {companies}.',
  ],
  'files.no_company': [
    'Não há documento fiscal de empresa nos arquivos; docfiscal-mcp doctor diz o que há neles.',
    'The files hold no fiscal document of a company; docfiscal-mcp doctor says what is in them.',
  ],
  'files.odd': ['Sem documento: {count} × {reason} ({names})', 'No document: {count} × {reason} ({names})'],
  'files.imported': [
    '{read} {read:arquivo lido|arquivos lidos}: {documents} {documents:documento novo|documentos novos} e {events} {events:evento novo|eventos novos} no arquivo de documentos.',
    '{read} {read:file|files} read: {documents} new {documents:document|documents} and {events} new {events:event|events} in the archive.',
  ],
  'files.left_out.empty': ['vazio', 'empty'],
  'files.left_out.not_xml': ['não é XML', 'not XML'],
  'files.left_out.malformed': ['XML malformado', 'malformed XML'],
  'files.left_out.truncated': ['cortado no meio', 'cut off in the middle'],
  'files.left_out.encoding': ['codificação inválida', 'invalid encoding'],
  'files.left_out.doctype': ['DOCTYPE recusado', 'DOCTYPE refused'],
  'files.left_out.no_document': ['XML sem documento fiscal', 'XML without a fiscal document'],
  'files.left_out.unknown_layout': ['leiaute desconhecido', 'unknown layout'],
  'files.left_out.damaged': ['danificado', 'damaged'],
  'files.left_out.not_sent': [
    'anunciado pelo serviço e não enviado',
    'announced by the service and not sent',
  ],
  'files.left_out.no_identity': ['sem chave nem número', 'neither key nor number'],
  'files.left_out.other_model': [
    'documento fiscal de um tipo que não é lido',
    'fiscal document of a kind that is not read',
  ],
  'files.left_out.not_issued': [
    'pedido ou rascunho, sem resposta da autoridade',
    'request or draft without an answer from the authority',
  ],
  'files.left_out.too_large': ['grande demais', 'too large'],
  'files.left_out.encrypted': ['cifrado', 'encrypted'],
  'files.left_out.zip_damaged': ['ZIP danificado', 'damaged ZIP'],
  'files.left_out.zip_too_large': ['ZIP que se expande além do limite', 'ZIP that unpacks beyond the limit'],
  'files.left_out.zip_nested': ['ZIP dentro de ZIP dentro de ZIP', 'ZIP in a ZIP in a ZIP'],
  'files.left_out.unreadable': ['não pôde ser aberto', 'could not be opened'],
  'files.left_out.link': ['atalho, não seguido', 'link, not followed'],
  'files.left_out.special': ['não é um arquivo comum', 'not a regular file'],
  'files.left_out.too_deep': ['aninhamento profundo demais', 'nested too deeply'],
} as const satisfies Record<string, Message>;
