import type { Message } from '../message.ts';

/** What a dossier and its verification say; loaded with the first of them. */
export const dossierMessages = {
  'dossier.title': ['Dossiê de documentos fiscais', 'Dossier of fiscal documents'],
  'dossier.page.period': ['Período de emissão', 'Period of issue'],
  'dossier.page.made': ['Gerado por', 'Made by'],
  'dossier.page.part': ['Documentos {first} a {last} de {total}', 'Documents {first} to {last} of {total}'],
  'dossier.page.manifest': [
    'manifest.json lista cada arquivo com o seu SHA-256. Quem tem o hash do manifesto, informado quando o dossiê foi gerado, confere tudo com: docfiscal-mcp archive verify-dossier ARQUIVO --hash HASH',
    'manifest.json lists each file with its SHA-256. Whoever has the hash of the manifest, given when the dossier was made, checks everything by: docfiscal-mcp archive verify-dossier FILE --hash HASH',
  ],
  'dossier.page.xml': [
    'Os XML são o texto de cada documento como recebido, em UTF-8, sem a declaração XML.',
    'The XML files are the text of each document as received, in UTF-8, without the XML declaration.',
  ],
  'dossier.page.tables': ['Tabelas', 'Tables'],
  'dossier.page.basis': ['Sobre estes dados', 'About these data'],
  'dossier.table.index': ['índice, com hashes e resultados', 'index, with hashes and results'],
  'dossier.table.events': ['eventos: {count}', 'events: {count}'],
  'dossier.table.checks': ['achados da verificação: {count}', 'findings of the check: {count}'],
  'dossier.table.reconcile': ['achados da conferência: {count}', 'findings of the reconciliation: {count}'],
  'dossier.table.journal': ['envios no diário: {count}', 'writes in the journal: {count}'],
  'dossier.hash': [
    'SHA-256 do manifesto (guarde à parte do arquivo): {hash}',
    'SHA-256 of the manifest (keep it apart from the file): {hash}',
  ],
  'dossier.results': [
    'Assinatura: {unchanged} {unchanged:íntegro|íntegros}, {changed} {changed:alterado|alterados}, {unknown} não {unknown:verificado|verificados}. Autorização: {confirmed} {confirmed:confirmada|confirmadas}, {contradicted} {contradicted:contradita|contraditas}, {unconfirmed} não {unconfirmed:confirmada|confirmadas}.',
    'Signature: {unchanged} unchanged, {changed} changed, {unknown} not verified. Authorisation: {confirmed} confirmed, {contradicted} contradicted, {unconfirmed} not confirmed.',
  ],
  'dossier.found': [
    'Eventos: {events}. Achados da verificação: {checks}. Envios no diário: {writes}.',
    'Events: {events}. Findings of the check: {checks}. Writes in the journal: {writes}.',
  ],
  'dossier.reconciled': ['Achados da conferência: {count}.', 'Findings of the reconciliation: {count}.'],
  'dossier.not_all': [
    '⚠ A tabela tem {kept} de {total} achados; contagens e somas incluem todos.',
    '⚠ The table has {kept} of {total} findings; counts and sums include all.',
  ],
  'dossier.no_journal': [
    '⚠ O diário de envios não está no dossiê: {reason}',
    '⚠ The journal of writes is not in it: {reason}',
  ],
  'dossier.next_part': [
    'Este dossiê vai até o documento {reached} de {total}; o próximo, com hash próprio, segue com cursor.',
    'This dossier goes as far as document {reached} of {total}; the next one, with a hash of its own, follows by cursor.',
  ],
  'dossier.not_taken': [
    'vale só para as tabelas de documentos, não com {what}',
    'is only for tables of documents, not with {what}',
  ],
  'dossier.one_company': [
    'a conferência é de uma empresa por vez: dê um cnpj ou nenhum',
    'a reconciliation is of one company at a time: give one cnpj or none',
  ],
  'dossier.verify.manifest': ['SHA-256 do manifesto: {hash}', 'SHA-256 of the manifest: {hash}'],
  'dossier.verify.hash_equal': ['É o hash dado.', 'It is the hash given.'],
  'dossier.verify.hash_differs': [
    '✗ NÃO é o hash dado ({given}): este não é o dossiê que foi gerado, ou o manifesto foi trocado.',
    '✗ It is NOT the hash given ({given}): this is not the dossier that was made, or its manifest was replaced.',
  ],
  'dossier.verify.no_hash': [
    'Sem --hash só se sabe que os arquivos são os do manifesto, não que o manifesto seja o original: compare o hash acima com o informado quando o dossiê foi gerado.',
    'Without --hash it is only known that the files are those of the manifest, not that the manifest is the original one: compare the hash above with the one given when the dossier was made.',
  ],
  'dossier.verify.intact': [
    '{files} {files:arquivo|arquivos}: nenhum alterado, acrescentado ou retirado.',
    '{files} {files:file|files}: none changed, added or removed.',
  ],
  'dossier.verify.differs': [
    '✗ {count} de {files} {files:arquivo|arquivos} com diferença do manifesto:',
    '✗ {count} of {files} {files:file|files} unlike the manifest:',
  ],
  'dossier.verify.changed': ['alterado: {file}', 'changed: {file}'],
  'dossier.verify.removed': ['retirado: {file}', 'removed: {file}'],
  'dossier.verify.added': ['acrescentado: {file}', 'added: {file}'],
  'dossier.verify.twice': ['está duas vezes: {file}', 'stands twice: {file}'],
  'dossier.verify.damaged': ['danificado: {file}', 'damaged: {file}'],
  'dossier.verify.more': ['… e mais {count}', '… and {count} more'],
  'dossier.problem.not_found': [
    '✗ O arquivo não existe ou não pode ser lido.',
    '✗ The file does not exist or cannot be read.',
  ],
  'dossier.problem.not_a_zip': [
    '✗ Não é um ZIP inteiro: está cortado, danificado ou é outra coisa. Nada pôde ser verificado.',
    '✗ It is no whole ZIP: cut, damaged or something else. Nothing could be verified.',
  ],
  'dossier.problem.no_manifest': [
    '✗ Não há manifest.json: não é um dossiê, ou o manifesto foi retirado. Nada pôde ser verificado.',
    '✗ There is no manifest.json: it is no dossier, or its manifest was removed. Nothing could be verified.',
  ],
  'dossier.problem.manifest_twice': [
    '✗ Há mais de um manifest.json: o arquivo foi alterado.',
    '✗ There is more than one manifest.json: the file was changed.',
  ],
  'dossier.problem.manifest_unreadable': [
    '✗ O manifest.json não pode ser lido: o arquivo foi alterado ou está danificado.',
    '✗ The manifest.json cannot be read: the file was changed or is damaged.',
  ],
  'dossier.problem.other_form': [
    '✗ O manifest.json não é de um dossiê deste programa, ou é de uma versão mais nova.',
    '✗ The manifest.json is not of a dossier of this program, or of a newer version.',
  ],
  'dossier.problem.too_large': [
    '✗ O ZIP tem arquivos demais, ou que se sobrepõem ou se expandem além do possível (bomba ZIP): recusado.',
    '✗ The ZIP has too many files, or files that overlap or expand beyond measure (a ZIP bomb): refused.',
  ],
} as const satisfies Readonly<Record<string, Message>>;
