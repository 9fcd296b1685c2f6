import { type Column, type ColumnKind, column, type Table } from '../../../src/archive/export/table.ts';

export type Row = Readonly<Record<string, string | undefined>>;

/** A table with one column per name, headed by it. */
export function tableOf(columns: Readonly<Record<string, ColumnKind>>): Table<Row> {
  return {
    title: { 'pt-BR': 'Notas & itens', en: 'Notes & items' },
    columns: Object.entries(columns).map(
      ([name, kind]): Column<Row> => column(kind, name, `${name} (en)`, (row) => row[name]),
    ),
    standing: ({ group = 'NF-e', left_out, money }) => ({
      group,
      status: left_out ?? 'Autorizado',
      counts: left_out === undefined,
      amount: money,
    }),
  };
}

/** All bytes of a file. */
export async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}
