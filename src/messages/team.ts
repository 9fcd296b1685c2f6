import type { Message } from './message.ts';

/** Words of the server that others reach over HTTP: its start, its tenants file, its refusals. */
export const teamMessages = {
  'failure.scope': [
    'O seu acesso não inclui esta ferramenta: falta o escopo {scope}. Nada foi enviado.',
    'Your access does not include this tool: the scope {scope} is missing. Nothing was sent.',
  ],
  'failure.company_not_allowed': [
    'A empresa {company} não está entre as que o seu acesso permite. Nada foi consultado.',
    'The company {company} is not among those that your access allows. Nothing was asked of the service.',
  ],
  'failure.signing_key': [
    'Nada foi enviado: DFE_SIGNING_KEY_FILE não serve ({code}). Deve conter numa linha ao menos 32 bytes aleatórios em base64 ou hexadecimal.',
    'Nothing was sent: DFE_SIGNING_KEY_FILE cannot be used ({code}). It must hold at least 32 random bytes in base64 or hexadecimal on one line.',
  ],
  'config.signing_key': [
    'DFE_SIGNING_KEY_FILE não serve ({code}): deve conter numa linha ao menos 32 bytes aleatórios em base64 ou hexadecimal',
    'DFE_SIGNING_KEY_FILE cannot be used ({code}): it must hold at least 32 random bytes in base64 or hexadecimal on one line',
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
    'Estas empresas têm credenciais separadas: pergunte por elas em chamadas separadas.',
    'These companies have separate credentials: ask about them in separate calls.',
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
  'http.no_port': [
    'Não foi possível abrir {host}:{port} ({code}).',
    'Could not open {host}:{port} ({code}).',
  ],
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
  'config.expected.origins': [
    'devem ser origens como https://app.example, separadas por vírgulas, sem caminho',
    'must be origins such as https://app.example, separated by commas, without a path',
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
  'help.command.token': [
    'cria um token para HTTP e a linha do arquivo de inquilinos',
    'makes a token for HTTP and the line for the tenants file',
  ],
  'help.http.purpose': [
    'Atende MCP em /mcp até ser encerrado. Em um endereço desta máquina não pede identificação; em qualquer outro só inicia com DFE_AUTH_ISSUER ou DFE_TENANTS.',
    'Serves MCP at /mcp until it is stopped. On an address of this machine it asks for no sign-in; on any other it starts only with DFE_AUTH_ISSUER or DFE_TENANTS.',
  ],
  'help.http.host': ['endereço em que escuta (127.0.0.1)', 'address it listens on (127.0.0.1)'],
  'help.http.port': ['porta (3717)', 'port (3717)'],
  'help.http.demo': [
    'com o simulador embutido, sem conta',
    'against the embedded sandbox, without an account',
  ],
  'help.token.purpose': [
    'Mostra uma vez um token novo, que um cliente envia como "Authorization: Bearer", e a linha com o seu SHA-256 para DFE_TENANTS.',
    'Shows a new token once, which a client sends as "Authorization: Bearer", and the line with its SHA-256 for DFE_TENANTS.',
  ],
} as const satisfies Record<string, Message>;
