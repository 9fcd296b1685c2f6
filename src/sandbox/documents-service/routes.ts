import { documentsCredentials } from '../credentials.ts';
import { isoMoment, SECONDS_IN_HOUR } from '../data/calendar.ts';
import { createRandom } from '../data/random.ts';
import { jsonReply, quotedReply, type Reply, reply, type SandboxRequest } from '../http.ts';
import { BadRequest } from './inputs.ts';
import {
  approvedKeys,
  cte,
  documentsOf,
  downloadCteXml,
  downloadDanfe,
  downloadNfeXml,
  downloadNfse,
  keysOf,
  listNfeCovers,
  listNfeSummaries,
  listProductClassifications,
  nfe,
  nfse,
  type Operation,
  queueOf,
} from './operations.ts';
import type { DocumentsService, Inputs } from './service.ts';

/** How a query parameter's value is read. */
type WireType = 'string' | 'integer';

const CREDENTIALS = { usuario: 'string', senha: 'string' } as const;
const PERIOD = {
  ...CREDENTIALS,
  cnpj: 'string',
  dataDe: 'string',
  horaDe: 'string',
  dataAte: 'string',
  horaAte: 'string',
} as const;
const PERIOD_AND_TYPE = { ...PERIOD, tipo: 'string' } as const;
const EVENT = { ...CREDENTIALS, evento: 'string' } as const;
const EVENTS = { ...CREDENTIALS, eventos: 'string' } as const;
const NFE = { ...CREDENTIALS, chaveNfe: 'string' } as const;
const NFSE = {
  ...CREDENTIALS,
  numeroDocumento: 'string',
  dataEmissaoDocumento: 'string',
  cnpjEmissorDocumento: 'string',
} as const;
const QUEUE = { ...CREDENTIALS, companhia: 'integer', estabelecimento: 'integer' } as const;

/** An operation of the service: method, controller and action below `/API/`, parameters, and what answers it. */
interface Route {
  readonly method: 'GET' | 'POST';
  readonly operation: string;
  readonly parameters: Readonly<Record<string, WireType>>;
  readonly answer: Operation;
}

function get(operation: string, parameters: Route['parameters'], answer: Operation): Route {
  return { method: 'GET', operation, parameters, answer };
}

function post(operation: string, parameters: Route['parameters'], answer: Operation): Route {
  return { method: 'POST', operation, parameters, answer };
}

/** Shared-access addresses are good for an hour. */
function renewUrl({ books, now }: DocumentsService, inputs: Inputs): Reply {
  const old = inputs.text('oldUrl');
  const url = URL.canParse(old) ? new URL(old) : undefined;
  if (!url?.searchParams.has('sig'))
    throw new BadRequest('A URL informada não é de um arquivo deste serviço.');
  const expiry = isoMoment(now() + SECONDS_IN_HOUR);
  url.searchParams.set('se', expiry);
  url.searchParams.set('sig', createRandom(books.seed, url.pathname, expiry).digits(32));
  return quotedReply([url.href]);
}

/** The 33 operations of the documents service. Source: docs/upstream-services.md. */
export const routes: readonly Route[] = [
  get('ConsumoWS/ConectividadeWS', {}, () => quotedReply(['Conectado'])),
  get('ConsumoWS/Login', CREDENTIALS, () => jsonReply(200, 1)),
  get('ConsumoWS/RetornaNovaUrlSaS', { oldUrl: 'string' }, renewUrl),
  get('Mercadoria/PesquisarStatusEvento', EVENT, ({ manifestations }, inputs) =>
    jsonReply(200, manifestations.status(inputs.text('evento'), inputs.text('usuario'))),
  ),
  post('Mercadoria/RealizarManifesto', EVENT, ({ manifestations }, inputs) =>
    jsonReply(200, manifestations.register(inputs.text('evento'), inputs.text('usuario'))),
  ),
  post('Mercadoria/RealizarLoteManifesto', EVENTS, ({ manifestations }, inputs) =>
    jsonReply(200, manifestations.registerBatch(inputs.text('eventos'), inputs.text('usuario'))),
  ),
  get('Mercadoria/DownloadXml', NFE, downloadNfeXml),
  get('Mercadoria/DownloadPdfNfe', NFE, downloadDanfe),
  get('Mercadoria/RetornaChaves', PERIOD, keysOf(nfe, 'issue', false)),
  get('Mercadoria/RetornaChavesPelaDataEntrada', PERIOD, keysOf(nfe, 'entry', false)),
  get('Mercadoria/RetornaChavesPelaEmissao', PERIOD, keysOf(nfe, 'issue', false)),
  get('Mercadoria/RetornaResumos', { ...PERIOD, pagina: 'integer' }, listNfeSummaries),
  get('Mercadoria/RetornaClassificacoesProdutos', NFE, listProductClassifications),
  get('Mercadoria/RetornaListaXml', PERIOD, documentsOf(nfe, 'issue')),
  get('Mercadoria/RetornaListaXmlPelaEmissao', PERIOD, documentsOf(nfe, 'issue')),
  get('Mercadoria/RetornaListaXmlPelaEmissaoPorTipo', PERIOD_AND_TYPE, documentsOf(nfe, 'issue', true)),
  get('Mercadoria/RetornaListaXmlPelaEntradaPorTipo', PERIOD_AND_TYPE, documentsOf(nfe, 'entry', true)),
  get('Mercadoria/RetornarChavesIntegracao', QUEUE, queueOf(nfe, false)),
  get('Mercadoria/RetornaCapas', { ...PERIOD_AND_TYPE, capa: 'string' }, listNfeCovers),
  get('Servico/DownloadNfse', NFSE, downloadNfse),
  get('Servico/RetornaListaXmlPelaEntrada', PERIOD, documentsOf(nfse, 'entry')),
  get('Servico/RetornaListaXmlPelaEmissao', PERIOD, documentsOf(nfse, 'issue')),
  get('Servico/RetornaChavesPelaEntrada', PERIOD_AND_TYPE, keysOf(nfse, 'entry', true)),
  get('Servico/RetornaChavesPelaEmissao', PERIOD_AND_TYPE, keysOf(nfse, 'issue', true)),
  get('Servico/RetornaChavesAprovadasPelaEntrada', PERIOD_AND_TYPE, approvedKeys('entry')),
  get('Servico/RetornaChavesNFSeAprovadasPelaEmissao', PERIOD_AND_TYPE, approvedKeys('issue')),
  get('Transporte/RetornaChavesPorTipo', PERIOD_AND_TYPE, keysOf(cte, 'issue', true)),
  get('Transporte/RetornaListaXmlPelaEmissao', PERIOD, documentsOf(cte, 'issue')),
  get('Transporte/RetornaListaXmlPelaEmissaoPorTipo', PERIOD_AND_TYPE, documentsOf(cte, 'issue', true)),
  get('Transporte/RetornaListaXmlPelaEntrada', PERIOD, documentsOf(cte, 'entry')),
  get('Transporte/RetornaListaXmlPelaEntradaPorTipo', PERIOD_AND_TYPE, documentsOf(cte, 'entry', true)),
  get('Transporte/DownloadXml', { ...CREDENTIALS, chaveCTe: 'string' }, downloadCteXml),
  get('Transporte/RetornarChavesIntegracao', { ...QUEUE, tipo: 'integer' }, queueOf(cte, true)),
];

const LONGEST_TARGET = 2_048;
const INTEGER = /^\s*[+-]?\d{1,10}\s*$/;
const LARGEST_INTEGER = 2_147_483_647;

function message(status: number, text: string, detail?: string): Reply {
  return jsonReply(status, { Message: text, ...(detail === undefined ? {} : { MessageDetail: detail }) });
}

function tooLong(): Reply {
  const page =
    '<!DOCTYPE html><html><head><title>404 - File or directory not found.</title></head>' +
    '<body><h2>HTTP Error 404.15 - Not Found</h2>' +
    '<h3>The request filtering module is configured to deny a request where the query string is too long.</h3>' +
    '</body></html>';
  return reply(404, 'text/html', page);
}

function notFound(request: SandboxRequest, detail: string): Reply {
  const address = `http://${request.headers.host ?? 'localhost'}${request.path}`;
  return message(404, `No HTTP resource was found that matches the request URI '${address}'.`, detail);
}

/** Values by parameter name in lower case; the service does not mind the case of a name. */
function valuesOf(query: URLSearchParams): Map<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of query) {
    if (!values.has(name.toLowerCase())) values.set(name.toLowerCase(), value);
  }
  return values;
}

function isInteger(text: string): boolean {
  return INTEGER.test(text) && Math.abs(Number(text)) <= LARGEST_INTEGER;
}

function badInteger(route: Route, values: Map<string, string>): string | undefined {
  const integers = Object.keys(route.parameters).filter((name) => route.parameters[name] === 'integer');
  return integers.find((name) => !isInteger(values.get(name.toLowerCase()) ?? ''));
}

function inputsOf(values: Map<string, string>): Inputs {
  function text(name: string): string {
    const value = values.get(name.toLowerCase());
    if (value === undefined) throw new RangeError(`no parameter ${name}`);
    return value;
  }
  return { text, integer: (name) => Number(text(name)) };
}

function authorized(inputs: Inputs): boolean {
  const { user, password } = documentsCredentials;
  return inputs.text('usuario') === user && inputs.text('senha') === password;
}

async function perform({ answer }: Route, service: DocumentsService, inputs: Inputs): Promise<Reply> {
  try {
    return await answer(service, inputs);
  } catch (error) {
    if (error instanceof BadRequest) return message(400, error.message);
    throw error;
  }
}

/** Answers a request below `/API/`: the action is selected by path, method and parameter names. */
export function callDocumentsService(
  request: SandboxRequest,
  service: DocumentsService,
): Reply | Promise<Reply> {
  if (request.targetLength > LONGEST_TARGET) return tooLong();
  const route = routes.find(
    ({ operation }) => `/api/${operation}`.toLowerCase() === request.path.toLowerCase(),
  );
  if (!route) {
    const controller = request.path.split('/')[2] ?? '';
    return notFound(
      request,
      `No action was found on the controller '${controller}' that matches the request.`,
    );
  }
  if (request.method !== route.method) {
    return message(405, `The requested resource does not support http method '${request.method}'.`);
  }
  const values = valuesOf(request.query);
  const [controller] = route.operation.split('/');
  if (!Object.keys(route.parameters).every((name) => values.has(name.toLowerCase()))) {
    return notFound(
      request,
      `No action was found on the controller '${controller}' that matches the request.`,
    );
  }
  const wrong = badInteger(route, values);
  if (wrong !== undefined) {
    const detail = `The parameters dictionary contains an invalid entry for parameter '${wrong}' of type 'System.Int32'.`;
    return message(400, 'The request is invalid.', detail);
  }
  const inputs = inputsOf(values);
  if ('usuario' in route.parameters && !authorized(inputs)) {
    if (route.operation === 'ConsumoWS/Login') return jsonReply(200, 0);
    return message(401, 'Authorization has been denied for this request.');
  }
  return perform(route, service, inputs);
}
