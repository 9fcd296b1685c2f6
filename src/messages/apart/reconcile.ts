import type { Message } from '../message.ts';

/** What `reconcile` says of files, findings and what was not compared; loaded with the first answer of it. */
export const reconcileMessages = {
  'refused.empty': ['o arquivo está vazio', 'the file is empty'],
  'refused.not_a_book': [
    'não é EFD, apuração da CBS nem lista em CSV ou XLSX',
    'is no EFD, CBS assessment, or list in CSV or XLSX',
  ],
  'refused.ecd_or_ecf': [
    'é uma ECD ou ECF (contabilidade), que não lista documentos: dê a EFD ICMS/IPI ou a EFD-Contribuições',
    'is an ECD or ECF (accounting), which lists no documents: give the EFD ICMS/IPI or EFD-Contribuições',
  ],
  'refused.efd_without_opening': [
    'parece um SPED sem o registro 0000 no começo: falta o início do arquivo',
    'looks like a SPED file without record 0000 at its start: the beginning is missing',
  ],
  'refused.status_answer': [
    'é a resposta da consulta de situação da apuração, não o arquivo: baixe o arquivo pelo endereço que ela traz (o endereço é secreto e não é mostrado)',
    'is the answer of the status request, not the assessment: download the file from the address in it (which is a secret and not shown)',
  ],
  'refused.page': [
    'é uma página ou um XML, não um livro nem uma apuração: talvez um erro do portal salvo no lugar do arquivo',
    'is a page or XML, no book and no assessment: perhaps an error of the portal saved in its place',
  ],
  'refused.spreadsheet_too_old': [
    'é uma planilha no formato antigo (.xls): salve como .xlsx ou CSV',
    'is a spreadsheet of the old form (.xls): save it as .xlsx or CSV',
  ],
  'refused.signed_or_packed': [
    'está compactado ou é só uma assinatura: dê o arquivo de texto',
    'is packed, or a signature alone: give the text file',
  ],
  'refused.encoding': [
    'está em UTF-16; o SPED é texto em ISO-8859-1 (ou UTF-8): gere o arquivo de novo sem abri-lo num editor',
    'is in UTF-16; SPED is text in ISO-8859-1 (or UTF-8): make the file again without an editor',
  ],
  'refused.json_broken': [
    'o JSON está cortado ou quebrado: baixe o arquivo de novo',
    'the JSON is cut or broken: download the file again',
  ],
  'refused.both_shapes': [
    'tem a forma v1 e a v2 da apuração ao mesmo tempo: dê cada arquivo como foi baixado',
    'has both the v1 and the v2 form of the assessment: give each file as it was downloaded',
  ],
  'refused.too_large': [
    'passa de 64 MB, o limite para apuração, CSV e planilha: divida por mês',
    'is over 64 MB, the limit for an assessment, CSV or spreadsheet: split it by month',
  ],
  'refused.no_columns': [
    'nenhuma coluna de chave ou número foi reconhecida: diga em columns qual título é o quê',
    'no column of keys or numbers was recognised: say in columns which heading is what',
  ],
  'refused.zip_damaged': ['está danificado ou protegido por senha', 'is damaged or protected by a password'],
  'refused.not_found': [
    'não está nas pastas de DFE_FILES: o caminho é relativo a elas',
    'is not in the folders of DFE_FILES: paths are relative to them',
  ],
  'refused.unreadable': ['não pôde ser aberto', 'could not be opened'],
  'note.truncated': [
    'CORTADO: termina na linha {line} sem o registro final; nada é dito faltar nele',
    'CUT: ends at line {line} without its closing record; nothing is said to be missing in it',
  ],
  'note.lines_differ': [
    'o 9999 diz {said} linhas e há {line}: não conta como inteiro; nada é dito faltar nele',
    '9999 says {said} lines and there are {line}: it does not count as whole; nothing is said to be missing in it',
  ],
  'note.signed': ['assinado; a assinatura não foi conferida', 'signed; the signature was not checked'],
  'note.unread_lines': [
    '{count} {count:linha não segue|linhas não seguem} o leiaute e não {count:foi lida|foram lidas}: {lines}',
    '{count} {count:line does|lines do} not follow the layout and {count:was|were} not read: {lines}',
  ],
  'note.unknown_layout': [
    'leiaute {layout} desconhecido: lido como o mais próximo',
    'layout {layout} is unknown: read as the nearest one',
  ],
  'note.no_real_file': [
    'leitura pelo esquema publicado; nenhum arquivo real deste leiaute foi visto',
    'read by the published schema; no real file seen of this layout',
  ],
  'note.partly_verified': [
    'leiaute 021 verificado só em parte: confira o que ele disser',
    'layout 021 is only partly verified: check what it says',
  ],
  'note.no_records': ['sem registros', 'has no records'],
  'note.unread_periods': [
    '{count} {count:período ilegível|períodos ilegíveis} (a forma é MM/AAAA)',
    '{count} {count:period|periods} could not be read (the form is MM/YYYY)',
  ],
  'note.unknown_fields': [
    'campos desconhecidos, fora de toda soma: {names}',
    'unknown fields, in no sum: {names}',
  ],
  'note.unknown_origins': [
    'origens desconhecidas, mostradas à parte: {names}',
    'unknown origins, shown apart: {names}',
  ],
  'note.one_window': [
    'um arquivo é uma janela de no máximo 8 dias (a primeira começa no dia 1), não o mês: dê todos os do mês',
    'one file is a window of 8 days at most (the first begins on day 1), not the month: give all of the month',
  ],
  'note.payments': [
    '{count} {count:parte|partes} de DARF, {total}, não comparadas',
    '{count} {count:part|parts} of DARF, {total}, not compared',
  ],
  'note.columns': ['colunas lidas: {names}', 'columns read: {names}'],
  'note.ruined_keys': [
    '{count} {count:chave estragada pela planilha ou fora da forma|chaves estragadas pela planilha ou fora da forma}: comparadas por número e emitente onde é possível',
    '{count} {count:key|keys} ruined by a spreadsheet or out of form: compared by number and issuer where possible',
  ],
  'note.dropped_rows': [
    '{count} {count:linha sem chave e sem número deixada|linhas sem chave e sem número deixadas} de fora (totais, títulos)',
    '{count} {count:row|rows} without key and number left out (totals, titles)',
  ],
  'note.unread_values': [
    '{count} {count:valor ou data não foi lido nem comparado|valores ou datas não foram lidos nem comparados}, nas linhas: {lines}',
    '{count} {count:amount or date was not read nor compared|amounts or dates were not read nor compared}, in the lines: {lines}',
  ],
  'note.consolidated': [
    '{company} escritura consolidado (C180/C190): sem documentos para comparar',
    '{company} books consolidated (C180/C190): no documents to compare',
  ],
  'note.too_many_entries': [
    'mais de {count} lançamentos: os seguintes não foram lidos; peça por partes com from e to',
    'more than {count} entries: those that follow were not read; ask in parts with from and to',
  ],
  'note.replaced': ['substituído por {file}: não comparado', 'replaced by {file}: not compared'],
  'note.other_company': [
    'é de {company}, não da empresa pedida: não comparado',
    'is of {company}, not of the company asked for: not compared',
  ],
  'note.not_allowed': [
    'é de {company}, que este acesso não pode consultar: não comparado',
    'is of {company}, which this access may not ask about: not compared',
  ],
  'note.not_asked': [
    'nenhum documento de {company} foi consultado: diga o cnpj; o que aqui falta pode existir',
    'no documents of {company} were asked for: give cnpj; what is missing here may exist',
  ],
  'note.other_kind': [
    'é {kind}, e foi pedido outro tipo: não comparado',
    'is {kind}, and another kind was asked for: not compared',
  ],
  'note.other_period': [
    'seu período não toca o pedido: não comparado',
    'its period does not touch the one asked for: not compared',
  ],
  'note.before_2027': [
    'período de 2026, ano de teste: a apuração é informativa',
    'a period of 2026, the test year: the assessment is informative',
  ],
  'note.silence': [
    'sem manifestação até o prazo de ajuste, o saldo é presumido correto (Decreto 12.955/2026, art. 46, § 7º)',
    'without an answer by the last day to adjust, the balance is presumed correct (Decreto 12.955/2026, art. 46, § 7)',
  ],
  'left.other_model': ['de modelos que não são comparados', 'of models that are not compared'],
  'left.unread_line': ['em linhas fora do leiaute', 'in lines out of layout'],
  'left.unread_value': ['valores e datas que não foram lidos', 'amounts and dates that were not read'],
  'left.unread_period': ['em períodos ilegíveis', 'in periods that could not be read'],
  'left.without_key': ['sem chave (DeRE e ajustes): somem à parte', 'without a key (DeRE and adjustments)'],
  'left.adjustment': ['ajustes ao lado de um registro normal', 'adjustments beside a normal record'],
  'left.payment': ['partes de pagamentos e recolhimentos', 'parts of payments'],
  'left.cancelled_without_document': [
    'lançados como cancelados, cujo documento não é conhecido aqui',
    'listed as cancelled whose document is not known here',
  ],
  'left.cancelled_not_listed': [
    'cancelados aqui e ausentes do livro',
    'cancelled here and absent from the book',
  ],
  'left.keys_only': [
    'comparados só pela chave e data (NFC-e, complementar, regime especial, cupom, avulsa)',
    'compared by key and date alone (NFC-e, complementary, special regime, coupon, avulsa)',
  ],
  'left.not_in_contribuicoes': [
    'ausentes da EFD-Contribuições, o que por si não é erro',
    'absent from EFD-Contribuições, which by itself is no error',
  ],
  'left.file_not_whole': [
    'não procurados, porque o arquivo do mês não está inteiro',
    'not looked for, since the file of the month is not whole',
  ],
  'left.outside_window': [
    'sem registro e fora da janela dos arquivos',
    'without a record and outside of the window of the files',
  ],
  'left.outside_period': ['fora do período pedido', 'outside of the period asked for'],
  'left.refused_by_recipient': [
    'recebidos e recusados por manifestação',
    'received and refused by manifestation',
  ],
  'left.not_payer': ['CT-e em que a empresa não é tomadora', 'CT-e whose carriage the company does not take'],
  'left.reform_note': [
    'notas de crédito ou débito do IBS e da CBS, fora dos livros',
    'credit or debit notes of IBS and CBS, which are in no book',
  ],
  'left.adjusting_note': [
    'devoluções e notas de crédito ou débito, sem débito normal próprio',
    'returns and credit or debit notes, which have no normal debit of their own',
  ],
  'left.without_cbs': ['sem CBS destacada', 'without CBS'],
  'left.state_unknown': [
    'créditos cuja situação o arquivo não traz',
    'credits whose state the file does not give',
  ],
  'missing_in_file.own': [
    'Emitida no mês, autorizada, e ausente do arquivo',
    'Issued in the month, authorised, and absent from the file',
  ],
  'missing_in_file.entry': [
    'Recebida no mês e ausente deste arquivo e do seguinte',
    'Received in the month and absent from this file and the next',
  ],
  'missing_in_file.entry_alone': [
    'Recebida no mês e ausente deste arquivo; o do mês seguinte não foi dado',
    'Received in the month and absent from this file; that of the next month is not given',
  ],
  'missing_in_file.list': [
    'Documento do período ausente da lista',
    'Document of the period absent from the list',
  ],
  'missing_in_file.cbs': [
    'Documento com CBS sem registro nestes arquivos, dentro da sua janela',
    'Document with CBS without a record in these files, within their window',
  ],
  missing_in_documents: [
    'Está no arquivo e não se conhece aqui o documento',
    'Stands in the file and its document is not known here',
  ],
  'missing_in_documents.cbs': [
    'A Receita conta um documento que não se conhece aqui',
    'The authority counts a document that is not known here',
  ],
  value_differs: [
    '{field}: {ours} no documento, {theirs} no arquivo',
    '{field}: {ours} in the document, {theirs} in the file',
  ],
  'value_differs.entry_tax': [
    '{field} da entrada menor ou outro que o da nota: {ours} na nota, {theirs} no livro',
    '{field} of the entry is less or other than the note’s: {ours} in the note, {theirs} in the book',
  ],
  'value_differs.moved_before': [
    'Entrada em {theirs}, antes da emissão em {ours}',
    'Entered on {theirs}, before it was issued on {ours}',
  ],
  'value_differs.cbs': [
    'CBS: {ours} no documento, {theirs} na apuração',
    'CBS: {ours} in the document, {theirs} in the assessment',
  ],
  'value_differs.without_cbs': [
    'O documento não destaca CBS e a apuração conta {theirs}',
    'The document has no CBS and the assessment counts {theirs}',
  ],
  cancelled_but_listed: [
    'Documento {ours} aqui e lançado como em vigor',
    'The document is {ours} here and listed as in effect',
  ],
  'cancelled_but_listed.cbs': [
    'Documento {ours} aqui e contado na apuração ({theirs}) sem ajuste que o anule',
    'The document is {ours} here and counted in the assessment ({theirs}) without an adjustment that undoes it',
  ],
  listed_as_cancelled: [
    'Lançado como cancelado e o documento está autorizado aqui',
    'Listed as cancelled and the document is authorised here',
  ],
  duplicated_in_file: ['A mesma chave ou registro outra vez', 'The same key or record once more'],
  'duplicated_in_file.months': [
    'A mesma chave contada em mais de um período: {theirs}',
    'The same key counted in more than one period: {theirs}',
  ],
  invalid_key: ['A chave {theirs} está errada em si', 'The key {theirs} is wrong in itself'],
  key_mismatch: [
    '{field}: {ours} na chave, {theirs} ao lado dela',
    '{field}: {ours} in the key, {theirs} beside it',
  ],
  test_document: ['Documento do ambiente de homologação', 'A document of the test environment'],
  not_a_party: [
    '{theirs} não é parte do documento ({ours})',
    '{theirs} is not a party to the document ({ours})',
  ],
  other_period: [
    'Data {ours} fora do período do arquivo ({theirs})',
    'The day {ours} is outside of the period of the file ({theirs})',
  ],
  'other_period.cbs': ['Emitido em {ours} e contado em {theirs}', 'Issued in {ours} and counted in {theirs}'],
  credit_suspended: ['Crédito suspenso: {theirs}', 'Credit suspended: {theirs}'],
  'credit_suspended.unusable': [
    'Crédito que não pode ser apropriado: {theirs}',
    'Credit that cannot be appropriated: {theirs}',
  ],
  'credit_suspended.expired': ['Crédito prescrito: {theirs}', 'Credit expired: {theirs}'],
  credit_above_document: [
    'Crédito de {field} maior que o da nota: {ours} na nota, {theirs} no livro',
    'More {field} credited than the note shows: {ours} in the note, {theirs} in the book',
  ],
  not_extinguished: [
    'Débito do fornecedor em aberto: {theirs} a apropriar',
    'The supplier’s debit is open: {theirs} to be appropriated',
  ],
  'todo.missing_in_file': [
    'Escriture ou explique; se foi lançada noutro mês, dê o arquivo dele',
    'Book or explain it; if it is in another month, give that file',
  ],
  'todo.missing_in_documents': [
    'Busque o XML pela chave (get_document); sem resultado, confirme com o emitente',
    'Fetch the XML by its key (get_document); if there is none, ask the issuer',
  ],
  'todo.value_differs': ['Confira o lançamento com o XML', 'Check the entry against the XML'],
  'todo.value_differs.entry_tax': [
    'Certo se não há direito ao crédito; senão, corrija o lançamento',
    'Right where no credit is due; else correct the entry',
  ],
  'todo.value_differs.cbs': [
    'Ajuste por documento fiscal até o prazo, ou peça um arquivo mais novo',
    'Adjust by a fiscal document within the term, or ask for a newer file',
  ],
  'todo.value_differs.without_cbs': [
    'Veja se o documento devia destacar CBS; ajuste até o prazo',
    'See whether the document should show CBS; adjust within the term',
  ],
  'todo.cancelled_but_listed': [
    'Retifique o arquivo: documento cancelado ou denegado entra só com a chave (COD_SIT 02 ou 03)',
    'Correct the file: what is cancelled or denied stands there by its key alone (COD_SIT 02 or 03)',
  ],
  'todo.cancelled_but_listed.cbs': [
    'Peça um arquivo mais novo antes de ajustar',
    'Ask for a newer file before you adjust',
  ],
  'todo.listed_as_cancelled': [
    'Confira a situação (get_nfe_event_status) e retifique o arquivo',
    'Check the status (get_nfe_event_status) and correct the file',
  ],
  'todo.duplicated_in_file': ['Tire a repetição', 'Remove the repetition'],
  'todo.invalid_key': ['Digite a chave de novo a partir do XML', 'Enter the key anew from the XML'],
  'todo.key_mismatch': ['Corrija o campo ou a chave pelo XML', 'Correct the field or the key by the XML'],
  'todo.test_document': ['Retire: não tem valor fiscal', 'Remove it: it has no fiscal value'],
  'todo.not_a_party': [
    'Veja se é de outra filial; senão, retire',
    'See whether it is another branch’s; else remove it',
  ],
  'todo.other_period': ['Confira a data e o mês do lançamento', 'Check the day and the month of the entry'],
  'todo.other_period.cbs': [
    'Muitas vezes certo (entrega prevista, autorização tardia): só confira',
    'Often right (expected delivery, late authorisation): only check',
  ],
  'todo.credit_suspended': ['Veja o motivo no portal da Receita', 'See the reason at the authority’s portal'],
  'todo.credit_above_document': [
    'Reduza o crédito ao que a nota destaca, ou mostre a base legal',
    'Reduce the credit to what the note shows, or name its legal ground',
  ],
  'todo.not_extinguished': [
    'Cobre do fornecedor a extinção do débito (art. 47): não é erro da empresa',
    'Ask the supplier to settle the debit (art. 47): it is no error of the company',
  ],
  'certainty.certain': ['certo', 'certain'],
  'certainty.probable': ['provável', 'probable'],
  'certainty.judgement': ['a julgar', 'to be judged'],
  'kind.efd_icms_ipi': ['EFD ICMS/IPI', 'EFD ICMS/IPI'],
  'kind.efd_contribuicoes': ['EFD-Contribuições', 'EFD-Contribuições'],
  'kind.cbs_assessment': ['apuração da CBS', 'CBS assessment'],
  'kind.list': ['lista', 'list'],
  'text.files': ['Arquivos nas pastas: {count}.', 'Files in the folders: {count}.'],
  'text.no_files': [
    'Nenhum SPED, apuração da CBS nem lista nas pastas de DFE_FILES.',
    'No SPED file, CBS assessment or list in the folders of DFE_FILES.',
  ],
  'text.call': ['Chame de novo com file.', 'Call again with file.'],
  'text.reading': [
    'Ainda lendo os arquivos ({read} de {size} MB): chame de novo com o cursor.',
    'Still reading the files ({read} of {size} MB): call again with the cursor.',
  ],
  'text.compared': [
    'Comparados {entries} {entries:lançamento|lançamentos} com {documents} {documents:documento|documentos}: {by_key} pela chave, {by_number} por número e emitente, {agree} sem diferença.',
    'Compared {entries} {entries:entry|entries} with {documents} {documents:document|documents}: {by_key} by key, {by_number} by number and issuer, {agree} without a difference.',
  ],
  'text.findings': [
    '{total} {total:achado|achados}, {shown} a seguir:',
    '{total} {total:finding|findings}, {shown} follow:',
  ],
  'text.suppliers': [
    'Créditos sem o débito extinto, de {count} {count:fornecedor|fornecedores}, os {shown} maiores: CNPJ, nome, documentos, valor em risco:',
    'Credits whose debit is not extinguished, of {count} {count:supplier|suppliers}, the {shown} largest: CNPJ, name, documents, amount at risk:',
  ],
  'text.kept': [
    'As páginas mostram {kept} {kept:achado|achados}; contagens e valores incluem todos. Para ver os outros, peça menos dias (from, to), um achado (finding) ou uma certeza (certainty).',
    'The pages show {kept} {kept:finding|findings}; counts and amounts include all. To see the others ask for fewer days (from, to), one finding or one certainty.',
  ],
  'text.not_compared': ['Não comparados', 'Not compared'],
  'text.deadlines': [
    'Apuração apresentada até {presented}; ajustes até {adjust} (último dia útil, salvo feriado local).',
    'Assessment presented by {presented}; adjustments until {adjust} (last business day, local holidays aside).',
  ],
} as const satisfies Readonly<Record<string, Message>>;
