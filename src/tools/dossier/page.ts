import { identityColumns } from '../../archive/export/document-tables.ts';
import { type Column, column, columnOf, csvHeading, csvLine } from '../../archive/export/table.ts';
import type { DocumentStatus } from '../../documents/summary/summary.ts';
import { escapeXml, oneLine } from '../../documents/untrusted.ts';
import { dossierMessages } from '../../messages/apart/dossier.ts';
import type { Translator } from '../../messages/index.ts';
import { fill, textIn } from '../../messages/message.ts';
import type { JournalEntry } from '../../writes/journal.ts';
import type { FindingOutput } from '../check/check.ts';
import type { DossierRow } from './documents.ts';

type Values = Readonly<Record<string, string | number>>;

type Name = keyof typeof dossierMessages extends `dossier.${infer Rest}` ? Rest : never;

/** Says the words of a dossier in one language. */
export function createDossierWords(translator: Translator) {
  const { language } = translator;
  const say = (name: Name, values: Values = {}): string =>
    fill(textIn(dossierMessages[`dossier.${name}`], language), values);
  return {
    language,
    say,
    content: ({ content }: DossierRow) =>
      content &&
      say(`content.${content.result}`, {
        reason: translator.say(`verify.reason_${content.reason ?? 'not_signed'}`),
      }),
    signer: ({ signer }: DossierRow) => {
      if (signer === undefined) return undefined;
      const name = oneLine(signer.name ?? signer.id ?? '–');
      return say(signer.by === 'national' ? 'signer.national' : `signer.${signer.result}`, { name });
    },
    certificate: ({ signer }: DossierRow) => {
      if (signer === undefined) return undefined;
      const { valid_at_issue: isValid, chain } = signer;
      const validity = isValid === undefined ? [] : [say(isValid ? 'valid.yes' : 'valid.no')];
      return [...validity, say(`chain.${chain}`)].join(', ');
    },
    status: (status: DocumentStatus) => translator.say(`status.${status}`),
    authorization: ({ authorization }: DossierRow) =>
      authorization && say(`authorization.${authorization.result}`),
  };
}

export type DossierWords = ReturnType<typeof createDossierWords>;

interface DossierPage {
  /** Whose and of when, label and value. */
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** Files of tables, and what each holds. */
  readonly tables: readonly (readonly [file: string, words: string])[];
  /** What the documents rest on. */
  readonly basis: readonly string[];
  readonly rows: readonly DossierRow[];
}

const STYLE =
  'body{font:14px/1.5 system-ui,sans-serif;margin:2rem;color:#1c2733}h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}' +
  'table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .5rem;border-bottom:1px solid #d5dde5;vertical-align:top}' +
  'td.amount{text-align:right;white-space:nowrap}td small{color:#5b6b7b;word-break:break-all}';

/** A document as a row; the name of its file is made of letters and digits. */
function rowOf(row: DossierRow, words: DossierWords, { money, day }: Translator): string {
  const { summary, document, file, reason } = row;
  const text = (value: string | undefined) => escapeXml(value ?? '');
  const { number, issuer, issued_at: issued, totals, key } = summary;
  const texts = [
    issuer?.name ?? issuer?.id,
    issued && day(issued.slice(0, 10)),
    words.status(document.status),
  ];
  const results = [words.content(row), words.signer(row), words.authorization(row)];
  return [
    `<tr><td>${text(number)}<br><small>${text(key)}</small></td>`,
    ...texts.map((one) => `<td>${text(one)}</td>`),
    `<td class="amount">${text(totals?.total && money(totals.total))}</td>`,
    ...results.map((one) => `<td>${text(one)}</td>`),
    `<td>${file === undefined ? text(reason) : `<a href="${file}">XML</a>`}</td></tr>`,
  ].join('');
}

/** The index as one HTML page without scripts or anything from elsewhere. */
export function indexPage(page: DossierPage, words: DossierWords, translator: Translator): Buffer {
  const { say, language } = words;
  const columns = [
    'number',
    'issuer',
    'issued',
    'status',
    'total',
    'content',
    'signer',
    'authorization',
    'file',
  ] as const;
  const headings = columns.map((name) => `<th>${escapeXml(say(`column.${name}`))}</th>`);
  const parts = [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${escapeXml(say('title'))}</title><style>${STYLE}</style></head><body><h1>${escapeXml(say('title'))}</h1><table>`,
    ...page.facts.map(
      ([label, value]) => `<tr><th>${escapeXml(label)}</th><td>${escapeXml(value)}</td></tr>`,
    ),
    `</table><p>${escapeXml(say('page.manifest'))}</p><p>${escapeXml(say('page.xml'))}</p>`,
    `<h2>${escapeXml(say('page.tables'))}</h2><ul>`,
    ...page.tables.map(([file, about]) => `<li><a href="${file}">${file}</a>: ${escapeXml(about)}</li>`),
    `</ul><h2>${escapeXml(say('page.basis'))}</h2><ul>`,
    ...page.basis.map((sentence) => `<li>${escapeXml(sentence)}</li>`),
    `</ul><h2>${escapeXml(say('page.documents'))}</h2><table><tr>`,
    `${headings.join('')}</tr>`,
    ...page.rows.map((row) => rowOf(row, words, translator)),
    '</table></body></html>\n',
  ];
  return Buffer.from(parts.join('\n'));
}

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
    column('text', 'Código', 'Status code', ({ status_code }) => status_code),
    column('text', 'Mensagem', 'Message', ({ message }) => message),
  ];
  return csv(columns, entries, words);
}
