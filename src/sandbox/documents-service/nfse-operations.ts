import { unmaskTaxId } from '../../documents/identity/tax-ids.ts';
import { isHeld } from '../data/books.ts';
import { dayOf, isoDate } from '../data/calendar.ts';
import type { Nfse } from '../data/nfse/book.ts';
import { nfseXml } from '../data/nfse/document-xml.ts';
import { group, leaves } from '../data/xml.ts';
import type { Answer } from './answers.ts';
import { enveloped, listed, listedDocuments } from './envelopes.ts';
import { linkTo, pdfText } from './formed.ts';
import { readDate } from './period.ts';
import { RefusedInEnvelope } from './refusals.ts';
import { type Listing, selectNfse } from './selections.ts';
import type { DocumentsService, Inputs } from './service.ts';

function xmlOf(service: DocumentsService, note: Nfse): string {
  return nfseXml(note, service.now(), service.books.seed);
}

function nfseBlobPath(note: Nfse): string {
  return `/blob/nfse/${note.issuer.id}-${note.number}-${isoDate(note.issuedAt)}.pdf`;
}

function* approvedAmong(notes: Iterable<Nfse>): Generator<Nfse> {
  for (const note of notes) if (note.approved) yield note;
}

function approvedOf(notes: Iterable<Nfse>): Iterable<Nfse> {
  return { [Symbol.iterator]: () => approvedAmong(notes) };
}

export function listNfseKeys(
  service: DocumentsService,
  inputs: Inputs,
  by: Listing['by'],
  which: 'all' | 'approved',
): Answer {
  return enveloped(service, 'retChavesNfse', () => {
    const notes = selectNfse(service, inputs, { by, typed: true });
    const wanted = which === 'all' ? notes : approvedOf(notes);
    const identifier = (note: Nfse) =>
      leaves({
        NumeroNFe: String(note.number),
        DataEmissaoNFe: isoDate(note.issuedAt),
        CNPJ: note.issuer.id,
      });
    return listed(wanted, (note) => group('NFSe', identifier(note)));
  });
}

export function listNfseXml(service: DocumentsService, inputs: Inputs, by: Listing['by']): Answer {
  return enveloped(service, 'retListaXml', () => {
    const notes = selectNfse(service, inputs, { by, typed: false });
    return listedDocuments(notes, (note) => `<?xml version="1.0" encoding="UTF-8"?>${xmlOf(service, note)}`);
  });
}

/** The XML as a nested element, and the PDF beside it as text. */
export async function downloadNfse(service: DocumentsService, inputs: Inputs): Promise<Answer> {
  const { nfsePdf } = await import('../printed-page.ts');
  const day = dayOf(readDate('dataEmissaoDocumento', inputs.text('dataEmissaoDocumento')));
  const number = inputs
    .text('numeroDocumento')
    .trim()
    .replace(/^0+(?=\d)/, '');
  return enveloped(service, 'retDownloadNFSes', () => {
    const note = service.books.nfse.find(number, day, unmaskTaxId(inputs.text('cnpjEmissorDocumento')));
    if (!note || !isHeld(note, service.now())) {
      throw new RefusedInEnvelope('217', 'Rejeicao: NFS-e nao consta na base de dados');
    }
    const link = () => linkTo(nfseBlobPath(note), service);
    const pdf = pdfText(nfsePdf(note, service.books.seed), service.replyForm().pdf, link);
    const xml = xmlOf(service, note);
    const piece = `<NFSe NumeroDocumento="${note.number}">${group('Conteudo', xml)}${leaves({ Pdf: pdf })}</NFSe>`;
    return { pieces: [piece], documents: [xml], quantity: 1 };
  });
}
