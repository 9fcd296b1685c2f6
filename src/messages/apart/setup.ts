import type { Message } from '../message.ts';

/** Words of `docfiscal-mcp setup`. */
export const setupMessages = {
  no_terminal: {
    'pt-BR':
      'setup faz perguntas e precisa de um terminal; aqui não há um. Sem perguntas: defina as variáveis de docfiscal-mcp --help na configuração do assistente.',
    en: 'setup asks questions and needs a terminal; there is none here. Without questions: set the variables of docfiscal-mcp --help in the configuration of the assistant.',
  },
  welcome: {
    'pt-BR':
      'docfiscal-mcp {version}: liga um assistente de IA aos documentos fiscais da sua empresa. Nada é gravado antes do seu sim; Ctrl+C sai a qualquer momento.',
    en: 'docfiscal-mcp {version}: connects an AI assistant to your company’s fiscal documents. Nothing is written before your yes; Ctrl+C leaves at any time.',
  },
  interrupted: { 'pt-BR': 'Interrompido. Nada foi gravado.', en: 'Interrupted. Nothing was written.' },
  stopped: { 'pt-BR': 'Nada foi gravado.', en: 'Nothing was written.' },
  or_nothing: { 'pt-BR': 'Enter: nenhum', en: 'Enter: none' },
  yes_no: { 'pt-BR': '[s/N]', en: '[y/N]' },
  yes_words: { 'pt-BR': 's, sim', en: 'y, yes' },
  no_words: { 'pt-BR': 'n, nao, não', en: 'n, no' },
  answer_yes_no: { 'pt-BR': 'Responda s ou n.', en: 'Answer y or n.' },
  answer_number: { 'pt-BR': 'Digite um número de 1 a {most}.', en: 'Type a number from 1 to {most}.' },
  answer_needed: { 'pt-BR': 'É preciso responder.', en: 'An answer is needed.' },
  source: { 'pt-BR': 'De onde vêm os documentos?', en: 'Where do the documents come from?' },
  source_service: {
    'pt-BR': 'do serviço de documentos da empresa',
    en: 'from the company’s documents service',
  },
  source_files: {
    'pt-BR': 'só dos meus arquivos XML (pastas ou ZIP), sem conta',
    en: 'from my own XML files only (folders or ZIP), no account',
  },
  source_both: { 'pt-BR': 'dos dois', en: 'from both' },
  source_demo: {
    'pt-BR': 'demonstração, com dados inventados e sem rede',
    en: 'a demo, with invented data and no network',
  },
  url: { 'pt-BR': 'Endereço do serviço (https://…)', en: 'Address of the service (https://…)' },
  user: { 'pt-BR': 'Usuário', en: 'User' },
  password: { 'pt-BR': 'Senha (não aparece ao digitar)', en: 'Password (not shown as you type)' },
  files: {
    'pt-BR': 'Pastas ou ZIPs com os XML, separados por "{separator}"',
    en: 'Folders or ZIPs of XML, separated by "{separator}"',
  },
  no_such_path: { 'pt-BR': 'Não existe: {path}', en: 'There is no {path}' },
  cnpj: { 'pt-BR': 'CNPJ da empresa', en: 'CNPJ of the company' },
  download_dir: {
    'pt-BR': 'Pasta para salvar PDF e planilhas pedidos',
    en: 'Folder for the PDFs and spreadsheets you ask for',
  },
  keep: {
    'pt-BR': 'Guardar no disco o que já foi lido (DFE_ARCHIVE=file)?',
    en: 'Keep on the disk what has been read (DFE_ARCHIVE=file)?',
  },
  keep_what: {
    'pt-BR':
      'Com isso o próximo início responde sem buscar tudo de novo. Ficam em {folder}: dados das notas (emitente, destinatário, itens, valores, eventos), sem senha e, se não pedir, sem o XML. Sem isso fica só na memória e some ao fechar. Para remover: docfiscal-mcp archive purge --yes.',
    en: 'The next start then answers without fetching everything again. Kept in {folder}: the data of notes (issuer, recipient, items, amounts, events), no password and, unless asked for, no XML. Without it all stays in memory and is gone when the program ends. To remove it: docfiscal-mcp archive purge --yes.',
  },
  read_only: {
    'pt-BR': 'Só consulta, sem manifestar notas nem mudar a conta (DFE_READ_ONLY)?',
    en: 'Read only: no manifestation, no change of the account (DFE_READ_ONLY)?',
  },
  trying: { 'pt-BR': 'Testando a conexão…', en: 'Trying the connection…' },
  looking: { 'pt-BR': 'Lendo os arquivos…', en: 'Reading the files…' },
  reachable: {
    'pt-BR': 'O serviço respondeu; ao acesso disse "{answer}" (sentido não documentado).',
    en: 'The service answered; to the login it said "{answer}" (meaning not documented).',
  },
  asked: {
    'pt-BR': 'Aceitou uma pergunta: {count} {count:NF-e emitida|NF-e emitidas} em {day}.',
    en: 'It took a question: {count} NF-e issued on {day}.',
  },
  no_documents: {
    'pt-BR': 'Nenhum documento fiscal foi achado ali.',
    en: 'No fiscal document was found there.',
  },
  after_failure: { 'pt-BR': 'E agora?', en: 'What now?' },
  again: { 'pt-BR': 'corrigir as respostas', en: 'correct the answers' },
  keep_anyway: { 'pt-BR': 'continuar assim mesmo', en: 'continue anyway' },
  give_up: { 'pt-BR': 'sair sem gravar', en: 'leave, write nothing' },
  host: { 'pt-BR': 'Qual assistente?', en: 'Which assistant?' },
  host_found: { 'pt-BR': '{name} (encontrado)', en: '{name} (found)' },
  host_other: {
    'pt-BR': 'outro: só mostrar a configuração',
    en: 'another: only show the configuration',
  },
  password_where: { 'pt-BR': 'Onde fica a senha?', en: 'Where is the password to be kept?' },
  password_in_file: {
    'pt-BR': 'num arquivo só seu: {path}',
    en: 'in a file of your own: {path}',
  },
  password_by_host: {
    'pt-BR': 'com o {host}, que a pede uma vez e a guarda',
    en: 'with {host}, which asks for it once and keeps it',
  },
  password_described: { 'pt-BR': 'Senha do serviço de documentos', en: 'Password of the documents service' },
  name: { 'pt-BR': 'Nome do servidor no assistente', en: 'Name of the server in the assistant' },
  bad_name: {
    'pt-BR': 'De 1 a 30 letras minúsculas, algarismos, "-" ou "_".',
    en: '1 to 30 lower-case letters, digits, "-" or "_".',
  },
  there_already: {
    'pt-BR': 'Já existe um servidor "{name}" ali; ele seria trocado por inteiro:',
    en: 'There is a server "{name}" already; it would be replaced as a whole:',
  },
  would_change: { 'pt-BR': 'Mudaria em {path}:', en: 'Would change in {path}:' },
  would_create: { 'pt-BR': 'Criaria {path}:', en: 'Would create {path}:' },
  dollar: {
    'pt-BR': 'Atenção: {variable} contém "$", que este assistente pode trocar por outra coisa.',
    en: 'Note: {variable} contains "$", which this assistant may replace.',
  },
  nothing_to_change: { 'pt-BR': 'Já está assim em {path}.', en: '{path} is already like this.' },
  write: { 'pt-BR': 'Gravar?', en: 'Write it?' },
  wrote: { 'pt-BR': 'Gravado em {path}.', en: 'Written to {path}.' },
  backup: { 'pt-BR': 'O que estava antes: {path}', en: 'What was there before: {path}' },
  password_written: {
    'pt-BR': 'Senha em {path}, legível só por você.',
    en: 'Password in {path}, readable by you alone.',
  },
  password_kept: {
    'pt-BR': 'A senha ficou em {path}; apague o arquivo se não for usá-lo.',
    en: 'The password stays in {path}; delete the file if you do not use it.',
  },
  password_refused: {
    'pt-BR': 'A senha não pôde ser gravada em {path} ({code}). Nada foi gravado.',
    en: 'The password could not be written to {path} ({code}). Nothing was written.',
  },
  'unusable.read': {
    'pt-BR': '{path} não pode ser lido ({code}) e fica como está.',
    en: '{path} cannot be read ({code}) and stays as it is.',
  },
  'unusable.write': {
    'pt-BR': '{path} não pôde ser gravado ({code}) e fica como estava.',
    en: '{path} could not be written ({code}) and stays as it was.',
  },
  'unusable.changed': {
    'pt-BR':
      '{path} mudou enquanto você respondia e fica como está. Feche o assistente e rode setup de novo.',
    en: '{path} changed while you answered and stays as it is. Close the assistant and run setup again.',
  },
  'left.broken': {
    'pt-BR': '{path} não é um arquivo que se possa mudar com segurança (linha {line}) e fica como está.',
    en: '{path} is not a file that can be changed safely (line {line}) and stays as it is.',
  },
  'left.comments': {
    'pt-BR':
      '{path} tem um comentário ou uma vírgula a mais (linha {line}), que este assistente não lê; fica como está.',
    en: '{path} has a comment or a comma too many (line {line}), which this assistant does not read; it stays as it is.',
  },
  'left.not_an_object': {
    'pt-BR': '{path} tem outra forma (linha {line}) e fica como está.',
    en: '{path} has another form (line {line}) and stays as it is.',
  },
  'left.twice': {
    'pt-BR': '{path} tem um nome duas vezes e fica como está.',
    en: '{path} has a name twice and stays as it is.',
  },
  'left.servers_elsewhere': {
    'pt-BR': '{path} descreve servidores de outra forma (linha {line}) e fica como está.',
    en: '{path} describes servers in another form (line {line}) and stays as it is.',
  },
  'left.taken': {
    'pt-BR': '{path} já tem um servidor com esse nome (linha {line}) e fica como está.',
    en: '{path} already has a server of that name (line {line}) and stays as it is.',
  },
  'unusable.read_only': {
    'pt-BR': '{path} está protegido contra gravação e fica como está.',
    en: '{path} is write-protected and stays as it is.',
  },
  password_by_hand: {
    'pt-BR':
      'A senha não foi gravada: ponha-a sozinha em {path}, num arquivo que só você possa ler, ou rode setup de novo.',
    en: 'The password was not written: put it alone into {path}, a file that only you can read, or run setup again.',
  },
  password_would_change: {
    'pt-BR': 'Mudaria a senha em {path}.',
    en: 'Would change the password in {path}.',
  },
  by_hand: {
    'pt-BR': 'Para pôr à mão na configuração do assistente:',
    en: 'To put into the configuration of the assistant by hand:',
  },
  next: { 'pt-BR': 'Agora:', en: 'Now:' },
  next_restart: {
    'pt-BR': 'Feche o {host} por inteiro e abra de novo.',
    en: 'Quit {host} completely and open it again.',
  },
  next_ask: {
    'pt-BR': 'Pergunte: "Que notas chegaram nos últimos 7 dias?"',
    en: 'Ask: “Which notes came in during the last 7 days?”',
  },
  next_doctor: {
    'pt-BR': 'Se algo não funcionar: {program} doctor, com as mesmas variáveis.',
    en: 'If something does not work: {program} doctor, with the same variables.',
  },
} as const satisfies Record<string, Message>;
