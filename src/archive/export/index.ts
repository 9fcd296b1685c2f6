export { FileNotWritten } from '../../disk/new-file.ts';
export type { Column, ColumnKind, Table } from './column.ts';
export { writeCsv } from './csv.ts';
export { documentTable, itemRows, itemTable } from './document-tables.ts';
export type { Exported, ExportOptions } from './export.ts';
export { writePdf } from './pdf.ts';
export { writeXlsx } from './xlsx.ts';
export { writeZip, type XmlRow } from './zip.ts';
export { EntryTooLarge } from './zip-container.ts';
