import PDFDocument from 'pdfkit';
import { brazilianDate } from './data/calendar.ts';
import type { Nfe } from './data/nfe/book.ts';
import { nfeContent } from './data/nfe/content.ts';
import { itemXmls } from './data/nfe/document-xml.ts';
import { amountOf, type Nfse, nfseContent } from './data/nfse.ts';
import { isPerson, type Party } from './data/parties.ts';
import { brazilianMoney, textIn } from './data/text.ts';

/** A line of the page: its cells from the left margin on, each at its place in points. */
type Line = readonly (readonly [place: number, text: string])[];

const MARGIN = 36;
const LINE_HEIGHT = 12;
const LONGEST_LINE = 105;

/** A PDF of one A4 page in Helvetica. The same page is the same bytes, whenever it is made. */
function pageOf(title: string, lines: readonly Line[]): Buffer {
  const page = new PDFDocument({
    size: 'A4',
    margin: 0,
    info: { Title: title, CreationDate: new Date(0) },
  });
  page.font('Helvetica-Bold', 18).text(title, MARGIN, MARGIN, { lineBreak: false });
  page.font('Helvetica', 8).text('SANDBOX - SEM VALOR FISCAL', 420, MARGIN, { lineBreak: false });
  lines.forEach((line, i) => {
    const y = 2 * MARGIN + i * LINE_HEIGHT;
    for (const [place, text] of line) {
      if (text !== '') page.text(text.slice(0, LONGEST_LINE), MARGIN + place, y, { lineBreak: false });
    }
  });
  page.end();
  // Nothing of it waits for anything: all that was written is there.
  return page.read();
}

const line = (...texts: readonly string[]): Line => [[0, texts.join('   ')]];

function maskedTaxId({ id, ...party }: Party): string {
  return isPerson({ id, ...party })
    ? id.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4')
    : id.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5');
}

function partyLines(role: string, party: Party): Line[] {
  const { name, city, row } = party;
  return [
    line(role),
    line(name, maskedTaxId(party)),
    line(`${row.street}, ${row.street_number} - ${row.district} - ${city.name}/${city.state}`),
  ];
}

function keyLines(key: string | undefined): Line[] {
  return key === undefined ? [] : [line('CHAVE DE ACESSO'), line(key.replace(/.{4}(?=.)/g, '$& '))];
}

const inCents = (text: string) => Number(text.replace('.', ''));

function itemLine(item: string): Line {
  const money = (name: string) => brazilianMoney(inCents(textIn(item, name)));
  return [
    [0, textIn(item, 'cProd')],
    [60, textIn(item, 'xProd').slice(0, 48)],
    [290, textIn(item, 'NCM')],
    [340, textIn(item, 'CFOP')],
    [370, `${textIn(item, 'qCom').replace('.', ',')} ${textIn(item, 'uCom')}`],
    [460, money('vProd')],
  ];
}

/** The DANFE of a note. */
export function danfePdf(note: Nfe, seed: string): Buffer {
  const { operation, total, remarks } = nfeContent(note, seed);
  return pageOf('DANFE', [
    line(`Documento Auxiliar da Nota Fiscal Eletrônica - ${note.isEntry ? 'Entrada' : 'Saída'}`),
    ...keyLines(note.key),
    line(`Número: ${note.number}`, `Série: ${note.series}`, `Emissão: ${brazilianDate(note.issuedAt)}`),
    line(`Natureza da operação: ${operation}`, `Protocolo de autorização: ${note.protocol}`),
    ...partyLines('EMITENTE', note.issuer),
    ...partyLines('DESTINATÁRIO', note.recipient),
    ...itemXmls(note, seed).map(itemLine),
    line(`VALOR TOTAL DA NOTA: R$ ${brazilianMoney(total)}`),
    line(remarks),
  ]);
}

/** The printed form of a service invoice (DANFSe). */
export function nfsePdf(note: Nfse, seed: string): Buffer {
  const content = nfseContent(note, seed);
  const money = (name: string) => brazilianMoney(amountOf(content, name));
  return pageOf('NFS-e', [
    line(`Nota Fiscal de Serviço Eletrônica - Prefeitura de ${note.issuer.city.name}`),
    ...keyLines(note.key),
    line(`Número: ${note.number}`, `Emissão: ${brazilianDate(note.issuedAt)}`),
    ...partyLines('PRESTADOR', note.issuer),
    ...partyLines('TOMADOR', note.recipient),
    line(content.description),
    line(`ISS: R$ ${money('iss')}`, `Retenções: R$ ${money('withheld')}`),
    line(`VALOR DO SERVIÇO: R$ ${money('gross')}`, `VALOR LÍQUIDO: R$ ${money('net')}`),
    line(content.listName),
  ]);
}
