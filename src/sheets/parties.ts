import { stateOfCity } from '../documents/identity/states.ts';
import { elementAt, textAt, type XmlElement } from '../documents/xml/tree.ts';
import { phone, postalCode, taxId } from './printed.ts';

const ADDRESSES = ['enderEmit', 'enderDest', 'enderReme', 'enderExped', 'enderReceb', 'enderToma'];

/** The address of a party of an NF-e or CT-e; a place of collection or delivery is one itself. */
export function addressOf(party: XmlElement | undefined): XmlElement | undefined {
  for (const name of ADDRESSES) {
    const address = elementAt(party, name);
    if (address !== undefined) return address;
  }
  return party;
}

/** Street, number and what is added to it. */
export function streetOf(address: XmlElement | undefined): string {
  const [street, number, more] = ['xLgr', 'nro', 'xCpl'].map((name) => textAt(address, name));
  return [[street, number].filter(Boolean).join(', '), more].filter(Boolean).join(' - ');
}

/** City and state: `Sorocaba/SP`. */
export function cityOf(address: XmlElement | undefined): string {
  const state = textAt(address, 'UF') ?? stateOfCity(textAt(address, 'cMun'));
  return [textAt(address, 'xMun') ?? textAt(address, 'cMun'), state].filter(Boolean).join('/');
}

/** The tax id of a party with its mask, or what a foreigner has instead. */
export function idOf(party: XmlElement | undefined): string {
  return taxId(textAt(party, 'CNPJ', 'CPF', 'idEstrangeiro', 'NIF'));
}

/** Name and address of who issues an NF-e or CT-e, as its head shows them. */
export function issuerLines(issuer: XmlElement | undefined): string[] {
  const address = addressOf(issuer);
  const code = textAt(address, 'CEP');
  const number = textAt(address, 'fone') ?? textAt(issuer, 'fone');
  const place = [cityOf(address), code === undefined ? '' : `CEP ${postalCode(code)}`];
  return [
    textAt(issuer, 'xNome') ?? '',
    streetOf(address),
    textAt(address, 'xBairro') ?? '',
    place.filter(Boolean).join(' - '),
    number === undefined ? '' : `Fone: ${phone(number)}`,
  ].filter((line, i) => i === 0 || line !== '');
}

/** A field by the names that lead to it. */
export interface LeafField {
  /** From below the element that was asked for: `prest`, `CNPJ`. */
  readonly names: readonly string[];
  readonly value: string;
}

/** What is no content of a document: it can't be read by people and says nothing to them. */
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
