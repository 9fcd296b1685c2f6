import { createXmlReader, type XmlAttributes } from '../xml/xml.ts';
import type { Cell } from './table.ts';

const SLICE = 256 * 1024;

type Events = Parameters<typeof createXmlReader>[0];

function readXml(text: string, events: Events): void {
  const reader = createXmlReader(events);
  for (let at = 0; at < text.length && !reader.rootClosed; at += SLICE)
    reader.write(text.slice(at, at + SLICE));
  reader.end();
}

/** The texts that cells of a workbook share (`xl/sharedStrings.xml`). @throws XmlError */
export function readSharedStrings(xml: string): string[] {
  const texts: string[] = [];
  let isPhonetic = false;
  let isText = false;
  readXml(xml, {
    open(name) {
      if (name === 'si') texts.push('');
      if (name === 'rPh') isPhonetic = true;
      isText = name === 't' && !isPhonetic;
      return undefined;
    },
    text(piece) {
      if (isText) texts[texts.length - 1] += piece;
    },
    close(name) {
      if (name === 'rPh') isPhonetic = false;
      if (name === 't') isText = false;
    },
  });
  return texts;
}

/** The place of a cell in its row by its reference (`C7`): 2. */
function columnOf(reference: string): number {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0] ?? '';
  return [...letters].reduce((place, letter) => place * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** Rows of a sheet (`xl/worksheets/sheet1.xml`) with their cells in place. @throws XmlError */
export function readSheet(xml: string, shared: readonly string[]): Cell[][] {
  const rows: Cell[][] = [];
  let row: Cell[] = [];
  let column = -1;
  let type = '';
  let value = '';
  let isValue = false;
  const attributeOf = (attributes: XmlAttributes, name: string) => String(attributes[name] ?? '');
  readXml(xml, {
    open(name, attributes) {
      if (name === 'row') {
        const at = Number(attributeOf(attributes, 'r'));
        // Rows that are empty are left out of the file; places of lines stay right.
        while (rows.length < Math.min(at - 1, 1_048_576)) rows.push([]);
        row = [];
        rows.push(row);
        column = -1;
      } else if (name === 'c') {
        const place = columnOf(attributeOf(attributes, 'r'));
        column = place >= 0 && place < 16_384 ? place : column + 1;
        type = attributeOf(attributes, 't');
        value = '';
      }
      isValue = name === 'v' || (name === 't' && type === 'inlineStr');
      return undefined;
    },
    text(piece) {
      if (isValue) value += piece;
    },
    close(name) {
      isValue = false;
      if (name !== 'c' || value === '') return;
      while (row.length < column) row.push('');
      row[column] =
        type === 's'
          ? (shared[Number(value)] ?? '')
          : type === '' || type === 'n'
            ? { number: value }
            : value;
    },
  });
  return rows;
}
