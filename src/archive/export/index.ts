export { claimFile, type FileName, temporaryPath } from '../../disk/claim-file.ts';
export { FileNotWritten } from '../../disk/new-file.ts';
export type { Column, ColumnKind, Heading, HeadingLanguage, Table } from './column.ts';
export { writeCsv } from './csv.ts';
export { documentTable, type ItemRow, itemRows, itemTable } from './document-tables.ts';
export type { Exported, ExportOptions, Rows } from './export.ts';
export { writeXlsx } from './xlsx.ts';
export { writeZip, type XmlRow } from './zip.ts';
export { EntryTooLarge } from './zip-container.ts';
