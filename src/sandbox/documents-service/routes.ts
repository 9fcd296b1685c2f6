import { type Answer, textAnswer, valueAnswer } from './answers.ts';
import { downloadCteXml, listCteIntegrationKeys, listCteKeys, listCteXml } from './cte-operations.ts';
import {
  downloadDanfe,
  downloadNfeXml,
  listNfeCovers,
  listNfeIntegrationKeys,
  listNfeKeys,
  listNfeSummaries,
  listNfeXml,
  listProductClassifications,
} from './nfe-operations.ts';
import { downloadNfse, listNfseKeys, listNfseXml } from './nfse-operations.ts';
import { BadRequest } from './refusals.ts';
import type { Listing } from './selections.ts';
import type { DocumentsService, Inputs } from './service.ts';

/** How a query parameter's value is read. */
export type WireType = 'string' | 'integer';

/** An operation, called with credentials that are right where its route has any. */
export type Operation = (service: DocumentsService, inputs: Inputs) => Answer | Promise<Answer>;

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
const NFE = { ...CREDENTIALS, chaveNfe: 'string' } as const;
const QUEUE = { ...CREDENTIALS, companhia: 'integer', estabelecimento: 'integer' } as const;

/** An operation of the service: method, controller and action below `/API/`, parameters, and what answers it. */
export interface Route {
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

const byIssue: Listing = { by: 'issue', typed: false };
const byEntry: Listing = { by: 'entry', typed: false };
const byIssueAndType: Listing = { by: 'issue', typed: true };
const byEntryAndType: Listing = { by: 'entry', typed: true };

function renewUrl(service: DocumentsService, inputs: Inputs): Answer {
  const url = service.sharedAccess.renew(inputs.text('oldUrl'));
  if (url === undefined) throw new BadRequest('A URL informada não é de um arquivo deste serviço.');
  return textAnswer(url);
}

/** The 33 operations of the documents service. Source: docs/upstream-services.md. */
export const routes: readonly Route[] = [
  get('ConsumoWS/ConectividadeWS', {}, () => textAnswer('Conectado')),
  get('ConsumoWS/Login', CREDENTIALS, ({ replyForm }) =>
    valueAnswer(replyForm().login === 'null' ? null : 1),
  ),
  get('ConsumoWS/RetornaNovaUrlSaS', { oldUrl: 'string' }, renewUrl),
  get('Mercadoria/PesquisarStatusEvento', EVENT, ({ manifestations }, inputs) =>
    valueAnswer(manifestations.status(inputs.text('evento'), inputs.text('usuario'))),
  ),
  post('Mercadoria/RealizarManifesto', EVENT, ({ manifestations }, inputs) =>
    valueAnswer(manifestations.register(inputs.text('evento'), inputs.text('usuario'))),
  ),
  post(
    'Mercadoria/RealizarLoteManifesto',
    { ...CREDENTIALS, eventos: 'string' },
    ({ manifestations }, inputs) =>
      valueAnswer(manifestations.registerBatch(inputs.text('eventos'), inputs.text('usuario'))),
  ),
  get('Mercadoria/DownloadXml', NFE, downloadNfeXml),
  get('Mercadoria/DownloadPdfNfe', NFE, downloadDanfe),
  get('Mercadoria/RetornaChaves', PERIOD, (service, inputs) => listNfeKeys(service, inputs, 'issue')),
  get('Mercadoria/RetornaChavesPelaDataEntrada', PERIOD, (service, inputs) =>
    listNfeKeys(service, inputs, 'entry'),
  ),
  get('Mercadoria/RetornaChavesPelaEmissao', PERIOD, (service, inputs) =>
    listNfeKeys(service, inputs, 'issue'),
  ),
  get('Mercadoria/RetornaResumos', { ...PERIOD, pagina: 'integer' }, listNfeSummaries),
  get('Mercadoria/RetornaClassificacoesProdutos', NFE, listProductClassifications),
  get('Mercadoria/RetornaListaXml', PERIOD, (service, inputs) => listNfeXml(service, inputs, byIssue)),
  get('Mercadoria/RetornaListaXmlPelaEmissao', PERIOD, (service, inputs) =>
    listNfeXml(service, inputs, byIssue),
  ),
  get('Mercadoria/RetornaListaXmlPelaEmissaoPorTipo', PERIOD_AND_TYPE, (service, inputs) =>
    listNfeXml(service, inputs, byIssueAndType),
  ),
  get('Mercadoria/RetornaListaXmlPelaEntradaPorTipo', PERIOD_AND_TYPE, (service, inputs) =>
    listNfeXml(service, inputs, byEntryAndType),
  ),
  get('Mercadoria/RetornarChavesIntegracao', QUEUE, listNfeIntegrationKeys),
  get('Mercadoria/RetornaCapas', { ...PERIOD_AND_TYPE, capa: 'string' }, listNfeCovers),
  get(
    'Servico/DownloadNfse',
    {
      ...CREDENTIALS,
      numeroDocumento: 'string',
      dataEmissaoDocumento: 'string',
      cnpjEmissorDocumento: 'string',
    },
    downloadNfse,
  ),
  get('Servico/RetornaListaXmlPelaEntrada', PERIOD, (service, inputs) =>
    listNfseXml(service, inputs, 'entry'),
  ),
  get('Servico/RetornaListaXmlPelaEmissao', PERIOD, (service, inputs) =>
    listNfseXml(service, inputs, 'issue'),
  ),
  get('Servico/RetornaChavesPelaEntrada', PERIOD_AND_TYPE, (service, inputs) =>
    listNfseKeys(service, inputs, 'entry', 'all'),
  ),
  get('Servico/RetornaChavesPelaEmissao', PERIOD_AND_TYPE, (service, inputs) =>
    listNfseKeys(service, inputs, 'issue', 'all'),
  ),
  get('Servico/RetornaChavesAprovadasPelaEntrada', PERIOD_AND_TYPE, (service, inputs) =>
    listNfseKeys(service, inputs, 'entry', 'approved'),
  ),
  get('Servico/RetornaChavesNFSeAprovadasPelaEmissao', PERIOD_AND_TYPE, (service, inputs) =>
    listNfseKeys(service, inputs, 'issue', 'approved'),
  ),
  get('Transporte/RetornaChavesPorTipo', PERIOD_AND_TYPE, listCteKeys),
  get('Transporte/RetornaListaXmlPelaEmissao', PERIOD, (service, inputs) =>
    listCteXml(service, inputs, byIssue),
  ),
  get('Transporte/RetornaListaXmlPelaEmissaoPorTipo', PERIOD_AND_TYPE, (service, inputs) =>
    listCteXml(service, inputs, byIssueAndType),
  ),
  get('Transporte/RetornaListaXmlPelaEntrada', PERIOD, (service, inputs) =>
    listCteXml(service, inputs, byEntry),
  ),
  get('Transporte/RetornaListaXmlPelaEntradaPorTipo', PERIOD_AND_TYPE, (service, inputs) =>
    listCteXml(service, inputs, byEntryAndType),
  ),
  get('Transporte/DownloadXml', { ...CREDENTIALS, chaveCTe: 'string' }, downloadCteXml),
  get('Transporte/RetornarChavesIntegracao', { ...QUEUE, tipo: 'integer' }, listCteIntegrationKeys),
];
