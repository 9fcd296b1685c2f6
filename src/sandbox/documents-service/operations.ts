import { normalizeKey } from '../../documents/identity/keys.ts';
import { checkCnpj, unmaskTaxId } from '../../documents/identity/tax-ids.ts';
import type { Books, HeldBook, Selection } from '../data/books.ts';
import {
  isoDate,
  isoMoment,
  isoWallClock,
  type Moment,
  momentOfWallClock,
  SECONDS_IN_DAY,
  SECONDS_IN_HOUR,
} from '../data/calendar.ts';
import type { Nfe } from '../data/nfe.ts';
import { nfeContent } from '../data/nfe-items.ts';
import { itemXmls } from '../data/nfe-xml.ts';
import { nfseXml } from '../data/nfse.ts';
import { type Party, partyValues } from '../data/parties.ts';
import { createRandom, DIRECTIONS, type DocumentKind, type Issued, issuedValues } from '../data/plan.ts';
import { formatCents, partsOf, unescapeXml, type Values } from '../data/templates.ts';
import { quotedReply, type Reply } from '../server.ts';
import repliesXml from '../templates/replies.xml';

/** State shared by the operations of one sandbox. */
export interface DocumentsService extends Books {
  /** Most documents in a list; longer ones are refused, asking for a shorter period. */
  readonly maxDocumentsPerReply: number | undefined;
}

/** Reads a parameter; empty if absent. */
export type Text = (name: string) => string;

/** An operation, called after the credential check; `isTyped`: it takes a `tipo`. */
export type Operation = (service: DocumentsService, text: Text, isTyped: boolean) => Reply | Promise<Reply>;

/** Refusal with a code in the envelope; without a code, with status 400. */
export class Refused extends Error {
  /** `cStat`, three digits. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

const part = partsOf(repliesXml);

interface Content {
  /** XML chunks, generated while sending. */
  readonly pieces: Iterable<string>;
  /** Number of pieces of a list; a single download has none. */
  readonly quantity?: number;
  /** Further fields before `retorno`. */
  readonly page?: Values;
}

function listed<T>(documents: Iterable<T>, write: (document: T) => string): Content {
  const all = [...documents];
  function* pieces(): Generator<string> {
    for (const document of all) yield write(document);
  }
  return { pieces: pieces(), quantity: all.length };
}

const inContent = (xml: string) =>
  `<Conteudo><![CDATA[${xml.replaceAll(']]>', ']]]]><![CDATA[>')}]]></Conteudo>`;

/** Key lists of NF-e and CT-e come inside an element literally named `xml`. Source: docs/upstream-services.md. */
const WRAPPED_IN_XML_ELEMENT = ['retChavesNfe', 'retChavesCte'];

function* written(root: string, head: string, pieces: Iterable<string> | undefined): Generator<string> {
  const isWrapped = WRAPPED_IN_XML_ELEMENT.includes(root);
  const opening = isWrapped ? '<xml version="1.0">' : '<?xml version="1.0" encoding="utf-8"?>';
  yield `${opening}<${root} versao="1.00">${head}`;
  if (pieces) {
    yield '<retorno>';
    yield* pieces;
    yield '</retorno>';
  }
  yield `</${root}>${isWrapped ? '</xml>' : ''}`;
}

/** Wraps the result of `produce`. An empty list has code 137, a refusal its own, both without `retorno`. */
function enveloped(
  { now, maxDocumentsPerReply = Number.POSITIVE_INFINITY }: DocumentsService,
  root: string,
  produce: () => Content,
): Reply {
  const reply = (code: string, reason: string, more?: Values, pieces?: Iterable<string>) =>
    quotedReply(written(root, part('head', { code, reason, at: isoWallClock(now()), ...more }), pieces));
  try {
    const { pieces, quantity, page } = produce();
    if (quantity === undefined) return reply('100', 'OK', page, pieces);
    if (quantity > maxDocumentsPerReply) return reply('999', 'Consumo: reduza o período');
    const about = { quantity: String(quantity), ...page };
    return quantity === 0
      ? reply('137', 'Nenhum documento localizado', about)
      : reply('100', 'OK', about, pieces);
  } catch (error) {
    if (!(error instanceof Refused) || error.code === undefined) throw error;
    return reply(error.code, `Rejeicao: ${error.message}`);
  }
}

/** The service's names for a kind of document, its list of keys, and both directions. */
const KINDS = {
  nfe: { name: 'NF-e', keysRoot: 'retChavesNfe', types: ['Entrada', 'Saída'] },
  cte: { name: 'CT-e', keysRoot: 'retChavesCte', types: ['Entrada', 'Saída'] },
  nfse: { name: 'NFS-e', keysRoot: 'retChavesNfse', types: ['Recebidas', 'Emitidas'] },
} as const satisfies Record<DocumentKind, object>;

/** Parses a date (`dd/MM/yyyy`, `d/M/yyyy` or `yyyy-MM-dd`) and a time, with or without seconds. */
function momentAt(name: string, date: string, time = '00:00:00'): Moment {
  const padded = date.replace(/\b\d(?=\/)/g, '0$&');
  const isoDate = padded.replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, '$3-$2-$1');
  const moment = momentOfWallClock(`${isoDate}T${time.length === 5 ? `${time}:00` : time}`);
  if (Number.isNaN(moment))
    throw new Refused(`O valor do parâmetro '${name}' não é uma data ou hora válida.`);
  return moment;
}

function companiesOf({ companies }: Books, cnpj: string): readonly Party[] {
  if (cnpj === '') return companies;
  const company = companies.find(({ id }) => id === unmaskTaxId(cnpj));
  if (company) return [company];
  if (!checkCnpj(cnpj).ok) throw new Refused('CNPJ informado invalido', '489');
  throw new Refused('CNPJ consultado nao pertence a conta do usuario', '593');
}

type By = Selection['by'];

/** Selection of a call: an empty start time is the first second of the day, an empty end time its last one. */
function selectionOf(
  kind: DocumentKind,
  by: By,
  ...[service, text, isTyped]: Parameters<Operation>
): Selection {
  const types: readonly string[] = KINDS[kind].types;
  const companies = companiesOf(service, text('cnpj'));
  const direction = DIRECTIONS[types.indexOf(text('tipo'))];
  if (isTyped && !direction) throw new Refused(`tipo deve ser ${types.join(' ou ')}`, '215');
  const from = momentAt('dataDe', text('dataDe'), text('horaDe') || '00:00:00');
  const to = momentAt('dataAte', text('dataAte'), text('horaAte') || '23:59:59');
  if (from > to) throw new Refused('A data inicial é posterior à data final.');
  return { companies, directions: isTyped && direction ? [direction] : DIRECTIONS, by, from, to };
}

const keyXml = (kind: DocumentKind, { key, number, issuedAt, issuer }: Issued) =>
  part(`${kind} key`, { key, number: String(number), day: isoDate(issuedAt), id: issuer.id });

const isApproved = (document: Issued) => 'approved' in document && document.approved === true;

/** Lists keys of a period: all, or only NFS-e approved by the account's workflow. */
export function keysOf(kind: DocumentKind, by: By, which: 'all' | 'approved' = 'all'): Operation {
  return (...call) =>
    enveloped(call[0], KINDS[kind].keysRoot, () => {
      const all: Iterable<Issued> = call[0][kind].select(selectionOf(kind, by, ...call));
      const documents = which === 'all' ? all : [...all].filter(isApproved);
      return listed(documents, (document) => keyXml(kind, document));
    });
}

/** Lists the documents of a period. */
export function documentsOf(kind: DocumentKind, by: By): Operation {
  return (...call) =>
    enveloped(call[0], 'retListaXml', () => {
      const book: HeldBook<Issued> = call[0][kind];
      return listed(book.select(selectionOf(kind, by, ...call)), (document) => inContent(book.xml(document)));
    });
}

const SECONDS_IN_QUEUE = 30 * SECONDS_IN_DAY;

/** Lists an ERP's queue: keys of an establishment's documents entered in the last thirty days. */
export function queueOf(kind: DocumentKind): Operation {
  return (service, text, isTyped) =>
    enveloped(service, KINDS[kind].keysRoot, () => {
      // The contract does not define the integer `tipo` here; the sandbox takes it for a direction.
      const direction = isTyped ? DIRECTIONS[Number(text('tipo'))] : undefined;
      if (isTyped && !direction) throw new Refused('tipo deve ser 0 (Entrada) ou 1 (Saída)', '215');
      const company = service.companies.find(
        ({ companyId }) => companyId === Number(text('companhia')) && Number(text('estabelecimento')) === 1,
      );
      if (!company) throw new Refused('companhia ou estabelecimento nao pertence a conta', '593');
      const to = service.now();
      const period = { by: 'entry', from: to - SECONDS_IN_QUEUE, to } as const;
      const directions = direction ? [direction] : DIRECTIONS;
      const waiting: Iterable<Issued> = service[kind].select({ companies: [company], directions, ...period });
      return listed(waiting, (document) => keyXml(kind, document));
    });
}

/** Returns the document. @throws Refused if it is missing */
function found<T>(kind: DocumentKind, document: T | undefined): T {
  if (document === undefined) throw new Refused(`${KINDS[kind].name} nao consta na base de dados`, '217');
  return document;
}

const noteOf = (service: DocumentsService, key: string) => found('nfe', service.nfe.find(normalizeKey(key)));

/** Downloads a document by the key in a parameter. */
export function downloadOf(kind: 'nfe' | 'cte', root: string, parameter: string): Operation {
  return (service, text) =>
    enveloped(service, root, () => {
      const book: HeldBook<Issued> = service[kind];
      const xml = book.xml(found(kind, book.find(normalizeKey(text(parameter)))));
      return { pieces: [part('checks', {}), inContent(xml)] };
    });
}

/** A missing note is reported in an envelope instead of the PDF. */
export const downloadDanfe: Operation = async (service, text) => {
  const { danfePdf } = await import('./printed-page.ts');
  let pdf = '';
  const refused = enveloped(service, 'retDownloadNFe', () => {
    pdf = danfePdf(noteOf(service, text('chaveNfe')));
    return { pieces: [] };
  });
  return pdf === '' ? refused : quotedReply([pdf]);
};

/** Downloads an NFS-e: XML as a nested element, PDF beside it as text. */
export const downloadNfse: Operation = async (service, text) => {
  const { nfsePdf } = await import('./printed-page.ts');
  const from = momentAt('dataEmissaoDocumento', text('dataEmissaoDocumento'));
  return enveloped(service, 'retDownloadNFSes', () => {
    const [number, issuer] = [Number(text('numeroDocumento')), unmaskTaxId(text('cnpjEmissorDocumento'))];
    const ofDay = [...service.nfse.select({ from, to: from + SECONDS_IN_DAY - 1 })];
    const note = found(
      'nfse',
      ofDay.find((one) => one.number === number && one.issuer.id === issuer),
    );
    const content = `<Conteudo>${nfseXml(note, service.now())}</Conteudo><Pdf>${nfsePdf(note)}</Pdf>`;
    return { pieces: [`<NFSe NumeroDocumento="${number}">${content}</NFSe>`], quantity: 1 };
  });
};

function lineValues(service: DocumentsService, note: Nfe): Values {
  const isVoid = service.eventsOf(note).some(({ code }) => code === '110111');
  return {
    ...issuedValues(note),
    ...partyValues(note.recipient, 'to'),
    type: note.isEntry ? '0' : '1',
    situation: isVoid ? '3' : '1',
    status: isVoid ? 'Cancelada' : 'Autorizada',
    total: formatCents(nfeContent(note).total),
  };
}

const SUMMARIES_PER_PAGE = 50;

export const listNfeSummaries: Operation = (...call) => {
  const [service, text] = call;
  const page = Number(text('pagina'));
  if (page < 1) throw new Refused("O parâmetro 'pagina' começa em 1.");
  return enveloped(service, 'retResumos', () => {
    const notes = [...service.nfe.select(selectionOf('nfe', 'issue', ...call))];
    const onPage = notes.slice((page - 1) * SUMMARIES_PER_PAGE, page * SUMMARIES_PER_PAGE);
    const pages = String(Math.ceil(notes.length / SUMMARIES_PER_PAGE));
    return {
      ...listed(onPage, (note) => part('summary', lineValues(service, note))),
      page: { page: String(page), pages, total: String(notes.length) },
    };
  });
};

/** Lists covers by the key in `capa` (the period may then be empty), else by period. */
export const listNfeCovers: Operation = (...call) => {
  const [service, text] = call;
  return enveloped(service, 'retCapas', () => {
    const key = text('capa');
    const notes = key ? [noteOf(service, key)] : service.nfe.select(selectionOf('nfe', 'issue', ...call));
    return listed(notes, (note) => part('cover', lineValues(service, note)));
  });
};

export const listProductClassifications: Operation = (service, text) =>
  enveloped(service, 'retClassificacoes', () => {
    const items = itemXmls(noteOf(service, text('chaveNfe'))).map((item, at) => {
      const leaves = item.matchAll(/<(cProd|xProd|NCM|CEST|CFOP|CSOSN|CST)>([^<]+)</g);
      const first = [...leaves].reverse().map(([, name = '', text = '']) => [name, unescapeXml(text)]);
      const values: Values = Object.fromEntries(first);
      return part('product', { ...values, item: String(at + 1), situation: values.CSOSN ?? values.CST });
    });
    return listed(items, (item) => item);
  });

/** Renews a shared-access address, valid for an hour. */
export const renewUrl: Operation = ({ seed, now }, text) => {
  const old = text('oldUrl');
  const url = URL.canParse(old) ? new URL(old) : undefined;
  if (!url?.searchParams.has('sig')) throw new Refused('A URL informada não é de um arquivo deste serviço.');
  const expiry = isoMoment(now() + SECONDS_IN_HOUR);
  url.searchParams.set('se', expiry);
  url.searchParams.set('sig', createRandom(seed, url.pathname, expiry).digits(32));
  return quotedReply([url.href]);
};
