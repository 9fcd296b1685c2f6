import PDFDocument from 'pdfkit';
import { maskTaxId } from '../documents/identity/tax-ids.ts';
import { isoDate } from './data/calendar.ts';
import type { Issued } from './data/issued.ts';
import type { Nfe } from './data/nfe/book.ts';
import { nfeContent } from './data/nfe/content.ts';
import { type Nfse, nfseContent } from './data/nfse.ts';
import { formatCents } from './data/text.ts';

const MARGIN = 36;

/** One A4 page in base64: what the document is, its key, parties and total. The same page is the same bytes. */
function printed(title: string, { key, ...note }: Issued & { key: string | undefined }, total = '') {
  const { issuer, receivers, number, issuedAt } = note;
  const parties = [issuer, ...receivers].map(({ name, id }) => `${name}   ${maskTaxId(id)}`);
  const lines = [
    'SANDBOX - SEM VALOR FISCAL',
    ...(key === undefined ? [] : [`CHAVE DE ACESSO   ${key.replace(/.{4}(?=.)/g, '$& ')}`]),
    `Número: ${number}   Emissão: ${isoDate(issuedAt).split('-').reverse().join('/')}`,
    ...parties,
    `VALOR TOTAL: R$ ${total.replace('.', ',')}`,
  ];
  const page = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    info: { Title: title, CreationDate: new Date(0) },
  });
  page.font('Helvetica-Bold', 18).text(title).font('Helvetica', 9).text(lines.join('\n'));
  page.end();
  // Nothing of it waits for anything: all that was written is there.
  return (page.read() as Buffer).toString('base64');
}

/** The DANFE of a note, in base64. */
export const danfePdf = (note: Nfe): string => printed('DANFE', note, formatCents(nfeContent(note).total));

/** The printed form of a service invoice (DANFSe), in base64. */
export const nfsePdf = (note: Nfse): string => printed('NFS-e', note, nfseContent(note).gross);
