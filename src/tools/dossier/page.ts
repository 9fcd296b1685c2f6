import type { StoredDocument } from '../../archive/archive.ts';
import { identityColumns } from '../../archive/export/document-tables.ts';
import { type Column, column, columnOf, csvHeading, csvLine } from '../../archive/export/table.ts';
import { maskTaxId } from '../../documents/identity/tax-ids.ts';
import type { AuthorizationCheck, ContentCheck } from '../../documents/signatures/content.ts';
import type { SignerCheck } from '../../documents/signatures/signer.ts';
import type { DocumentSummary } from '../../documents/summary/summary.ts';
import { escapeXml } from '../../documents/untrusted.ts';
import { dossierMessages } from '../../messages/apart/dossier.ts';
import type { Translator } from '../../messages/index.ts';
import { wordsOf } from '../../messages/message.ts';
import type { JournalEntry } from '../../writes/journal.ts';
import type { FindingOutput } from '../check/check.ts';
import { certificateWords, contentWords, signerWords } from '../shared/authenticity.ts';
import type { EventOutput } from '../shared/summary-output.ts';

/** A document of a dossier: its file, hash and check results, or the reason why it has no file. */
export interface DossierRow {
  readonly document: StoredDocument;
  readonly summary: DocumentSummary;
  /** All known events, from its own file and others. */
  readonly events: readonly EventOutput[];
  readonly file?: string;
  readonly sha256?: string;
  readonly bytes?: number;
  readonly content?: ContentCheck;
  readonly signer?: SignerCheck;
  readonly authorization?: AuthorizationCheck;
  readonly reason?: string;
}

/** Words of a dossier and its verification. */
export function dossierWords({ language }: Translator) {
  return wordsOf(dossierMessages, language);
}

const STYLE =
  'body{font:14px/1.5 system-ui,sans-serif;margin:2rem;color:#1c2733}h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}' +
  'table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .5rem;border-bottom:1px solid #d5dde5;vertical-align:top}' +
  'div{overflow-x:auto}td{min-width:6rem;overflow-wrap:anywhere}td.amount{text-align:right;white-space:nowrap}';

/**
 * The index as one HTML page without scripts or anything from elsewhere, with the columns of its table. Names of files
 * are letters and digits.
 */
export function indexPage(
  head: {
    readonly facts: readonly (readonly [label: string, value: string])[];
    readonly tables: readonly (readonly [file: string, about: string])[];
    readonly basis: readonly string[];
  },
  rows: readonly DossierRow[],
  translator: Translator,
): Buffer {
  const { language, money, day, moment } = translator;
  const say = dossierWords(translator);
  const element = (name: string, text = '') => `<${name}>${escapeXml(text)}</${name}>`;
  const listOf = (items: readonly string[]) => `<ul>${items.join('\n')}</ul>`;
  const linkTo = (file: string) => `<a href="${file}">${file}</a>`;
  const columns = indexColumns(translator);
  const title = say('dossier.title');
  const cellOf = (of: Column<DossierRow>, row: DossierRow) => {
    const text = of.value(row, language);
    if (!text) return element('td');
    if (of === askedAt) return element('td', moment(text));
    if (of.kind === 'money') return `<td class="amount">${escapeXml(money(text))}</td>`;
    if (of.kind === 'date') return element('td', day(text.slice(0, 10)));
    return element('td', of.kind === 'tax_id' ? maskTaxId(text) : text);
  };
  const lineOf = (row: DossierRow) => {
    const [, ...others] = columns.map((one) => cellOf(one, row));
    return `<tr><td>${row.file === undefined ? '' : linkTo(row.file)}</td>${others.join('')}</tr>`;
  };
  const parts = [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `${element('title', title)}<style>${STYLE}</style></head><body>${element('h1', title)}<table>`,
    ...head.facts.map(([label, value]) => `<tr>${element('th', label)}${element('td', value)}</tr>`),
    '</table>',
    element('p', say('dossier.page.manifest')),
    element('p', say('dossier.page.xml')),
    element('h2', say('dossier.page.tables')),
    listOf(head.tables.map(([file, about]) => `<li>${linkTo(file)}: ${escapeXml(about)}</li>`)),
    element('h2', say('dossier.page.basis')),
    listOf(head.basis.map((sentence) => element('li', sentence))),
    element('h2', translator.say('export.documents')),
    `<div><table><tr>${columns.map(({ heading }) => element('th', heading[language])).join('')}</tr>`,
    ...rows.map(lineOf),
    '</table></div></body></html>\n',
  ];
  return Buffer.from(parts.join('\n'));
}

/** A table as a file for Excel in Brazil. */
export function csv<Row>(columns: readonly Column<Row>[], rows: readonly Row[], { language }: Translator) {
  return Buffer.concat([
    csvHeading(columns, language),
    ...rows.map((row) => csvLine(columns, row, language)),
  ]);
}

const askedAt = column<DossierRow>(
  'text',
  'Situação consultada em',
  'Status asked at',
  ({ document }) => document.status_at,
);
const { key, kind, series, number, issuerId, issued, status } = identityColumns;

/** The documents with their files, which come first, hashes and results. */
export const indexColumns = (translator: Translator): readonly Column<DossierRow>[] => [
  column('text', 'Arquivo', 'File', ({ file }) => file),
  ...[key, kind, series, number, issuerId].map((one) => columnOf(one, ({ summary }: DossierRow) => summary)),
  column('text', 'Emitente', 'Issuer', ({ summary }) => summary.issuer?.name),
  ...[issued, status].map((one) => columnOf(one, ({ summary }: DossierRow) => summary)),
  askedAt,
  column('money', 'Valor total', 'Total', ({ summary }) => summary.totals?.total),
  column('text', 'SHA-256', 'SHA-256', ({ sha256 }) => sha256),
  column('number', 'Bytes', 'Bytes', ({ bytes }) => bytes?.toString()),
  column('text', 'Conteúdo', 'Content', ({ content }) => content && contentWords(content, translator)),
  column('text', 'Assinante', 'Signer', ({ signer }) => signer && signerWords(signer, translator)),
  column('tax_id', 'CNPJ/CPF do assinante', 'Signer tax id', ({ signer }) => signer?.id),
  column(
    'text',
    'Certificado',
    'Certificate',
    ({ signer }) => signer && certificateWords(signer, translator),
  ),
  column(
    'text',
    'Autorização',
    'Authorisation',
    ({ authorization: found }) => found && translator.say(`verify.authorization_${found.result}`),
  ),
  column('text', 'Outros conteúdos recebidos', 'Other contents received', ({ document }) =>
    document.contents > 1 ? String(document.contents - 1) : undefined,
  ),
  column('text', 'Observação', 'Remark', ({ reason }) => reason),
];

/** Events of the documents, as the service or files gave them. */
export const eventColumns: readonly Column<EventOutput & { readonly key: string | undefined }>[] = [
  column('code', 'Chave de acesso', 'Access key', (event) => event.key),
  column('text', 'Evento', 'Event', ({ code }) => code),
  column('text', 'Nome', 'Name', ({ name }) => name),
  column('text', 'Sequência', 'Sequence', ({ sequence }) => sequence),
  column('text', 'Data e hora', 'At', ({ at }) => at),
  column('text', 'Autor', 'Author', ({ author }) => author),
  column('text', 'Texto', 'Text', ({ text }) => text),
];

export const findingColumns: readonly Column<FindingOutput>[] = [
  column('text', 'Regra', 'Rule', ({ rule }) => rule),
  column('text', 'Gravidade', 'Severity', ({ severity }) => severity),
  column('code', 'Chave de acesso', 'Access key', (finding) => finding.key),
  column('text', 'Número', 'Number', (finding) => finding.number),
  column('tax_id', 'CNPJ/CPF do emitente', 'Issuer tax id', ({ issuer }) => issuer),
  column('text', 'Emitente', 'Issuer', ({ issuer_name }) => issuer_name),
  column('money', 'Valor total', 'Total', ({ amount }) => amount),
  column('text', 'Encontrado', 'Found', ({ found }) => found),
  column('text', 'Esperado', 'Expected', ({ expected }) => expected),
  column('text', 'Achado', 'Finding', ({ message }) => message),
  column('text', 'O que fazer', 'What to do', ({ todo }) => todo),
  column('text', 'Fonte', 'Source', ({ source }) => source),
];

export const journalColumns: readonly Column<JournalEntry>[] = [
  column('text', 'Data e hora', 'At', ({ at }) => at),
  column('text', 'Id', 'Id', ({ id }) => id),
  column('text', 'Ferramenta', 'Tool', ({ tool }) => tool),
  column('text', 'Operação', 'Operation', ({ operation }) => operation),
  column('code', 'Chave de acesso', 'Access key', (entry) => entry.key),
  column('text', 'Evento', 'Event', ({ event }) => event),
  column('text', 'Resultado', 'Outcome', ({ state }) => state),
  column('text', 'Código', 'Status code', ({ status_code }) => status_code),
  column('text', 'Mensagem', 'Message', ({ message }) => message),
];
