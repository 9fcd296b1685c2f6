import { modulo11 } from '../documents/identity/tax-ids.ts';
import { textAt, type XmlElement } from '../documents/xml/tree.ts';
import { moment } from './printed.ts';
import type { SheetHead } from './sheet.ts';

/** tpEmis 2 and 5 print on security paper; 4 was announced by an event (EPEC). */
const ON_SECURITY_PAPER: ReadonlySet<string | undefined> = new Set(['2', '5']);
const BY_EVENT = '4';
const NORMAL = '1';

const CONSULTATION =
  'Consulta de autenticidade no portal nacional da NF-e www.nfe.fazenda.gov.br/portal ou no site da Sefaz Autorizadora';

/** What the field of the consultation says. Source: MOC 7.0, Anexo II, fields of variable content; Ajuste SINIEF 07/05. */
export function consultationOf(note: XmlElement): string {
  const emission = textAt(note, 'ide/tpEmis');
  if (ON_SECURITY_PAPER.has(emission)) {
    return 'DANFE em Contingência - impresso em decorrência de problemas técnicos';
  }
  return emission === BY_EVENT
    ? `DANFE impresso em contingência - EPEC regularmente recebido pela Receita Federal do Brasil. ${CONSULTATION}`
    : CONSULTATION;
}

function cents(amount: string | undefined): string {
  const [whole = '0', places = ''] = (amount ?? '0').split('.');
  return `${whole}${places.padEnd(2, '0').slice(0, 2)}`;
}

function isPositive(amount: string | undefined): boolean {
  return /[1-9]/.test(amount ?? '');
}

/** The second bar code on security paper, 36 positions. Source: MOC 7.0, Anexo II, "Dados da NF-e". */
export function secondCodeOf(note: XmlElement): SheetHead['secondCode'] {
  const emission = textAt(note, 'ide/tpEmis');
  if (emission === undefined || !ON_SECURITY_PAPER.has(emission)) return undefined;
  const totals = (name: string) => textAt(note, `total/ICMSTot/${name}`);
  const code = [
    textAt(note, 'ide/cUF') ?? '',
    emission,
    (textAt(note, 'dest/CNPJ', 'dest/CPF') ?? '').padStart(14, '0'),
    cents(totals('vNF')).padStart(14, '0'),
    isPositive(totals('vICMS')) ? '1' : '2',
    isPositive(totals('vST')) ? '1' : '2',
    textAt(note, 'ide/dhEmi')?.slice(8, 10) ?? '',
  ].join('');
  return /^\d{3}[0-9A-Z]{12}\d{20}$/.test(code)
    ? { label: 'DADOS DA NF-E', code: `${code}${modulo11(code)}` }
    : undefined;
}

/** Since when and why a note was made in contingency, for the additional data; undefined for all others. */
export function contingencyLine(note: XmlElement): string | undefined {
  const emission = textAt(note, 'ide/tpEmis');
  if (emission === undefined || emission === NORMAL) return undefined;
  const [since, why] = [textAt(note, 'ide/dhCont'), textAt(note, 'ide/xJust')];
  return [
    `Emitida em contingência (tpEmis ${emission})`,
    since === undefined ? '' : ` desde ${moment(since)}`,
    why === undefined ? '' : `. Motivo: ${why}`,
  ].join('');
}
