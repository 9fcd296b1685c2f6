import { normalizeKey } from '../../documents/identity/keys.ts';
import { checkCnpj, unmaskTaxId } from '../../documents/identity/tax-ids.ts';
import { type Books, isHeld, type Selection, select } from '../data/books.ts';
import { dayOf, isoDate, isoMoment, SECONDS_IN_DAY, SECONDS_IN_HOUR } from '../data/calendar.ts';
import { type Cte, cteXml } from '../data/cte.ts';
import type { Direction, Issuance } from '../data/day-plan.ts';
import type { Book } from '../data/issued.ts';
import type { Nfe } from '../data/nfe/book.ts';
import { nfeContent } from '../data/nfe/content.ts';
import { itemXmls, nfeXml } from '../data/nfe/document-xml.ts';
import { type Nfse, nfseXml } from '../data/nfse.ts';
import { partyValues, type SandboxCompany } from '../data/parties.ts';
import { createRandom } from '../data/random.ts';
import { formatCents, group, leaf, leaves, textIn } from '../data/text.ts';
import { quotedReply, type Reply } from '../http.ts';
import { contentOf, enveloped, listed, RefusedInEnvelope } from './envelope.ts';
import type { Manifestations } from './manifestations.ts';
import { BadRequest, readDate, readPeriod } from './periods.ts';

/** What the operations of one sandbox work with. */
export interface DocumentsService extends Books {
  readonly manifestations: Manifestations;
  readonly maxDocumentsPerReply: number | undefined;
}

/** An operation, called with credentials that are right where its route has any; `text` reads a parameter. */
export type Operation = (service: DocumentsService, text: (name: string) => string) => Reply | Promise<Reply>;

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
  xml: ({ manifestations, cte }, note) => nfeXml(note, manifestations.eventsOf(note), cte.carries(note)),
};

export const cte: Kind<Cte> = {
  name: 'CT-e',
  book: (books) => books.cte,
  types: goodsTypes,
  keysRoot: 'retChavesCte',
  key: ({ key }) => leaf('ChaveCTe', key),
  xml: ({ now }, document) => cteXml(document, now()),
};

export const nfse: Kind<Nfse> = {
  name: 'NFS-e',
  book: (books) => books.nfse,
  types: { Recebidas: 'inbound', Emitidas: 'outbound' },
  keysRoot: 'retChavesNfse',
  key: ({ number, issuedAt, issuer }) =>
    group('NFSe', leaves({ NumeroNFe: String(number), DataEmissaoNFe: isoDate(issuedAt), CNPJ: issuer.id })),
  xml: ({ now }, note) => `<?xml version="1.0" encoding="UTF-8"?>${nfseXml(note, now())}`,
};

function companiesOf({ companies }: Books, cnpj: string): readonly SandboxCompany[] {
  if (cnpj === '') return companies;
  const company = companies.find(({ id }) => id === unmaskTaxId(cnpj));
  if (company) return [company];
  if (!checkCnpj(cnpj).ok) throw new RefusedInEnvelope('489', 'CNPJ informado invalido');
  throw new RefusedInEnvelope('593', 'CNPJ consultado nao pertence a conta do usuario');
}

function directionsOf(type: string, types: Kind<Nfe>['types']): readonly Direction[] {
  const direction = new Map(Object.entries(types)).get(type);
  if (direction) return [direction];
  throw new RefusedInEnvelope('215', `tipo deve ser ${Object.keys(types).join(' ou ')}`);
}

type By = Selection['by'];

/** The documents of the period; `typed` operations take a direction. */
function selected<T extends Issuance>(
  { book, types }: Kind<T>,
  [service, text]: Parameters<Operation>,
  by: By,
  typed: boolean,
): Iterable<T> {
  return select(book(service), {
    companies: companiesOf(service, text('cnpj')),
    directions: typed ? directionsOf(text('tipo'), types) : DIRECTIONS,
    by,
    ...readPeriod(text),
    now: service.now(),
  });
}

/** Lists keys of a period. */
export function keysOf<T extends Issuance>(kind: Kind<T>, by: By, typed: boolean): Operation {
  return (...call) =>
    enveloped(call[0], kind.keysRoot, () => listed(selected(kind, call, by, typed), kind.key));
}

/** Lists the keys of the NFS-e that the account's workflow has approved. */
export function approvedKeys(by: By): Operation {
  return (...call) =>
    enveloped(call[0], nfse.keysRoot, () => {
      const approved = [...selected(nfse, call, by, true)].filter((note) => note.approved);
      return listed(approved, nfse.key);
    });
}

/** Lists the documents of a period. */
export function documentsOf<T extends Issuance>(kind: Kind<T>, by: By, typed = false): Operation {
  return (...call) =>
    enveloped(call[0], 'retListaXml', () =>
      listed(selected(kind, call, by, typed), (document) => contentOf(kind.xml(call[0], document))),
    );
}

const SECONDS_IN_QUEUE = 30 * SECONDS_IN_DAY;

/** Lists what waits for an ERP: keys of an establishment's documents that entered in the last thirty days. */
export function queueOf<T extends Issuance>(kind: Kind<T>, typed: boolean): Operation {
  return (service, text) =>
    enveloped(service, kind.keysRoot, () => {
      // What the integer `tipo` stands for here; the contract does not say.
      const direction = typed ? DIRECTIONS[Number(text('tipo'))] : undefined;
      if (typed && !direction) throw new RefusedInEnvelope('215', 'tipo deve ser 0 (Entrada) ou 1 (Saída)');
      const company = service.companies.find(
        ({ companyId }) => companyId === Number(text('companhia')) && Number(text('estabelecimento')) === 1,
      );
      if (!company) throw new RefusedInEnvelope('593', 'companhia ou estabelecimento nao pertence a conta');
      const now = service.now();
      const directions = direction ? [direction] : DIRECTIONS;
      const period = { by: 'entry', from: now - SECONDS_IN_QUEUE, to: now, now } as const;
      return listed(select(kind.book(service), { companies: [company], directions, ...period }), kind.key);
    });
}

/** A document that the service holds. */
function held<T extends Issuance>(
  { name }: Pick<Kind<T>, 'name'>,
  { now }: Books,
  document: T | undefined,
): T {
  if (document && isHeld(document, now())) return document;
  throw new RefusedInEnvelope('217', `${name} nao consta na base de dados`);
}

const noteOf = (service: DocumentsService, key: string) =>
  held(nfe, service, service.nfe.find(normalizeKey(key)));

function download(service: DocumentsService, root: string, xml: () => string): Reply {
  return enveloped(service, root, () => {
    const checks = leaves({ vIntegridade: '1', vSefaz: '1', vCadastral: '-' });
    return { pieces: [checks, contentOf(xml())], quantity: undefined };
  });
}

export const downloadNfe: Operation = (service, text) =>
  download(service, 'retDownloadNFe', () => nfe.xml(service, noteOf(service, text('chaveNfe'))));

export const downloadCte: Operation = (service, text) =>
  download(service, 'retDownloadCTe', () =>
    cte.xml(service, held(cte, service, service.cte.find(normalizeKey(text('chaveCTe'))))),
  );

/** A missing note is reported in an envelope instead of the PDF. */
export const downloadDanfe: Operation = async (service, text) => {
  const { danfePdf } = await import('../printed-page.ts');
  let pdf = '';
  const refused = enveloped(service, 'retDownloadNFe', () => {
    pdf = danfePdf(noteOf(service, text('chaveNfe')));
    return { pieces: [], quantity: undefined };
  });
  return pdf === '' ? refused : quotedReply([pdf]);
};

/** The XML as a nested element, and the PDF beside it as text. */
export const downloadNfse: Operation = async (service, text) => {
  const { nfsePdf } = await import('../printed-page.ts');
  const day = dayOf(readDate('dataEmissaoDocumento', text('dataEmissaoDocumento')));
  return enveloped(service, 'retDownloadNFSes', () => {
    const [number, issuer] = [Number(text('numeroDocumento')), unmaskTaxId(text('cnpjEmissorDocumento'))];
    const note = held(nfse, service, service.nfse.find(number, day, issuer));
    const content = group('Conteudo', nfseXml(note, service.now()));
    const pdf = leaf('Pdf', nfsePdf(note));
    return { pieces: [`<NFSe NumeroDocumento="${note.number}">${content}${pdf}</NFSe>`], quantity: 1 };
  });
};

const isCancelled = ({ manifestations }: DocumentsService, note: Nfe) =>
  manifestations.eventsOf(note).some(({ code }) => code === '110111');

function summary(service: DocumentsService, note: Nfe): string {
  const { issuer } = note;
  const fields = leaves({
    chNFe: note.key,
    CNPJ: issuer.id,
    xNome: issuer.name,
    IE: issuer.stateRegistration,
    dhEmi: isoMoment(note.issuedAt),
    tpNF: note.isEntry ? '0' : '1',
    vNF: formatCents(nfeContent(note).total),
    dhRecbto: isoMoment(note.authorizedAt),
    nProt: note.protocol,
    cSitNFe: isCancelled(service, note) ? '3' : '1',
  });
  return `<resNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="1.01">${fields}</resNFe>`;
}

const SUMMARIES_PER_PAGE = 50;

export const listNfeSummaries: Operation = (...call) => {
  const [service, text] = call;
  const page = Number(text('pagina'));
  if (page < 1) throw new BadRequest("O parâmetro 'pagina' começa em 1.");
  return enveloped(service, 'retResumos', () => {
    const notes = [...selected(nfe, call, 'issue', false)];
    const onPage = notes.slice((page - 1) * SUMMARIES_PER_PAGE, page * SUMMARIES_PER_PAGE);
    const pages = Math.ceil(notes.length / SUMMARIES_PER_PAGE);
    return {
      ...listed(onPage, (note) => summary(service, note)),
      fields: { Pagina: String(page), TotalPaginas: String(pages), Total: String(notes.length) },
    };
  });
};

function cover(service: DocumentsService, note: Nfe): string {
  const { issuer, recipient } = note;
  const { cnpj, cpf } = partyValues(recipient);
  const fields = {
    ChaveNFe: note.key,
    Numero: String(note.number),
    Serie: String(note.series),
    Emissao: isoMoment(note.issuedAt),
    CnpjEmitente: issuer.id,
    NomeEmitente: issuer.name,
    CnpjDestinatario: cnpj,
    CpfDestinatario: cpf,
    NomeDestinatario: recipient.name,
    Valor: formatCents(nfeContent(note).total),
    Situacao: isCancelled(service, note) ? 'Cancelada' : 'Autorizada',
  };
  return group('Capa', leaves(fields));
}

/** By key where `capa` has one, and then the period may be empty. */
export const listNfeCovers: Operation = (...call) => {
  const [service, text] = call;
  return enveloped(service, 'retCapas', () => {
    const key = text('capa');
    const notes = key === '' ? selected(nfe, call, 'issue', true) : [noteOf(service, key)];
    return listed(notes, (note) => cover(service, note));
  });
};

const CLASSIFICATION = { Codigo: 'cProd', Descricao: 'xProd', NCM: 'NCM', CEST: 'CEST', CFOP: 'CFOP' };

export const listProductClassifications: Operation = (service, text) =>
  enveloped(service, 'retClassificacoes', () => {
    const pieces = itemXmls(noteOf(service, text('chaveNfe'))).map((item, at) => {
      const of = (name: string) => textIn(item, name) || undefined;
      const fields = Object.entries(CLASSIFICATION).map(([name, element]) => [name, of(element)] as const);
      const all = { Item: String(at + 1), ...Object.fromEntries(fields), CST: of('CSOSN') ?? of('CST') };
      return group('Produto', leaves(all));
    });
    return { pieces, quantity: pieces.length };
  });

/** Shared-access addresses are good for an hour. */
export const renewUrl: Operation = ({ seed, now }, text) => {
  const old = text('oldUrl');
  const url = URL.canParse(old) ? new URL(old) : undefined;
  if (!url?.searchParams.has('sig'))
    throw new BadRequest('A URL informada não é de um arquivo deste serviço.');
  const expiry = isoMoment(now() + SECONDS_IN_HOUR);
  url.searchParams.set('se', expiry);
  url.searchParams.set('sig', createRandom(seed, url.pathname, expiry).digits(32));
  return quotedReply([url.href]);
};
