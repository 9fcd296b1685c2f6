import PDFDocument from 'pdfkit';
import { maskTaxId } from '../../documents/identity/tax-ids.ts';
import { isoDate } from '../data/calendar.ts';
import type { Nfe } from '../data/nfe.ts';
import { nfeContent } from '../data/nfe-items.ts';
import { type Nfse, nfseContent } from '../data/nfse.ts';
import type { Issued } from '../data/plan.ts';
import { formatCents } from '../data/templates.ts';

/** One A4 page in base64: title, key, parties and total. The same document yields the same bytes. */
function printed(title: string, { key, issuer, receivers, number, issuedAt }: Issued, total = ''): string {
  const lines = [
    'SANDBOX - SEM VALOR FISCAL',
    ...(key === undefined ? [] : [`CHAVE DE ACESSO   ${key.replace(/.{4}(?=.)/g, '$& ')}`]),
    `Número: ${number}   Emissão: ${isoDate(issuedAt).split('-').reverse().join('/')}`,
    ...[issuer, ...receivers].map(({ name, id }) => `${name}   ${maskTaxId(id)}`),
    `VALOR TOTAL: R$ ${total.replace('.', ',')}`,
  ];
  const info = { Title: title, CreationDate: new Date(0) };
  const page = new PDFDocument({ size: 'A4', margin: 36, info });
  page.font('Helvetica-Bold', 18).text(title).font('Helvetica', 9).text(lines.join('\n'));
  page.end();
  // PDFKit writes synchronously, so the whole page is buffered by now.
  return (page.read() as Buffer).toString('base64');
}

/** The DANFE of a note, in base64. */
export const danfePdf = (note: Nfe): string => printed('DANFE', note, formatCents(nfeContent(note).total));

/** The printed form of a service invoice (DANFSe), in base64. */
export const nfsePdf = (note: Nfse): string => printed('NFS-e', note, nfseContent(note).gross);
