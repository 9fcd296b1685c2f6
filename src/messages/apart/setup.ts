import type { Message } from '../message.ts';

/** Words of `docfiscal-mcp setup`. */
export const setupMessages = {
  no_terminal: [
    'setup faz perguntas e precisa de um terminal; aqui não há um. Sem perguntas: defina as variáveis de docfiscal-mcp --help na configuração do assistente.',
    'setup asks questions and needs a terminal; there is none here. Without questions: set the variables of docfiscal-mcp --help in the configuration of the assistant.',
  ],
  welcome: [
    'docfiscal-mcp {version}: liga um assistente de IA aos documentos fiscais da sua empresa. Nada é gravado antes do seu sim; Ctrl+C sai a qualquer momento.',
    'docfiscal-mcp {version}: connects an AI assistant to your company’s fiscal documents. Nothing is written before your yes; Ctrl+C leaves at any time.',
  ],
  interrupted: ['Interrompido. Nada foi gravado.', 'Interrupted. Nothing was written.'],
  stopped: ['Nada foi gravado.', 'Nothing was written.'],
  or_nothing: ['Enter: nenhum', 'Enter: none'],
  yes_no: ['[s/N]', '[y/N]'],
  yes_words: ['s, sim', 'y, yes'],
  no_words: ['n, nao, não', 'n, no'],
  answer_yes_no: ['Responda s ou n.', 'Answer y or n.'],
  answer_number: ['Digite um número de 1 a {most}.', 'Type a number from 1 to {most}.'],
  answer_needed: ['É preciso responder.', 'An answer is needed.'],
  source: ['De onde vêm os documentos?', 'Where do the documents come from?'],
  source_service: ['do serviço de documentos da empresa', 'from the company’s documents service'],
  source_files: [
    'só dos meus arquivos XML (pastas ou ZIP), sem conta',
    'from my own XML files only (folders or ZIP), no account',
  ],
  source_both: ['dos dois', 'from both'],
  source_demo: ['demonstração, com dados inventados e sem rede', 'a demo, with invented data and no network'],
  url: [
    'Endereço do serviço, por exemplo https://documentos.example',
    'Address of the service, for example https://documents.example',
  ],
  user: ['Usuário', 'User'],
  password: ['Senha (não aparece ao digitar)', 'Password (not shown as you type)'],
  files: [
    'Pastas ou ZIPs com os XML, separados por "{separator}"',
    'Folders or ZIPs of XML, separated by "{separator}"',
  ],
  no_such_path: ['Não existe: {path}', 'There is no {path}'],
  cnpj: ['CNPJ da empresa', 'CNPJ of the company'],
  which_company: ['De que empresa são os documentos?', 'Whose documents are they?'],
  company_in_files: [
    '{company}: {documents} {documents:documento|documentos}',
    '{company}: {documents} {documents:document|documents}',
  ],
  other_company: ['outra, ou nenhuma em especial', 'another, or none in particular'],
  company_not_in_files: [
    'Nenhum documento desses arquivos é dessa empresa. Confira o CNPJ; se estiver certo, siga em frente.',
    'None of these files’ documents is of this company. Check the CNPJ; if it is right, go on.',
  ],
  account: [
    'Administrar também a conta (configurações e assinaturas)?',
    'Administer the account as well (settings and subscriptions)?',
  ],
  account_url: ['Endereço do serviço de conta', 'Address of the account service'],
  account_way: ['Como se entra nele?', 'How does one sign in to it?'],
  accountApiKey: ['Chave de API', 'API key'],
  accountToken: ['Token de acesso', 'Access token'],
  accountOauth: ['OAuth 2.0 (credenciais de cliente)', 'OAuth 2.0 (client credentials)'],
  accountBasic: ['Usuário e chave de licença', 'User and licence key'],
  accountOauthTokenUrl: ['Endereço que emite o token', 'Address that issues the token'],
  accountOauthClientId: ['Identificação do cliente', 'Client id'],
  accountOauthClientSecret: ['Segredo do cliente', 'Client secret'],
  accountUser: ['Usuário da conta', 'User of the account'],
  accountLicenseKey: ['Chave de licença', 'Licence key'],
  hidden: ['{question} (não aparece ao digitar)', '{question} (not shown as you type)'],
  account_untried: [
    'O serviço de conta não tem consulta: o acesso só se confirma na primeira alteração, que você aprova antes. A credencial fica na configuração do assistente.',
    'The account service has no query: the access shows at the first change, which you approve before it is sent. The credential stays in the configuration of the assistant.',
  ],
  download_dir: ['Pasta para salvar PDF e planilhas', 'Folder for PDFs and spreadsheets'],
  keep: ['Guardar no disco o que já foi lido?', 'Keep on the disk what has been read?'],
  keep_what: [
    'Com isso o próximo início responde sem buscar tudo de novo. Ficam em {folder}: dados das notas (emitente, destinatário, itens, valores, eventos), sem senha e, se não pedir, sem o XML. Sem isso fica só na memória e some ao fechar. Para remover: docfiscal-mcp archive purge --yes.',
    'The next start then answers without fetching everything again. Kept in {folder}: the data of notes (issuer, recipient, items, amounts, events), no password and, unless asked for, no XML. Without it all stays in memory and is gone when the program ends. To remove it: docfiscal-mcp archive purge --yes.',
  ],
  read_only: [
    'Só consulta, sem manifestar notas nem mudar a conta?',
    'Read only: no manifestation, no change of the account?',
  ],
  trying: ['Testando a conexão…', 'Trying the connection…'],
  looking: ['Lendo os arquivos…', 'Reading the files…'],
  reachable: [
    'O serviço respondeu; ao acesso disse "{answer}" (sentido não documentado).',
    'The service answered; to the login it said "{answer}" (meaning not documented).',
  ],
  asked: [
    'Aceitou uma pergunta: {count} {count:NF-e emitida|NF-e emitidas} em {day}.',
    'It took a question: {count} NF-e issued on {day}.',
  ],
  password_wrong: [
    'O serviço de documentos não aceitou o usuário e a senha.',
    'The documents service did not accept the user and password.',
  ],
  unreachable: [
    'O serviço não foi alcançado em {host} ({code}). Confira o endereço, a rede e o proxy, se houver.',
    'The service could not be reached at {host} ({code}). Check the address, the network and the proxy, if any.',
  ],
  timed_out: [
    'O serviço não respondeu em {seconds} segundos.',
    'The service did not answer within {seconds} seconds.',
  ],
  no_documents: ['Nenhum documento fiscal foi achado ali.', 'No fiscal document was found there.'],
  after_failure: ['E agora?', 'What now?'],
  password_again: ['digitar a senha de novo', 'type the password again'],
  again: ['corrigir as respostas', 'correct the answers'],
  keep_anyway: ['continuar assim mesmo', 'continue anyway'],
  give_up: ['sair sem gravar', 'leave, write nothing'],
  host: ['Qual assistente?', 'Which assistant?'],
  host_found: ['{name} (encontrado)', '{name} (found)'],
  host_other: ['outro: só mostrar a configuração', 'another: only show the configuration'],
  name: ['Nome do servidor no assistente', 'Name of the server in the assistant'],
  bad_name: [
    'De 1 a 30 letras minúsculas, algarismos, "-" ou "_".',
    '1 to 30 lower-case letters, digits, "-" or "_".',
  ],
  there_already: [
    'Já existe um servidor "{name}" ali; ele seria trocado por inteiro:',
    'There is a server "{name}" already; it would be replaced as a whole:',
  ],
  would_change: ['Mudaria em {path}:', 'Would change in {path}:'],
  would_create: ['Criaria {path}:', 'Would create {path}:'],
  nothing_to_change: ['Já está assim em {path}.', '{path} is already like this.'],
  write: ['Gravar?', 'Write it?'],
  wrote: ['Gravado em {path}.', 'Written to {path}.'],
  backup: ['O que estava antes: {path}', 'What was there before: {path}'],
  password_written: ['Senha em {path}, legível só por você.', 'Password in {path}, readable by you alone.'],
  password_refused: [
    'A senha não pôde ser gravada em {path} ({code}). Nada foi gravado.',
    'The password could not be written to {path} ({code}). Nothing was written.',
  ],
  'unusable.code': [
    '{path} não pode ser lido ou gravado ({code}) e fica como está.',
    '{path} cannot be read or written ({code}) and stays as it is.',
  ],
  'unusable.changed': [
    '{path} mudou enquanto você respondia e fica como está. Feche o assistente e rode setup de novo.',
    '{path} changed while you answered and stays as it is. Close the assistant and run setup again.',
  ],
  'unusable.broken': [
    '{path} não é um arquivo que se possa mudar com segurança (linha {line}) e fica como está.',
    '{path} is not a file that can be changed safely (line {line}) and stays as it is.',
  ],
  'unusable.read_only': [
    '{path} está protegido contra gravação e fica como está.',
    '{path} is write-protected and stays as it is.',
  ],
  run_command: [
    'O {host} acrescenta servidores ele mesmo. Rode este comando:',
    '{host} adds servers itself. Run this command:',
  ],
  secrets_by_hand: [
    'Troque cada *** pela credencial da conta; ela não é mostrada aqui.',
    'Replace each *** by the credential of the account; it is not shown here.',
  ],
  from_package: [
    'O assistente vai iniciar o programa deste arquivo; não o apague nem o mude de lugar: {path}',
    'The assistant will start the program from this file; do not delete or move it: {path}',
  ],
  password_by_hand: [
    'A senha não foi gravada: ponha-a sozinha em {path}, num arquivo que só você possa ler, ou rode setup de novo.',
    'The password was not written: put it alone into {path}, a file that only you can read, or run setup again.',
  ],
  password_would_change: ['Mudaria a senha em {path}.', 'Would change the password in {path}.'],
  by_hand: [
    'Para pôr à mão na configuração do assistente:',
    'To put into the configuration of the assistant by hand:',
  ],
  next: ['Agora:', 'Now:'],
  next_restart: ['Feche o {host} por inteiro e abra de novo.', 'Quit {host} completely and open it again.'],
  next_ask: [
    'Pergunte: "Que notas chegaram nos últimos 7 dias?"',
    'Ask: “Which notes came in during the last 7 days?”',
  ],
  next_ask_files: [
    'Pergunte: "Que notas há nos meus arquivos?"',
    'Ask: “Which notes are there in my files?”',
  ],
  next_doctor: [
    'Se algo não funcionar: {program} doctor --host {host}',
    'If something does not work: {program} doctor --host {host}',
  ],
  next_doctor_by_hand: [
    'Se algo não funcionar: {program} doctor, com a mesma configuração.',
    'If something does not work: {program} doctor, with the same configuration.',
  ],
} as const satisfies Record<string, Message>;
