import { jsonReply, quotedReply, type Reply, type SandboxRequest } from '../server.ts';
import { register, registerBatch, statusOf } from './manifestations.ts';
import {
  type DocumentsService,
  documentsOf,
  downloadDanfe,
  downloadNfse,
  downloadOf,
  keysOf,
  listNfeCovers,
  listNfeSummaries,
  listProductClassifications,
  type Operation,
  queueOf,
  Refused,
  renewUrl,
} from './operations.ts';

/** Credentials of the documents service. */
export const documentsCredentials = { user: 'demo', password: 'demo' } as const;

/** Type of each query parameter. */
type Parameters = Readonly<Record<string, 'string' | 'integer'>>;

const texts = (names: string): Parameters =>
  Object.fromEntries(names.split(' ').map((one) => [one, 'string']));
const CREDENTIALS = texts('usuario senha');
const PERIOD = texts('usuario senha cnpj dataDe horaDe dataAte horaAte');
const TYPED: Parameters = { ...PERIOD, tipo: 'string' };
const EVENT = texts('usuario senha evento');
const NFE = texts('usuario senha chaveNfe');
const CTE = texts('usuario senha chaveCTe');
const NFSE = texts('usuario senha numeroDocumento dataEmissaoDocumento cnpjEmissorDocumento');
const QUEUE: Parameters = { ...CREDENTIALS, companhia: 'integer', estabelecimento: 'integer' };

/** The 33 operations of the documents service, all GET except the two writes. Source: docs/upstream-services.md. */
const operations: readonly (readonly [operation: string, parameters: Parameters, answer: Operation])[] = [
  ['ConsumoWS/ConectividadeWS', {}, () => quotedReply(['Conectado'])],
  ['ConsumoWS/Login', CREDENTIALS, () => jsonReply(200, 1)],
  ['ConsumoWS/RetornaNovaUrlSaS', texts('oldUrl'), renewUrl],
  ['Mercadoria/PesquisarStatusEvento', EVENT, statusOf],
  ['Mercadoria/RealizarManifesto', EVENT, register],
  ['Mercadoria/RealizarLoteManifesto', texts('usuario senha eventos'), registerBatch],
  ['Mercadoria/DownloadXml', NFE, downloadOf('nfe', 'retDownloadNFe', 'chaveNfe')],
  ['Mercadoria/DownloadPdfNfe', NFE, downloadDanfe],
  ['Mercadoria/RetornaChaves', PERIOD, keysOf('nfe', 'issue')],
  ['Mercadoria/RetornaChavesPelaDataEntrada', PERIOD, keysOf('nfe', 'entry')],
  ['Mercadoria/RetornaChavesPelaEmissao', PERIOD, keysOf('nfe', 'issue')],
  ['Mercadoria/RetornaResumos', { ...PERIOD, pagina: 'integer' }, listNfeSummaries],
  ['Mercadoria/RetornaClassificacoesProdutos', NFE, listProductClassifications],
  ['Mercadoria/RetornaListaXml', PERIOD, documentsOf('nfe', 'issue')],
  ['Mercadoria/RetornaListaXmlPelaEmissao', PERIOD, documentsOf('nfe', 'issue')],
  ['Mercadoria/RetornaListaXmlPelaEmissaoPorTipo', TYPED, documentsOf('nfe', 'issue')],
  ['Mercadoria/RetornaListaXmlPelaEntradaPorTipo', TYPED, documentsOf('nfe', 'entry')],
  ['Mercadoria/RetornarChavesIntegracao', QUEUE, queueOf('nfe')],
  ['Mercadoria/RetornaCapas', { ...TYPED, capa: 'string' }, listNfeCovers],
  ['Servico/DownloadNfse', NFSE, downloadNfse],
  ['Servico/RetornaListaXmlPelaEntrada', PERIOD, documentsOf('nfse', 'entry')],
  ['Servico/RetornaListaXmlPelaEmissao', PERIOD, documentsOf('nfse', 'issue')],
  ['Servico/RetornaChavesPelaEntrada', TYPED, keysOf('nfse', 'entry')],
  ['Servico/RetornaChavesPelaEmissao', TYPED, keysOf('nfse', 'issue')],
  ['Servico/RetornaChavesAprovadasPelaEntrada', TYPED, keysOf('nfse', 'entry', 'approved')],
  ['Servico/RetornaChavesNFSeAprovadasPelaEmissao', TYPED, keysOf('nfse', 'issue', 'approved')],
  ['Transporte/RetornaChavesPorTipo', TYPED, keysOf('cte', 'issue')],
  ['Transporte/RetornaListaXmlPelaEmissao', PERIOD, documentsOf('cte', 'issue')],
  ['Transporte/RetornaListaXmlPelaEmissaoPorTipo', TYPED, documentsOf('cte', 'issue')],
  ['Transporte/RetornaListaXmlPelaEntrada', PERIOD, documentsOf('cte', 'entry')],
  ['Transporte/RetornaListaXmlPelaEntradaPorTipo', TYPED, documentsOf('cte', 'entry')],
  ['Transporte/DownloadXml', CTE, downloadOf('cte', 'retDownloadCTe', 'chaveCTe')],
  ['Transporte/RetornarChavesIntegracao', { ...QUEUE, tipo: 'integer' }, queueOf('cte')],
];

export const routes = operations.map(([operation, parameters, answer]) => {
  const method = operation.startsWith('Mercadoria/Realizar') ? 'POST' : 'GET';
  return { method, operation, parameters, answer };
});

const LONGEST_TARGET = 2_048;

const message = (status: number, Message: string, MessageDetail?: string) =>
  jsonReply(status, { Message, MessageDetail });

function noAction({ host, path }: SandboxRequest): Reply {
  const detail = `No action was found on the controller '${path.split('/')[2] ?? ''}' that matches the request.`;
  const uri = `http://${host}${path}`;
  return message(404, `No HTTP resource was found that matches the request URI '${uri}'.`, detail);
}

/** Answers a request below `/API/`: path, method and parameter names select the operation. */
export async function callDocumentsService(
  request: SandboxRequest,
  service: DocumentsService,
): Promise<Reply> {
  if (request.targetLength > LONGEST_TARGET)
    return { status: 404, headers: { 'content-type': 'text/html' }, body: '<h2>HTTP Error 404.15</h2>' };
  const path = request.path.toLowerCase();
  const route = routes.find(({ operation }) => `/api/${operation}`.toLowerCase() === path);
  if (!route) return noAction(request);
  const { method, operation, parameters, answer } = route;
  if (request.method !== method)
    return message(405, `The requested resource does not support http method '${request.method}'.`);
  // Names are case-insensitive; the first of several values wins.
  const values = new Map([...request.query].reverse().map(([name, value]) => [name.toLowerCase(), value]));
  const text = (name: string) => values.get(name.toLowerCase()) ?? '';
  const names = Object.keys(parameters);
  if (!names.every((name) => values.has(name.toLowerCase()))) return noAction(request);
  const isWhole = (name: string) => /^\s*[+-]?\d{1,9}\s*$/.test(text(name));
  const wrong = names.find((name) => parameters[name] === 'integer' && !isWhole(name));
  if (wrong !== undefined) {
    const detail = `The parameters dictionary contains an invalid entry for parameter '${wrong}' of type 'System.Int32'.`;
    return message(400, 'The request is invalid.', detail);
  }
  const { user, password } = documentsCredentials;
  if (names.includes('usuario') && (text('usuario') !== user || text('senha') !== password)) {
    if (operation === 'ConsumoWS/Login') return jsonReply(200, 0);
    return message(401, 'Authorization has been denied for this request.');
  }
  try {
    return await answer(service, text, names.includes('tipo'));
  } catch (error) {
    if (error instanceof Refused) return message(400, error.message);
    throw error;
  }
}
