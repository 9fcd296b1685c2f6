import { brazilianDate } from '../data/calendar.ts';
import type { Nfse } from '../data/nfse/book.ts';
import { nfseContent } from '../data/nfse/content.ts';
import { brazilianMoney } from '../data/taxes/cents.ts';
import { printForm } from './printed-form.ts';

/** The printed form of a service invoice (DANFSe). */
export function nfsePdf(note: Nfse, seed: string): Buffer {
  const content = nfseContent(note, seed);
  return printForm({
    title: 'NFS-e',
    subtitle: `Nota Fiscal de Serviço Eletrônica - Prefeitura de ${note.issuer.city.name}`,
    key: note.key,
    facts: [
      ['Número', String(note.number)],
      ['Emissão', brazilianDate(note.issuedAt)],
    ],
    parties: [
      ['PRESTADOR', note.issuer],
      ['TOMADOR', note.recipient],
    ],
    columns: [
      { title: 'SERVIÇO', x: 36, width: 90 },
      { title: 'VALOR', x: 510, width: 14 },
    ],
    rows: [[content.description, brazilianMoney(content.gross)]],
    totals: [
      ['ISS', brazilianMoney(content.iss)],
      ['Retenções', brazilianMoney(content.gross - content.net)],
      ['VALOR DO SERVIÇO', brazilianMoney(content.gross)],
      ['VALOR LÍQUIDO', brazilianMoney(content.net)],
    ],
    remarks: note.service.listName,
  });
}
