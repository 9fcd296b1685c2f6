import { normalizeKey } from '../../documents/identity/keys.ts';
import { checkCnpj, unmaskTaxId } from '../../documents/identity/tax-ids.ts';
import { type Book, type Books, isHeld, type Selection, select } from '../data/books.ts';
import { dayOf, isoDate, isoMoment, SECONDS_IN_DAY } from '../data/calendar.ts';
import { type Cte, cteXml } from '../data/cte.ts';
import type { Direction, Issuance } from '../data/day-plan.ts';
import type { Nfe } from '../data/nfe/book.ts';
import { nfeContent } from '../data/nfe/content.ts';
import { itemXmls, nfeXml } from '../data/nfe/document-xml.ts';
import { type Nfse, nfseXml } from '../data/nfse.ts';
import { isPerson, type SandboxCompany } from '../data/parties.ts';
import { formatCents, group, leaf, leaves, textIn } from '../data/text.ts';
import { quotedReply, type Reply } from '../http.ts';
import { contentOf, enveloped, listed } from './envelope.ts';
import { BadRequest, RefusedInEnvelope, readDate, readPeriod } from './inputs.ts';
import type { DocumentsService, Inputs } from './service.ts';

/** An operation, called with credentials that are right where its route has any. */
export type Operation = (service: DocumentsService, inputs: Inputs) => Reply | Promise<Reply>;

/** How the documents of one kind are found and written. */
interface Kind<T extends Issuance> {
  readonly name: string;
  readonly book: (books: Books) => Book<T>;
  /** What `tipo` may be. */
  readonly types: Readonly<Record<string, Direction>>;
  readonly keysRoot: string;
  key(document: T): string;
  xml(service: DocumentsService, document: T): string;
}

const DIRECTIONS: readonly Direction[] = ['inbound', 'outbound'];
const goodsTypes = { Entrada: 'inbound', Saída: 'outbound' } as const;

export const nfe: Kind<Nfe> = {
  name: 'NF-e',
  book: (books) => books.nfe,
  types: goodsTypes,
  keysRoot: 'retChavesNfe',
  key: ({ key }) => leaf('ChaveNFe', key),
  xml: ({ manifestations, books }, note) =>
    nfeXml(note, manifestations.eventsOf(note), books.seed, books.cte.carries(note)),
};

export const cte: Kind<Cte> = {
  name: 'CT-e',
  book: (books) => books.cte,
  types: goodsTypes,
  keysRoot: 'retChavesCte',
  key: ({ key }) => leaf('ChaveCTe', key),
  xml: (service, document) => cteXml(document, service.now(), service.books.seed),
};

function nfseXmlOf(service: DocumentsService, note: Nfse): string {
  return nfseXml(note, service.now(), service.books.seed);
}

export const nfse: Kind<Nfse> = {
  name: 'NFS-e',
  book: (books) => books.nfse,
  types: { Recebidas: 'inbound', Emitidas: 'outbound' },
  keysRoot: 'retChavesNfse',
  key: ({ number, issuedAt, issuer }) =>
    group('NFSe', leaves({ NumeroNFe: String(number), DataEmissaoNFe: isoDate(issuedAt), CNPJ: issuer.id })),
  xml: (service, note) => `<?xml version="1.0" encoding="UTF-8"?>${nfseXmlOf(service, note)}`,
};

function companiesOf({ companies }: Books, cnpj: string): readonly SandboxCompany[] {
  if (cnpj === '') return companies;
  const company = companies.find(({ id }) => id === unmaskTaxId(cnpj));
  if (company) return [company];
  if (!checkCnpj(cnpj).ok) throw new RefusedInEnvelope('489', 'Rejeicao: CNPJ informado invalido');
  throw new RefusedInEnvelope('593', 'Rejeicao: CNPJ consultado nao pertence a conta do usuario');
}

function directionsOf(type: string, types: Readonly<Record<string, Direction>>): readonly Direction[] {
  const direction = Object.hasOwn(types, type) ? types[type] : undefined;
  if (direction) return [direction];
  const known = Object.keys(types).join(' ou ');
  throw new RefusedInEnvelope('215', `Rejeicao: tipo deve ser ${known}`);
}

/** The documents of the period; `typed` operations take a direction. */
function selected<T extends Issuance>(
  { book, types }: Kind<T>,
  service: DocumentsService,
  inputs: Inputs,
  by: Selection['by'],
  typed: boolean,
): Iterable<T> {
  return select(book(service.books), {
    companies: companiesOf(service.books, inputs.text('cnpj')),
    directions: typed ? directionsOf(inputs.text('tipo'), types) : DIRECTIONS,
    by,
    ...readPeriod(inputs.text),
    now: service.now(),
  });
}

/** Lists keys of a period. */
export function keysOf<T extends Issuance>(kind: Kind<T>, by: Selection['by'], typed: boolean): Operation {
  return (service, inputs) =>
    enveloped(service, kind.keysRoot, () => listed(selected(kind, service, inputs, by, typed), kind.key));
}

/** Lists the keys of the NFS-e that the account's workflow has approved. */
export function approvedKeys(by: Selection['by']): Operation {
  return (service, inputs) =>
    enveloped(service, nfse.keysRoot, () => {
      const notes = selected(nfse, service, inputs, by, true);
      const approved = function* () {
        for (const note of notes) if (note.approved) yield note;
      };
      return listed({ [Symbol.iterator]: approved }, nfse.key);
    });
}

/** Lists the documents of a period. */
export function documentsOf<T extends Issuance>(
  kind: Kind<T>,
  by: Selection['by'],
  typed = false,
): Operation {
  return (service, inputs) =>
    enveloped(service, 'retListaXml', () =>
      listed(selected(kind, service, inputs, by, typed), (document) =>
        contentOf(kind.xml(service, document)),
      ),
    );
}

const SECONDS_IN_QUEUE = 30 * SECONDS_IN_DAY;

/** Lists what waits for an ERP: keys of an establishment's documents that entered in the last thirty days. */
export function queueOf<T extends Issuance>(kind: Kind<T>, typed: boolean): Operation {
  return (service, inputs) =>
    enveloped(service, kind.keysRoot, () => {
      // What the integer `tipo` stands for here; the contract does not say.
      const direction = typed ? DIRECTIONS[inputs.integer('tipo')] : undefined;
      if (typed && !direction)
        throw new RefusedInEnvelope('215', 'Rejeicao: tipo deve ser 0 (Entrada) ou 1 (Saída)');
      const company = service.books.companies.find(
        ({ companyId, establishment }) =>
          companyId === inputs.integer('companhia') && establishment === inputs.integer('estabelecimento'),
      );
      if (!company)
        throw new RefusedInEnvelope('593', 'Rejeicao: companhia ou estabelecimento nao pertence a conta');
      const now = service.now();
      const directions = direction ? [direction] : DIRECTIONS;
      const entered = {
        companies: [company],
        directions,
        by: 'entry',
        from: now - SECONDS_IN_QUEUE,
      } as const;
      return listed(select(kind.book(service.books), { ...entered, to: now, now }), kind.key);
    });
}

/** The document where the service holds it. */
function held<T extends Issuance>(service: DocumentsService, document: T | undefined): T | undefined {
  return document && isHeld(document, service.now()) ? document : undefined;
}

function notThere(kind: Pick<Kind<Nfe>, 'name'>): never {
  throw new RefusedInEnvelope('217', `Rejeicao: ${kind.name} nao consta na base de dados`);
}

function noteOf(service: DocumentsService, key: string): Nfe {
  return held(service, service.books.nfe.find(normalizeKey(key))) ?? notThere(nfe);
}

function downloadXml<T extends Issuance>(
  kind: Kind<T>,
  root: string,
  find: (service: DocumentsService, inputs: Inputs) => T | undefined,
): Operation {
  return (service, inputs) =>
    enveloped(service, root, () => {
      const xml = kind.xml(service, held(service, find(service, inputs)) ?? notThere(kind));
      const checks = leaves({ vIntegridade: '1', vSefaz: '1', vCadastral: '-' });
      return { pieces: [checks, contentOf(xml)], quantity: undefined };
    });
}

export const downloadNfeXml = downloadXml(nfe, 'retDownloadNFe', ({ books }, inputs) =>
  books.nfe.find(normalizeKey(inputs.text('chaveNfe'))),
);
export const downloadCteXml = downloadXml(cte, 'retDownloadCTe', ({ books }, inputs) =>
  books.cte.find(normalizeKey(inputs.text('chaveCTe'))),
);

/** A note that isn't there is told in an envelope, in place of the PDF. */
export async function downloadDanfe(service: DocumentsService, inputs: Inputs): Promise<Reply> {
  const note = held(service, service.books.nfe.find(normalizeKey(inputs.text('chaveNfe'))));
  if (!note) return enveloped(service, 'retDownloadNFe', () => notThere(nfe));
  const { danfePdf } = await import('../printed-page.ts');
  return quotedReply([danfePdf(note, service.books.seed).toString('base64')]);
}

function situationOf(service: DocumentsService, note: Nfe): 'Autorizada' | 'Cancelada' {
  const cancelled = service.manifestations.eventsOf(note).some((event) => event.code === '110111');
  return cancelled ? 'Cancelada' : 'Autorizada';
}

const SUMMARIES_PER_PAGE = 50;

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

export function listNfeSummaries(service: DocumentsService, inputs: Inputs): Reply {
  const page = inputs.integer('pagina');
  if (page < 1) throw new BadRequest("O parâmetro 'pagina' começa em 1.");
  return enveloped(service, 'retResumos', () => {
    const { onPage, total } = pageOf(selected(nfe, service, inputs, 'issue', false), page);
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
      CnpjDestinatario: isPerson(recipient) || recipient.isAbroad ? undefined : recipient.id,
      CpfDestinatario: isPerson(recipient) ? recipient.id : undefined,
      NomeDestinatario: recipient.name,
      Valor: formatCents(nfeContent(note, service.books.seed).total),
      Situacao: situationOf(service, note),
    }),
  );
}

/** By key where `capa` has one, and then the period may be empty. */
export function listNfeCovers(service: DocumentsService, inputs: Inputs): Reply {
  return enveloped(service, 'retCapas', () => {
    const key = inputs.text('capa');
    const notes = key === '' ? selected(nfe, service, inputs, 'issue', true) : [noteOf(service, key)];
    return listed(notes, (note) => cover(service, note));
  });
}

export function listProductClassifications(service: DocumentsService, inputs: Inputs): Reply {
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

/** The XML as a nested element, and the PDF beside it as text. */
export async function downloadNfse(service: DocumentsService, inputs: Inputs): Promise<Reply> {
  const { nfsePdf } = await import('../printed-page.ts');
  const day = dayOf(readDate('dataEmissaoDocumento', inputs.text('dataEmissaoDocumento')));
  const number = inputs
    .text('numeroDocumento')
    .trim()
    .replace(/^0+(?=\d)/, '');
  return enveloped(service, 'retDownloadNFSes', () => {
    const found = service.books.nfse.find(number, day, unmaskTaxId(inputs.text('cnpjEmissorDocumento')));
    const note = held(service, found) ?? notThere(nfse);
    const content = group('Conteudo', nfseXmlOf(service, note));
    const pdf = leaf('Pdf', nfsePdf(note, service.books.seed).toString('base64'));
    return { pieces: [`<NFSe NumeroDocumento="${note.number}">${content}${pdf}</NFSe>`], quantity: 1 };
  });
}
