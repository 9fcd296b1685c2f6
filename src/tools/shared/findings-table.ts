import { column, type Table } from '../../archive/export/table.ts';
import type { ReconcileOutput } from './reconcile-output.ts';
import type { ReconcileWords } from './reconcile-words.ts';

/** A finding of `reconcile` as in its answer. */
export type FindingRow = ReconcileOutput['findings'][number];

/** Table of `reconcile`'s findings; amounts of different findings are never summed. */
export function findingsTable(words: ReconcileWords): Table<FindingRow> {
  const said = (value: string | undefined) => (value === undefined ? undefined : words.written(value));
  return {
    title: { 'pt-BR': 'Achados', en: 'Findings' },
    columns: [
      column('text', 'Achado', 'Finding', ({ finding }) => finding),
      column('text', 'Certeza', 'Certainty', ({ certainty }) => words.certainty(certainty)),
      column('code', 'Chave de acesso', 'Access key', ({ key }) => key),
      column('text', 'Número', 'Number', ({ number }) => number),
      column('tax_id', 'CNPJ/CPF do emitente', 'Issuer tax id', ({ issuer }) => issuer),
      column('text', 'Emitente', 'Issuer', ({ issuer_name }) => issuer_name),
      column('text', 'Campo', 'Field', ({ field }) => field),
      column('text', 'No documento', 'In the document', ({ ours }) => said(ours)),
      column('text', 'No arquivo', 'In the file', ({ theirs }) => said(theirs)),
      column('money', 'Diferença', 'Difference', ({ difference }) => difference),
      column('money', 'Valor em jogo', 'At stake', ({ amount }) => amount),
      column('text', 'Arquivo', 'File', ({ file }) => file),
      column('number', 'Linha', 'Line', ({ line }) => line?.toString()),
      column('text', 'Explicação', 'Explanation', ({ message }) => message),
      column('text', 'O que fazer', 'What to do', ({ todo }) => todo),
    ],
    totals: {
      group: ({ finding, certainty }) => `${certainty}|${finding}`,
      status: ({ finding, certainty }) => `${finding} (${words.certainty(certainty)})`,
      isLeftOut: () => false,
      amount: ({ amount }) => amount,
    },
  };
}
