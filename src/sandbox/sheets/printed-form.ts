import type { Party } from '../data/parties/party.ts';
import { PAGE_HEIGHT, PAGE_WIDTH, type PageLine, type PageText, writePdf } from './pdf-page.ts';

/** What is printed of a document, from top to bottom. */
export interface PrintedForm {
  readonly title: string;
  readonly subtitle: string;
  /** The access key in groups of four, where there is one. */
  readonly key: string | undefined;
  /** Label and value, two to a line. */
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly parties: readonly (readonly [role: string, party: Party])[];
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
  /** Label and amount; the last one is set in bold. */
  readonly totals: readonly (readonly [label: string, amount: string])[];
  readonly remarks: string;
}

export interface Column {
  readonly title: string;
  readonly x: number;
  /** Longest text that fits, in characters. */
  readonly width: number;
}

const LEFT = 36;
const RIGHT = PAGE_WIDTH - 36;
const MIDDLE = PAGE_WIDTH / 2;
const LONGEST_REMARK_LINE = 105;

function shortened(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}

/** `48.152.036/0001-17` or `305.332.429-67`. */
function maskedTaxId(id: string): string {
  return id.length === 11
    ? id.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4')
    : id.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5');
}

function wrapped(text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last.length + word.length < LONGEST_REMARK_LINE) lines[lines.length - 1] = `${last} ${word}`.trim();
    else lines.push(word);
  }
  return lines;
}

function partyLines([role, party]: readonly [string, Party]): string[] {
  const registration = party.stateRegistration ? `   IE ${party.stateRegistration}` : '';
  const { city } = party;
  return [
    role,
    `${party.name}   ${maskedTaxId(party.id)}${registration}`,
    `${party.street}, ${party.streetNumber} - ${party.district} - ${city.name}/${city.state} - CEP ${party.postalCode}`,
  ];
}

/** The form as a PDF of one page. */
export function printForm(form: PrintedForm): Buffer {
  const texts: PageText[] = [];
  const lines: PageLine[] = [];
  let y = PAGE_HEIGHT - 48;

  function write(text: string, more: Partial<PageText> = {}): void {
    texts.push({ x: LEFT, y, size: 8, text, ...more });
  }

  function rule(): void {
    lines.push({ from: [LEFT, y + 4], to: [RIGHT, y + 4] });
    y -= 10;
  }

  function heading(): void {
    write(form.title, { size: 18, bold: true });
    write('SANDBOX - SEM VALOR FISCAL', { x: RIGHT - 130, bold: true });
    y -= 14;
    write(form.subtitle, { size: 9 });
    y -= 16;
    if (form.key !== undefined) {
      write('CHAVE DE ACESSO', { size: 6 });
      y -= 12;
      write(form.key.replace(/.{4}(?=.)/g, '$& '), { size: 11, bold: true });
      y -= 12;
    }
    rule();
  }

  function facts(): void {
    form.facts.forEach(([label, value], i) => {
      write(`${label}: ${value}`, { x: i % 2 === 0 ? LEFT : MIDDLE });
      if (i % 2 === 1 || i === form.facts.length - 1) y -= 12;
    });
    rule();
  }

  function parties(): void {
    for (const party of form.parties) {
      partyLines(party).forEach((line, i) => {
        write(line, { bold: i === 0, size: i === 0 ? 6 : 8 });
        y -= 11;
      });
      rule();
    }
  }

  function table(): void {
    for (const { title, x } of form.columns) write(title, { x, size: 6, bold: true });
    y -= 11;
    for (const row of form.rows) {
      form.columns.forEach(({ x, width }, i) => {
        write(shortened(row[i] ?? '', width), { x, size: 7 });
      });
      y -= 10;
    }
    rule();
  }

  function totals(): void {
    form.totals.forEach(([label, amount], i) => {
      write(`${label}: R$ ${amount}`, { bold: i === form.totals.length - 1, size: 9 });
      y -= 12;
    });
    rule();
    for (const line of wrapped(form.remarks)) {
      write(line, { size: 7 });
      y -= 9;
    }
  }

  heading();
  facts();
  parties();
  table();
  totals();
  return writePdf(`${form.title} ${form.key ?? ''}`.trim(), texts, lines);
}
