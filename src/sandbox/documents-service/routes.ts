import { jsonReply, quotedReply, type Reply, type SandboxRequest } from '../http.ts';
import {
  approvedKeys,
  cte,
  type DocumentsService,
  documentsOf,
  downloadCte,
  downloadDanfe,
  downloadNfe,
  downloadNfse,
  keysOf,
  listNfeCovers,
  listNfeSummaries,
  listProductClassifications,
  nfe,
  nfse,
  type Operation,
  queueOf,
  renewUrl,
} from './operations.ts';
import { BadRequest } from './periods.ts';

/** What the documents service lets in. */
export const documentsCredentials = { user: 'demo', password: 'demo' } as const;

const CREDENTIALS = { usuario: 'string', senha: 'string' } as const;
const PERIOD = {
  ...CREDENTIALS,
  cnpj: 'string',
  dataDe: 'string',
  horaDe: 'string',
  dataAte: 'string',
  horaAte: 'string',
} as const;
const TYPED = { ...PERIOD, tipo: 'string' } as const;
const EVENT = { ...CREDENTIALS, evento: 'string' } as const;
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
  /** How the value of each query parameter is read. */
  readonly parameters: Readonly<Record<string, 'string' | 'integer'>>;
  readonly answer: Operation;
}

function get(operation: string, parameters: Route['parameters'], answer: Operation): Route {
  return { method: 'GET', operation, parameters, answer };
}

function post(operation: string, parameters: Route['parameters'], answer: Operation): Route {
  return { method: 'POST', operation, parameters, answer };
}

/** The 33 operations of the documents service. Source: docs/upstream-services.md. */
export const routes: readonly Route[] = [
  get('ConsumoWS/ConectividadeWS', {}, () => quotedReply(['Conectado'])),
  get('ConsumoWS/Login', CREDENTIALS, () => jsonReply(200, 1)),
  get('ConsumoWS/RetornaNovaUrlSaS', { oldUrl: 'string' }, renewUrl),
  get('Mercadoria/PesquisarStatusEvento', EVENT, ({ manifestations }, text) =>
    jsonReply(200, manifestations.status(text('evento'), text('usuario'))),
  ),
  post('Mercadoria/RealizarManifesto', EVENT, ({ manifestations }, text) =>
    jsonReply(200, manifestations.register(text('evento'), text('usuario'))),
  ),
  post('Mercadoria/RealizarLoteManifesto', { ...CREDENTIALS, eventos: 'string' }, (service, text) =>
    jsonReply(200, service.manifestations.registerBatch(text('eventos'), text('usuario'))),
  ),
  get('Mercadoria/DownloadXml', NFE, downloadNfe),
  get('Mercadoria/DownloadPdfNfe', NFE, downloadDanfe),
  get('Mercadoria/RetornaChaves', PERIOD, keysOf(nfe, 'issue', false)),
  get('Mercadoria/RetornaChavesPelaDataEntrada', PERIOD, keysOf(nfe, 'entry', false)),
  get('Mercadoria/RetornaChavesPelaEmissao', PERIOD, keysOf(nfe, 'issue', false)),
  get('Mercadoria/RetornaResumos', { ...PERIOD, pagina: 'integer' }, listNfeSummaries),
  get('Mercadoria/RetornaClassificacoesProdutos', NFE, listProductClassifications),
  get('Mercadoria/RetornaListaXml', PERIOD, documentsOf(nfe, 'issue')),
  get('Mercadoria/RetornaListaXmlPelaEmissao', PERIOD, documentsOf(nfe, 'issue')),
  get('Mercadoria/RetornaListaXmlPelaEmissaoPorTipo', TYPED, documentsOf(nfe, 'issue', true)),
  get('Mercadoria/RetornaListaXmlPelaEntradaPorTipo', TYPED, documentsOf(nfe, 'entry', true)),
  get('Mercadoria/RetornarChavesIntegracao', QUEUE, queueOf(nfe, false)),
  get('Mercadoria/RetornaCapas', { ...TYPED, capa: 'string' }, listNfeCovers),
  get('Servico/DownloadNfse', NFSE, downloadNfse),
  get('Servico/RetornaListaXmlPelaEntrada', PERIOD, documentsOf(nfse, 'entry')),
  get('Servico/RetornaListaXmlPelaEmissao', PERIOD, documentsOf(nfse, 'issue')),
  get('Servico/RetornaChavesPelaEntrada', TYPED, keysOf(nfse, 'entry', true)),
  get('Servico/RetornaChavesPelaEmissao', TYPED, keysOf(nfse, 'issue', true)),
  get('Servico/RetornaChavesAprovadasPelaEntrada', TYPED, approvedKeys('entry')),
  get('Servico/RetornaChavesNFSeAprovadasPelaEmissao', TYPED, approvedKeys('issue')),
  get('Transporte/RetornaChavesPorTipo', TYPED, keysOf(cte, 'issue', true)),
  get('Transporte/RetornaListaXmlPelaEmissao', PERIOD, documentsOf(cte, 'issue')),
  get('Transporte/RetornaListaXmlPelaEmissaoPorTipo', TYPED, documentsOf(cte, 'issue', true)),
  get('Transporte/RetornaListaXmlPelaEntrada', PERIOD, documentsOf(cte, 'entry')),
  get('Transporte/RetornaListaXmlPelaEntradaPorTipo', TYPED, documentsOf(cte, 'entry', true)),
  get('Transporte/DownloadXml', { ...CREDENTIALS, chaveCTe: 'string' }, downloadCte),
  get('Transporte/RetornarChavesIntegracao', { ...QUEUE, tipo: 'integer' }, queueOf(cte, true)),
];

const LONGEST_TARGET = 2_048;

function message(status: number, Message: string, MessageDetail?: string): Reply {
  return jsonReply(status, { Message, MessageDetail });
}

function noAction({ host, path }: SandboxRequest): Reply {
  const detail = `No action was found on the controller '${path.split('/')[2] ?? ''}' that matches the request.`;
  return message(
    404,
    `No HTTP resource was found that matches the request URI 'http://${host}${path}'.`,
    detail,
  );
}

/** Answers a request below `/API/`: the action is selected by path, method and parameter names. */
export async function callDocumentsService(
  request: SandboxRequest,
  service: DocumentsService,
): Promise<Reply> {
  if (request.targetLength > LONGEST_TARGET)
    return { status: 404, headers: { 'content-type': 'text/html' }, body: '<h2>HTTP Error 404.15</h2>' };
  const path = request.path.toLowerCase();
  const route = routes.find(({ operation }) => `/api/${operation}`.toLowerCase() === path);
  if (!route) return noAction(request);
  if (request.method !== route.method)
    return message(405, `The requested resource does not support http method '${request.method}'.`);
  // The service does not mind the case of a name, and takes the first of several values.
  const values = new Map([...request.query].reverse().map(([name, value]) => [name.toLowerCase(), value]));
  const text = (name: string) => values.get(name.toLowerCase()) ?? '';
  const names = Object.keys(route.parameters);
  if (!names.every((name) => values.has(name.toLowerCase()))) return noAction(request);
  const wrong = names.find(
    (name) => route.parameters[name] === 'integer' && !/^\s*[+-]?\d{1,9}\s*$/.test(text(name)),
  );
  if (wrong !== undefined) {
    const detail = `The parameters dictionary contains an invalid entry for parameter '${wrong}' of type 'System.Int32'.`;
    return message(400, 'The request is invalid.', detail);
  }
  const { user, password } = documentsCredentials;
  if (names.includes('usuario') && (text('usuario') !== user || text('senha') !== password)) {
    if (route.operation === 'ConsumoWS/Login') return jsonReply(200, 0);
    return message(401, 'Authorization has been denied for this request.');
  }
  try {
    return await route.answer(service, text);
  } catch (error) {
    if (error instanceof BadRequest) return message(400, error.message);
    throw error;
  }
}
