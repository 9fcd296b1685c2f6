export { writeCsv } from './csv.ts';
export { documentTable, itemRows, itemTable } from './document-tables.ts';
export type { Column, ColumnKind, Exported, ExportOptions, Fact, Table } from './table.ts';
export { writeXlsx } from './xlsx.ts';
export { writePdf, writeZip, type XmlRow } from './zip.ts';
