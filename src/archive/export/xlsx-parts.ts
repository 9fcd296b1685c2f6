import { escapeXml } from './xlsx-cells.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const SPREADSHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

export const sheetNamespace = SPREADSHEET;

/** `index` counts from 1. */
export function sheetPath(index: number): string {
  return `xl/worksheets/sheet${index}.xml`;
}

function numbered(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i + 1);
}

function contentTypes(sheets: number): string {
  const overrides = numbered(sheets).map(
    (index) => `<Override PartName="/${sheetPath(index)}" ContentType="${CONTENT}.worksheet+xml"/>`,
  );
  return (
    `${HEAD}<Types xmlns="${PACKAGE}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    `<Override PartName="/xl/workbook.xml" ContentType="${CONTENT}.sheet.main+xml"/>` +
    `<Override PartName="/xl/styles.xml" ContentType="${CONTENT}.styles+xml"/>${overrides.join('')}</Types>`
  );
}

function relationship(id: string, type: string, target: string): string {
  return `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
}

function relationships(...list: readonly string[]): string {
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${list.join('')}</Relationships>`;
}

function workbook(names: readonly string[]): string {
  const sheets = names.map(
    (name, i) => `<sheet name="${escapeXml(name)}" sheetId="${i + 1}" r:id="sheet${i + 1}"/>`,
  );
  return `${HEAD}<workbook xmlns="${SPREADSHEET}" xmlns:r="${OFFICE}"><sheets>${sheets.join('')}</sheets></workbook>`;
}

/** What makes sheets a workbook: every other part, by its path. */
export function workbookParts(sheetNames: readonly string[], styles: string): Record<string, string> {
  const sheets = numbered(sheetNames.length).map((index) =>
    relationship(`sheet${index}`, 'worksheet', `worksheets/sheet${index}.xml`),
  );
  return {
    '[Content_Types].xml': contentTypes(sheetNames.length),
    '_rels/.rels': relationships(relationship('workbook', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': workbook(sheetNames),
    'xl/_rels/workbook.xml.rels': relationships(...sheets, relationship('styles', 'styles', 'styles.xml')),
    'xl/styles.xml': HEAD + styles,
  };
}
