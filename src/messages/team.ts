import type { Message } from './message.ts';

/** Words of the server that others reach over HTTP: its start, its tenants file, its refusals. */
export const teamMessages = {
  'failure.scope': {
    'pt-BR': 'O seu acesso não inclui esta ferramenta: falta o escopo {scope}. Nada foi enviado.',
    en: 'Your access does not include this tool: the scope {scope} is missing. Nothing was sent.',
  },
  'failure.company_not_allowed': {
    'pt-BR': 'A empresa {company} não está entre as que o seu acesso permite. Nada foi consultado.',
    en: 'The company {company} is not among those that your access allows. Nothing was asked of the service.',
  },
  'failure.signing_key': {
    'pt-BR':
      'Nada foi enviado: DFE_SIGNING_KEY_FILE não serve ({code}). Deve conter numa linha ao menos 32 bytes aleatórios em base64 ou hexadecimal.',
    en: 'Nothing was sent: DFE_SIGNING_KEY_FILE cannot be used ({code}). It must hold at least 32 random bytes in base64 or hexadecimal on one line.',
  },
  'config.signing_key': {
    'pt-BR':
      'DFE_SIGNING_KEY_FILE não serve ({code}): deve conter numa linha ao menos 32 bytes aleatórios em base64 ou hexadecimal',
    en: 'DFE_SIGNING_KEY_FILE cannot be used ({code}): it must hold at least 32 random bytes in base64 or hexadecimal on one line',
  },
  'archive.of_tenants': {
    'pt-BR':
      'docfiscal-mcp archive trata de uma empresa por vez: execute sem DFE_TENANTS, com as credenciais e o DFE_DATA_DIR (a pasta tenants e o id) dela.',
    en: 'docfiscal-mcp archive looks after one company at a time: run it without DFE_TENANTS, with its credentials and its DFE_DATA_DIR (the folder tenants and its id).',
  },
  'tenants.company_missing': {
    'pt-BR': 'Este servidor atende várias empresas: diga em cnpj de qual se trata ({known}).',
    en: 'This server serves several companies: name one in cnpj ({known}).',
  },
  'tenants.company_of_none': {
    'pt-BR': 'A empresa {company} não está em DFE_TENANTS. Nada foi consultado. Estão lá: {known}.',
    en: 'The company {company} is not in DFE_TENANTS. Nothing was asked of a service. It has: {known}.',
  },
  'tenants.company_of_several': {
    'pt-BR':
      'A empresa {company} está em mais de um inquilino de DFE_TENANTS ({tenants}): não se sabe quais credenciais usar.',
    en: 'The company {company} is in more than one tenant of DFE_TENANTS ({tenants}): whose credentials to use is not known.',
  },
  'tenants.companies_apart': {
    'pt-BR': 'Estas empresas têm credenciais separadas: pergunte por elas em chamadas separadas.',
    en: 'These companies have separate credentials: ask about them in separate calls.',
  },
  'tenants.document_of_whom': {
    'pt-BR': 'Não se sabe de qual empresa é este documento: abra-o com get_document, com o cnpj dela.',
    en: 'It is not known whose document this is: open it with get_document and the cnpj of the company.',
  },
  'doctor.tenants': {
    'pt-BR': '{count} {count:inquilino|inquilinos} em DFE_TENANTS',
    en: '{count} {count:tenant|tenants} in DFE_TENANTS',
  },
  'failure.not_prepared': {
    'pt-BR': 'O arquivo não pôde ser preparado no servidor ({code}).',
    en: 'The file could not be prepared on the server ({code}).',
  },
  'files.link': {
    'pt-BR': 'Para baixar, até {until} e só para quem pediu: {url}',
    en: 'To download until {until}, only by whoever asked for it: {url}',
  },
  'files.link_expired': {
    'pt-BR': 'Este link expirou. Peça o arquivo de novo ao assistente.',
    en: 'This link has expired. Ask the assistant for the file again.',
  },
  'files.link_unknown': {
    'pt-BR': 'Este link não é válido. Peça o arquivo de novo ao assistente.',
    en: 'This link is not valid. Ask the assistant for the file again.',
  },
  'files.link_of_other': {
    'pt-BR': 'Este link foi feito para outra pessoa.',
    en: 'This link was made for somebody else.',
  },
  'files.link_changed': {
    'pt-BR': 'Os documentos mudaram desde que este link foi feito. Peça o arquivo de novo ao assistente.',
    en: 'The documents have changed since this link was made. Ask the assistant for the file again.',
  },
  'files.link_not_yet': {
    'pt-BR': 'Parte dos documentos ainda precisa ser buscada no serviço. Abra o link de novo daqui a pouco.',
    en: 'Some of the documents have yet to be fetched from the service. Open the link again in a moment.',
  },
  'http.running': {
    'pt-BR': 'docfiscal-mcp atende em {url}',
    en: 'docfiscal-mcp serves at {url}',
  },
  'http.open': {
    'pt-BR': 'Sem identificação: atende qualquer programa desta máquina, e só desta.',
    en: 'Without sign-in: serves any program on this machine, and only on this one.',
  },
  'http.no_port': {
    'pt-BR': 'Não foi possível abrir {host}:{port} ({code}).',
    en: 'Could not open {host}:{port} ({code}).',
  },
  'http.stopping': {
    'pt-BR': 'docfiscal-mcp está encerrando: {count} {count:chamada em andamento|chamadas em andamento}',
    en: 'docfiscal-mcp is shutting down: {count} {count:call|calls} under way',
  },
  'http.tenants_kept': {
    'pt-BR': 'O arquivo de inquilinos não foi recarregado; vale o anterior:',
    en: 'The tenants file was not reloaded; the previous one stays in force:',
  },
  'http.tenants_reloaded': {
    'pt-BR': 'Arquivo de inquilinos recarregado: {count} {count:inquilino|inquilinos}',
    en: 'Tenants file reloaded: {count} {count:tenant|tenants}',
  },
  'http.passwords_unreadable': {
    'pt-BR':
      'O arquivo de DFE_PASSWORD_FILE de {count} {count:inquilino|inquilinos} não pôde ser lido, e só as chamadas {count:dele|deles} falham: {tenants}',
    en: 'DFE_PASSWORD_FILE of {count} {count:tenant|tenants} cannot be read, and {count:its|their} calls alone fail: {tenants}',
  },
  'config.needs_identity': {
    'pt-BR':
      '{variable}={value} é alcançável de outras máquinas: configure quem pode entrar (DFE_AUTH_ISSUER, ou DFE_TENANTS com tokens)',
    en: '{variable}={value} can be reached from other machines: configure who may use it (DFE_AUTH_ISSUER, or DFE_TENANTS with tokens)',
  },
  'config.needs_https': {
    'pt-BR':
      '{variable} não usa https, e tokens passariam à vista da rede: use https, ou DFE_HTTP_INSECURE se algo diante dele já cifra',
    en: '{variable} does not use https, so tokens could be read on the network: use https, or DFE_HTTP_INSECURE if something in front of it encrypts',
  },
  'config.needs_members': {
    'pt-BR': 'DFE_TENANTS: nenhum inquilino tem "who", e por HTTP ninguém poderia entrar',
    en: 'DFE_TENANTS: no tenant has "who", and nobody could sign in over HTTP',
  },
  'config.claims_need_issuer': {
    'pt-BR': 'DFE_TENANTS usa "claim", que precisa de DFE_AUTH_ISSUER',
    en: 'DFE_TENANTS uses "claim", which needs DFE_AUTH_ISSUER',
  },
  'config.expected.origins': {
    'pt-BR': 'devem ser origens como https://app.example, separadas por vírgulas, sem caminho',
    en: 'must be origins such as https://app.example, separated by commas, without a path',
  },
  'tenants.unreadable': {
    'pt-BR': 'DFE_TENANTS: o arquivo não pode ser lido ({code})',
    en: 'DFE_TENANTS: the file cannot be read ({code})',
  },
  'tenants.line': {
    'pt-BR': 'DFE_TENANTS, linha {line}: {problem}',
    en: 'DFE_TENANTS, line {line}: {problem}',
  },
  'tenants.syntax': { 'pt-BR': 'não é JSON', en: 'is not JSON' },
  'tenants.unknown_field': { 'pt-BR': 'campo desconhecido: {field}', en: 'unknown field: {field}' },
  'tenants.twice': { 'pt-BR': 'o campo {field} aparece duas vezes', en: 'the field {field} is given twice' },
  'tenants.same_id': { 'pt-BR': 'o id {id} aparece duas vezes', en: 'the id {id} is given twice' },
  'tenants.expected': {
    'pt-BR': '{field} falta ou não tem a forma esperada',
    en: '{field} is missing or malformed',
  },
  'tenants.company': {
    'pt-BR': 'deve ser um CNPJ válido, ou os oito primeiros caracteres seguidos de *',
    en: 'must be a valid CNPJ, or its first eight characters followed by *',
  },
  'tenants.not_a_tenants_setting': {
    'pt-BR': '{variable} vale para o programa inteiro, não para um inquilino',
    en: '{variable} applies to the whole program, not to one tenant',
  },
  'token.made': {
    'pt-BR': 'Token (aparece só desta vez; guarde-o):',
    en: 'Token (shown only once; keep it):',
  },
  'token.line': {
    'pt-BR': 'Linha para "who" no arquivo de inquilinos:',
    en: 'Line for "who" in the tenants file:',
  },
  'help.command.http': {
    'pt-BR': 'MCP por HTTP, para uma equipe',
    en: 'MCP over Streamable HTTP, for a team',
  },
  'help.command.token': {
    'pt-BR': 'cria um token para HTTP e a linha do arquivo de inquilinos',
    en: 'makes a token for HTTP and the line for the tenants file',
  },
  'help.http.purpose': {
    'pt-BR':
      'Atende MCP em /mcp até ser encerrado. Em um endereço desta máquina não pede identificação; em qualquer outro só inicia com DFE_AUTH_ISSUER ou DFE_TENANTS.',
    en: 'Serves MCP at /mcp until it is stopped. On an address of this machine it asks for no sign-in; on any other it starts only with DFE_AUTH_ISSUER or DFE_TENANTS.',
  },
  'help.http.host': {
    'pt-BR': 'endereço em que escuta (127.0.0.1)',
    en: 'address it listens on (127.0.0.1)',
  },
  'help.http.port': { 'pt-BR': 'porta (3717)', en: 'port (3717)' },
  'help.http.demo': {
    'pt-BR': 'com o simulador embutido, sem conta',
    en: 'against the embedded sandbox, without an account',
  },
  'help.token.purpose': {
    'pt-BR':
      'Mostra uma vez um token novo, que um cliente envia como "Authorization: Bearer", e a linha com o seu SHA-256 para DFE_TENANTS.',
    en: 'Shows a new token once, which a client sends as "Authorization: Bearer", and the line with its SHA-256 for DFE_TENANTS.',
  },
} as const satisfies Record<string, Message>;
