import { stateOfCity } from '../documents/identity/keys.ts';
import { elementAt, textAt, type XmlElement } from '../documents/xml/tree.ts';
import { joined, moment, money, phone, postalCode, taxId } from './printed.ts';
import {
  type Align,
  type Block,
  type Column,
  type Field,
  type FieldBlock,
  field,
  fieldBlock,
  type TableBlock,
} from './sheet.ts';

/** Source of a field's text: a path below the element, alternatives separated by `|` (first match), or a reader. */
export type Source = string | ((element: XmlElement | undefined) => string | undefined);

/** Formats a text of the file for the form. */
export type Write = (text: string | undefined) => string;

type How = Align | Write | { readonly lines: number };

/** A field of a form or a column of a table: label, source, width, format and, for a column, most lines. */
export type Entry = readonly [label: string, source: Source, width: number, ...how: readonly How[]];

export const asItIs: Write = (text) => text ?? '';

function textOf(element: XmlElement | undefined, source: Source): string | undefined {
  return typeof source === 'string' ? textAt(element, ...source.split('|')) : source(element);
}

const writeOf = (how: readonly How[]): Write => how.find((one) => typeof one === 'function') ?? asItIs;
const alignOf = (how: readonly How[]): Align | undefined => how.find((one) => typeof one === 'string');

/** A row of fields from an element. */
export function fieldsOf(element: XmlElement | undefined, entries: readonly Entry[]): Field[] {
  return entries.map(([label, source, width, ...how]) =>
    field(label, writeOf(how)(textOf(element, source)), width, alignOf(how)),
  );
}

/** Rows of fields from an element. */
export function rowsOf(element: XmlElement | undefined, rows: readonly (readonly Entry[])[]): Field[][] {
  return rows.map((row) => fieldsOf(element, row));
}

/** Rows of fields from an element, below a title. */
export function section(
  title: string | undefined,
  element: XmlElement | undefined,
  rows: readonly (readonly Entry[])[],
  place?: FieldBlock['place'],
): FieldBlock {
  return fieldBlock(title, rowsOf(element, rows), place);
}

/** The section of an element that exists, else nothing. */
export function optional(
  title: string,
  element: XmlElement | undefined,
  rows: readonly (readonly Entry[])[],
): Block[] {
  return element === undefined ? [] : [section(title, element, rows)];
}

/** A row of fields of equal widths, amounts unless `write` formats them otherwise. */
export function amountRow(
  ...amounts: readonly (readonly [label: string, source: Source, write?: Write])[]
): Entry[] {
  const width = 100 / amounts.length;
  return amounts.map(([label, source, write = money]) => [label, source, width, write, 'right']);
}

/** A source that joins the texts at several paths. */
export function together(
  between: string,
  ...paths: readonly string[]
): (element: XmlElement | undefined) => string {
  return (element) => joined(between, ...paths.map((path) => textOf(element, path)));
}

/** A source that applies a reader to a descendant. */
export function at(path: string, read: (element: XmlElement | undefined) => string): Source {
  return (element) => read(elementAt(element, path));
}

/** A table with a row for each element. */
export function tableOf(
  title: string,
  columns: readonly Entry[],
  elements: readonly XmlElement[],
  details: (element: XmlElement) => string[],
): TableBlock {
  return {
    kind: 'table',
    title,
    columns: columns.map(([heading, , width, ...how]): Column => {
      const lines = how.find((one) => typeof one === 'object')?.lines;
      return { heading, width, align: alignOf(how), lines };
    }),
    rows: elements.map((element) => {
      const cells = columns.map(([, source, , ...how]) => writeOf(how)(textOf(element, source)));
      return { cells, details: details(element) };
    }),
  };
}

const ADDRESSES = ['enderEmit', 'enderDest', 'enderReme', 'enderExped', 'enderReceb', 'enderToma'];

/** The address of a party of an NF-e or CT-e; places of collection or delivery are addresses themselves. */
export function addressOf(party: XmlElement | undefined): XmlElement | undefined {
  const name = ADDRESSES.find((one) => elementAt(party, one) !== undefined);
  return name === undefined ? party : elementAt(party, name);
}

/** Street, number and complement. */
export function streetOf(address: XmlElement | undefined): string {
  const [street, number, more] = ['xLgr', 'nro', 'xCpl'].map((name) => textAt(address, name));
  return joined(' - ', joined(', ', street, number), more);
}

/** City and state: `Sorocaba/SP`. */
export function cityOf(address: XmlElement | undefined): string {
  const state = textAt(address, 'UF') ?? stateOfCity(textAt(address, 'cMun'));
  return joined('/', textAt(address, 'xMun', 'cMun'), state);
}

/** The tax id of a party with its mask, or a foreigner's id. */
export function idOf(party: XmlElement | undefined): string {
  return taxId(textAt(party, 'CNPJ', 'CPF', 'idEstrangeiro', 'NIF'));
}

/** Name and address of an NF-e's or CT-e's issuer for the head. */
export function issuerLines(issuer: XmlElement | undefined): string[] {
  const address = addressOf(issuer);
  const code = textAt(address, 'CEP');
  const number = textAt(address, 'fone') ?? textAt(issuer, 'fone');
  return [
    textAt(issuer, 'xNome') ?? '',
    streetOf(address),
    textAt(address, 'xBairro') ?? '',
    joined(' - ', cityOf(address), code && `CEP ${postalCode(code)}`),
    number === undefined ? '' : `Fone: ${phone(number)}`,
  ].filter((line, i) => i === 0 || line !== '');
}

/** Number and moment of an authorisation. */
export function authorizationOf(protocol: XmlElement | undefined): string {
  const number = textAt(protocol, 'nProt');
  return number === undefined
    ? 'SEM PROTOCOLO DE AUTORIZAÇÃO'
    : `${number} - ${moment(textAt(protocol, 'dhRecbto'))}`;
}

/** An issuer's own remark: `Pedido: 123`. */
export function remarkOf(remark: XmlElement): string {
  return `${remark.attributes.xCampo ?? ''}: ${textAt(remark, 'xTexto') ?? ''}`;
}

/** A field and its path. */
export interface LeafField {
  readonly names: readonly string[];
  readonly value: string;
}

const PASSED_OVER = 'Signature';

/** Every field with a value in an element, in the file's order. */
export function leavesOf(element: XmlElement | undefined, prefix: readonly string[] = []): LeafField[] {
  return (element?.children ?? []).flatMap((child) => {
    if (child.name === PASSED_OVER) return [];
    const names = [...prefix, child.name];
    if (child.children.length > 0) return leavesOf(child, names);
    return child.text === '' ? [] : [{ names, value: child.text }];
  });
}
