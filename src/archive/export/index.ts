export { byteOrderMark, headingLine, rowLine, writeCsv } from './csv.ts';
export { documentTable, identityColumns, itemRows, itemTable } from './document-tables.ts';
export { type DossierFile, writeDossier } from './dossier.ts';
export type { Column, ColumnKind, Exported, ExportOptions, Fact, Table } from './table.ts';
export { writeXlsx } from './xlsx.ts';
export { createNames, writePdf, writeZip, type XmlRow } from './zip.ts';
