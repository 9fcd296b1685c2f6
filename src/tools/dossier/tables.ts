import { identityColumns } from '../../archive/export/document-tables.ts';
import { type Column, column, columnOf, csvHeading, csvLine } from '../../archive/export/table.ts';
import type { JournalEntry } from '../../writes/journal.ts';
import type { FindingOutput } from '../check.ts';
import type { DossierRow } from './documents.ts';
import type { DossierWords } from './page.ts';

/** A table as a file for Excel in Brazil. */
export function csv<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { language }: DossierWords,
): Buffer {
  const lines = rows.map((row) => csvLine(columns, row, language));
  return Buffer.concat([csvHeading(columns, language), ...lines]);
}

const { key, kind, series, number, issuerId, issued, status } = identityColumns;

/** The documents with their files, hashes and results. */
export function indexCsv(rows: readonly DossierRow[], words: DossierWords): Buffer {
  const columns: readonly Column<DossierRow>[] = [
    column('text', 'Arquivo', 'File', ({ file }) => file),
    ...[key, kind, series, number, issuerId, issued, status].map((one) =>
      columnOf(one, ({ summary }: DossierRow) => summary),
    ),
    column('text', 'Situação consultada em', 'Status asked at', ({ document }) => document.status_at),
    column('money', 'Valor total', 'Total', ({ summary }) => summary.totals?.total),
    column('text', 'SHA-256', 'SHA-256', ({ sha256 }) => sha256),
    column('number', 'Bytes', 'Bytes', ({ bytes }) => bytes?.toString()),
    column('text', 'Conteúdo', 'Content', (row) => words.content(row)),
    column('text', 'Assinante', 'Signer', (row) => words.signer(row)),
    column('code', 'CNPJ/CPF do assinante', 'Signer tax id', ({ signer }) => signer?.id),
    column('text', 'Certificado', 'Certificate', (row) => words.certificate(row)),
    column('text', 'Autorização', 'Authorisation', (row) => words.authorization(row)),
    column('text', 'Outros conteúdos recebidos', 'Other contents received', ({ document }) =>
      document.contents > 1 ? String(document.contents - 1) : undefined,
    ),
    column('text', 'Observação', 'Remark', ({ reason }) => reason),
  ];
  return csv(columns, rows, words);
}

interface EventLine {
  readonly row: DossierRow;
  readonly event: DossierRow['events'][number];
}

/** Events of the documents, as the service or files gave them. */
export function eventsCsv(rows: readonly DossierRow[], words: DossierWords): Buffer {
  const columns: readonly Column<EventLine>[] = [
    column('code', 'Chave de acesso', 'Access key', ({ row }) => row.summary.key),
    column('text', 'Evento', 'Event', ({ event }) => event.code),
    column('text', 'Nome', 'Name', ({ event }) => event.name),
    column('text', 'Sequência', 'Sequence', ({ event }) => event.sequence),
    column('text', 'Data e hora', 'At', ({ event }) => event.at),
    column('text', 'Autor', 'Author', ({ event }) => event.author),
    column('text', 'Texto', 'Text', ({ event }) => event.text),
  ];
  const lines = rows.flatMap((row) => row.events.map((event) => ({ row, event })));
  return csv(columns, lines, words);
}

/** Findings of `check_documents`. */
export function checksCsv(findings: readonly FindingOutput[], words: DossierWords): Buffer {
  const columns: readonly Column<FindingOutput>[] = [
    column('text', 'Regra', 'Rule', ({ rule }) => rule),
    column('text', 'Gravidade', 'Severity', ({ severity }) => severity),
    column('code', 'Chave de acesso', 'Access key', ({ key: one }) => one),
    column('text', 'Número', 'Number', ({ number: one }) => one),
    column('tax_id', 'CNPJ/CPF do emitente', 'Issuer tax id', ({ issuer }) => issuer),
    column('text', 'Emitente', 'Issuer', ({ issuer_name }) => issuer_name),
    column('money', 'Valor total', 'Total', ({ amount }) => amount),
    column('text', 'Encontrado', 'Found', ({ found }) => found),
    column('text', 'Esperado', 'Expected', ({ expected }) => expected),
    column('text', 'Achado', 'Finding', ({ message }) => message),
    column('text', 'O que fazer', 'What to do', ({ todo }) => todo),
    column('text', 'Fonte', 'Source', ({ source }) => source),
  ];
  return csv(columns, findings, words);
}

/** Writes about the documents, as the journal has them. */
export function journalCsv(entries: readonly JournalEntry[], words: DossierWords): Buffer {
  const columns: readonly Column<JournalEntry>[] = [
    column('text', 'Data e hora', 'At', ({ at }) => at),
    column('text', 'Id', 'Id', ({ id }) => id),
    column('text', 'Ferramenta', 'Tool', ({ tool }) => tool),
    column('text', 'Operação', 'Operation', ({ operation }) => operation),
    column('code', 'Chave de acesso', 'Access key', ({ key: one }) => one),
    column('text', 'Evento', 'Event', ({ event }) => event),
    column('text', 'Resultado', 'Outcome', ({ state }) => state),
    column('text', 'Código', 'Status code', ({ statusCode }) => statusCode),
    column('text', 'Mensagem', 'Message', ({ message }) => message),
  ];
  return csv(columns, entries, words);
}
