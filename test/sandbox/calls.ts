import { z } from 'zod';
import type { Sandbox } from '../../src/sandbox/index.ts';

/** A call's reply with its body as text. */
export interface Called {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export const DEMO_CNPJ = '48152036000117';
export const LARGE_CNPJ = '73190482000163';

export async function call(sandbox: Sandbox, path: string, init: RequestInit = {}): Promise<Called> {
  const response = await fetch(sandbox.url + path, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Calls an operation with the right credentials. */
export async function operation(
  sandbox: Sandbox,
  name: string,
  parameters: Readonly<Record<string, string>>,
  method = 'GET',
): Promise<Called> {
  const query = new URLSearchParams({ usuario: 'demo', senha: 'demo', ...parameters });
  return call(sandbox, `/API/${name}?${query}`, { method });
}

export function period(from: string, to: string, cnpj = DEMO_CNPJ): Record<string, string> {
  return { cnpj, dataDe: from, horaDe: '', dataAte: to, horaAte: '' };
}

/** The string inside a reply in the default form. */
export const stringOf = ({ text }: Called): string => z.string().parse(JSON.parse(text));

/** The texts of all elements of a name, in order; for elements without elements inside. */
export const texts = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) => text);

/** The text of the first element of a name. */
export function text(xml: string, name: string): string {
  const [first] = texts(xml, name);
  if (first === undefined) throw new RangeError(`no ${name}`);
  return first;
}

/** The documents inside a list envelope. */
export const contents = (xml: string): string[] =>
  [...xml.matchAll(/<Conteudo><!\[CDATA\[(.*?)\]\]><\/Conteudo>/gs)].map(([, content = '']) => content);

export async function list(
  sandbox: Sandbox,
  name: string,
  parameters: Readonly<Record<string, string>>,
): Promise<string[]> {
  return contents(stringOf(await operation(sandbox, name, parameters)));
}

/** The part of a document between the first opening and the last closing tag of a name. */
export function inside(xml: string, name: string): string {
  const start = xml.search(new RegExp(`<${name}[ >]`));
  const end = xml.lastIndexOf(`</${name}>`);
  if (start < 0 || end < 0) throw new RangeError(`no ${name}`);
  return xml.slice(start, end);
}
