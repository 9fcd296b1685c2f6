import { normalizeKey } from '../../documents/identity/keys.ts';
import { isHeld, select } from '../data/books.ts';
import { isoMoment } from '../data/calendar.ts';
import { formatCents } from '../data/money.ts';
import type { Nfe } from '../data/nfe/book.ts';
import { nfeContent } from '../data/nfe/content.ts';
import { itemXmls, nfeXml } from '../data/nfe/document-xml.ts';
import { isPerson } from '../data/parties.ts';
import { group, leaf, leaves, textIn } from '../data/xml.ts';
import type { Answer } from './answers.ts';
import { contentOf, type EnvelopeContent, enveloped, listed, listedDocuments } from './envelopes.ts';
import { BadRequest, RefusedInEnvelope } from './refusals.ts';
import { type Listing, queueSelection, selectNfe } from './selections.ts';
import type { DocumentsService, Inputs } from './service.ts';

const SUMMARIES_PER_PAGE = 50;
const BY_ISSUE: Listing = { by: 'issue', typed: false };

function listedKeys(notes: Iterable<Nfe>): EnvelopeContent {
  return listed(notes, (note) => leaf('ChaveNFe', note.key));
}

function xmlOf(service: DocumentsService, note: Nfe): string {
  return nfeXml(note, service.manifestations.eventsOf(note), service.books.seed);
}

function findNote(service: DocumentsService, key: string): Nfe | undefined {
  const note = service.books.nfe.find(normalizeKey(key));
  return note && isHeld(note, service.now()) ? note : undefined;
}

function notThere(): never {
  throw new RefusedInEnvelope('217', 'Rejeicao: NF-e nao consta na base de dados');
}

function noteOf(service: DocumentsService, key: string): Nfe {
  return findNote(service, key) ?? notThere();
}

function situationOf(service: DocumentsService, note: Nfe): 'Autorizada' | 'Cancelada' {
  const cancelled = service.manifestations.eventsOf(note).some((event) => event.code === '110111');
  return cancelled ? 'Cancelada' : 'Autorizada';
}

export function listNfeKeys(service: DocumentsService, inputs: Inputs, by: Listing['by']): Answer {
  const listing = { by, typed: false };
  return enveloped(service, 'retChavesNfe', () => listedKeys(selectNfe(service, inputs, listing)));
}

export function listNfeIntegrationKeys(service: DocumentsService, inputs: Inputs): Answer {
  return enveloped(service, 'retChavesNfe', () =>
    listedKeys(select(service.books.nfe, queueSelection(service, inputs))),
  );
}

export function listNfeXml(service: DocumentsService, inputs: Inputs, listing: Listing): Answer {
  const write = (note: Nfe) => xmlOf(service, note);
  return enveloped(service, 'retListaXml', () => listedDocuments(selectNfe(service, inputs, listing), write));
}

export function downloadNfeXml(service: DocumentsService, inputs: Inputs): Answer {
  return enveloped(service, 'retDownloadNFe', () => {
    const note = noteOf(service, inputs.text('chaveNfe'));
    const checks = leaves({ vIntegridade: '1', vSefaz: '1', vCadastral: '-' });
    const xml = xmlOf(service, note);
    return { pieces: [checks, contentOf(xml)], documents: [xml], quantity: undefined };
  });
}

/** A note that isn't there is told in an envelope, in place of the PDF. */
export async function downloadDanfe(service: DocumentsService, inputs: Inputs): Promise<Answer> {
  const note = findNote(service, inputs.text('chaveNfe'));
  if (!note) return enveloped(service, 'retDownloadNFe', notThere);
  const { danfePdf } = await import('../printed-page.ts');
  return { kind: 'pdf', pdf: danfePdf(note, service.books.seed), path: `/blob/nfe/${note.key}.pdf` };
}

function summary(service: DocumentsService, note: Nfe): string {
  const { issuer } = note;
  const fields = leaves({
    chNFe: note.key,
    CNPJ: issuer.id,
    xNome: issuer.name,
    IE: issuer.stateRegistration,
    dhEmi: isoMoment(note.issuedAt),
    tpNF: note.isEntry ? '0' : '1',
    vNF: formatCents(nfeContent(note, service.books.seed).total),
    dhRecbto: isoMoment(note.authorizedAt),
    nProt: note.protocol,
    cSitNFe: situationOf(service, note) === 'Autorizada' ? '1' : '3',
  });
  return `<resNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="1.01">${fields}</resNFe>`;
}

function pageOf(notes: Iterable<Nfe>, page: number): { onPage: Nfe[]; total: number } {
  const start = (page - 1) * SUMMARIES_PER_PAGE;
  const onPage: Nfe[] = [];
  let total = 0;
  for (const note of notes) {
    if (total >= start && onPage.length < SUMMARIES_PER_PAGE) onPage.push(note);
    total += 1;
  }
  return { onPage, total };
}

export function listNfeSummaries(service: DocumentsService, inputs: Inputs): Answer {
  const page = inputs.integer('pagina');
  if (page < 1) throw new BadRequest("O parâmetro 'pagina' começa em 1.");
  return enveloped(service, 'retResumos', () => {
    const { onPage, total } = pageOf(selectNfe(service, inputs, BY_ISSUE), page);
    const pages = Math.ceil(total / SUMMARIES_PER_PAGE);
    return {
      ...listed(onPage, (note) => summary(service, note)),
      fields: { Pagina: String(page), TotalPaginas: String(pages), Total: String(total) },
    };
  });
}

function cover(service: DocumentsService, note: Nfe): string {
  const { issuer, recipient } = note;
  return group(
    'Capa',
    leaves({
      ChaveNFe: note.key,
      Numero: String(note.number),
      Serie: String(note.series),
      Emissao: isoMoment(note.issuedAt),
      CnpjEmitente: issuer.id,
      NomeEmitente: issuer.name,
      CnpjDestinatario: isPerson(recipient) || recipient.country ? undefined : recipient.id,
      CpfDestinatario: isPerson(recipient) ? recipient.id : undefined,
      NomeDestinatario: recipient.name,
      Valor: formatCents(nfeContent(note, service.books.seed).total),
      Situacao: situationOf(service, note),
    }),
  );
}

/** By key where `capa` has one, and then the period may be empty. */
export function listNfeCovers(service: DocumentsService, inputs: Inputs): Answer {
  return enveloped(service, 'retCapas', () => {
    const key = inputs.text('capa');
    const notes =
      key === '' ? selectNfe(service, inputs, { by: 'issue', typed: true }) : [noteOf(service, key)];
    return listed(notes, (note) => cover(service, note));
  });
}

export function listProductClassifications(service: DocumentsService, inputs: Inputs): Answer {
  return enveloped(service, 'retClassificacoes', () => {
    const note = noteOf(service, inputs.text('chaveNfe'));
    const pieces = itemXmls(note, service.books.seed).map((item, i) => {
      const of = (name: string) => textIn(item, name) || undefined;
      return group(
        'Produto',
        leaves({
          Item: String(i + 1),
          Codigo: of('cProd'),
          Descricao: of('xProd'),
          NCM: of('NCM'),
          CEST: of('CEST'),
          CFOP: of('CFOP'),
          CST: of('CSOSN') ?? of('CST'),
        }),
      );
    });
    return { pieces, quantity: pieces.length };
  });
}
