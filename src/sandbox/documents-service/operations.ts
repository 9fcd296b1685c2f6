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
import type { OperationName } from './routes.ts';
import type { Listing } from './selections.ts';
import type { DocumentsService, Inputs } from './service.ts';

/** An operation, called with credentials that are right where its route has any. */
export type Operation = (service: DocumentsService, inputs: Inputs) => Answer | Promise<Answer>;

const byIssue: Listing = { by: 'issue', typed: false };
const byEntry: Listing = { by: 'entry', typed: false };
const byIssueAndType: Listing = { by: 'issue', typed: true };
const byEntryAndType: Listing = { by: 'entry', typed: true };

function renewUrl(service: DocumentsService, inputs: Inputs): Answer {
  const url = service.sharedAccess.renew(inputs.text('oldUrl'));
  if (url === undefined) throw new BadRequest('A URL informada não é de um arquivo deste serviço.');
  return textAnswer(url);
}

export const operations: Readonly<Record<OperationName, Operation>> = {
  'ConsumoWS/ConectividadeWS': () => textAnswer('Conectado'),
  'ConsumoWS/Login': ({ replyForm }) => valueAnswer(replyForm().login === 'null' ? null : 1),
  'ConsumoWS/RetornaNovaUrlSaS': renewUrl,

  'Mercadoria/PesquisarStatusEvento': ({ manifestations }, inputs) =>
    valueAnswer(manifestations.status(inputs.text('evento'), inputs.text('usuario'))),
  'Mercadoria/RealizarManifesto': ({ manifestations }, inputs) =>
    valueAnswer(manifestations.register(inputs.text('evento'), inputs.text('usuario'))),
  'Mercadoria/RealizarLoteManifesto': ({ manifestations }, inputs) =>
    valueAnswer(manifestations.registerBatch(inputs.text('eventos'), inputs.text('usuario'))),

  'Mercadoria/DownloadXml': downloadNfeXml,
  'Mercadoria/DownloadPdfNfe': downloadDanfe,
  'Mercadoria/RetornaChaves': (service, inputs) => listNfeKeys(service, inputs, 'issue'),
  'Mercadoria/RetornaChavesPelaDataEntrada': (service, inputs) => listNfeKeys(service, inputs, 'entry'),
  'Mercadoria/RetornaChavesPelaEmissao': (service, inputs) => listNfeKeys(service, inputs, 'issue'),
  'Mercadoria/RetornaResumos': listNfeSummaries,
  'Mercadoria/RetornaClassificacoesProdutos': listProductClassifications,
  'Mercadoria/RetornaListaXml': (service, inputs) => listNfeXml(service, inputs, byIssue),
  'Mercadoria/RetornaListaXmlPelaEmissao': (service, inputs) => listNfeXml(service, inputs, byIssue),
  'Mercadoria/RetornaListaXmlPelaEmissaoPorTipo': (service, inputs) =>
    listNfeXml(service, inputs, byIssueAndType),
  'Mercadoria/RetornaListaXmlPelaEntradaPorTipo': (service, inputs) =>
    listNfeXml(service, inputs, byEntryAndType),
  'Mercadoria/RetornarChavesIntegracao': listNfeIntegrationKeys,
  'Mercadoria/RetornaCapas': listNfeCovers,

  'Servico/DownloadNfse': downloadNfse,
  'Servico/RetornaListaXmlPelaEntrada': (service, inputs) => listNfseXml(service, inputs, 'entry'),
  'Servico/RetornaListaXmlPelaEmissao': (service, inputs) => listNfseXml(service, inputs, 'issue'),
  'Servico/RetornaChavesPelaEntrada': (service, inputs) => listNfseKeys(service, inputs, 'entry', 'all'),
  'Servico/RetornaChavesPelaEmissao': (service, inputs) => listNfseKeys(service, inputs, 'issue', 'all'),
  'Servico/RetornaChavesAprovadasPelaEntrada': (service, inputs) =>
    listNfseKeys(service, inputs, 'entry', 'approved'),
  'Servico/RetornaChavesNFSeAprovadasPelaEmissao': (service, inputs) =>
    listNfseKeys(service, inputs, 'issue', 'approved'),

  'Transporte/RetornaChavesPorTipo': listCteKeys,
  'Transporte/RetornaListaXmlPelaEmissao': (service, inputs) => listCteXml(service, inputs, byIssue),
  'Transporte/RetornaListaXmlPelaEmissaoPorTipo': (service, inputs) =>
    listCteXml(service, inputs, byIssueAndType),
  'Transporte/RetornaListaXmlPelaEntrada': (service, inputs) => listCteXml(service, inputs, byEntry),
  'Transporte/RetornaListaXmlPelaEntradaPorTipo': (service, inputs) =>
    listCteXml(service, inputs, byEntryAndType),
  'Transporte/DownloadXml': downloadCteXml,
  'Transporte/RetornarChavesIntegracao': listCteIntegrationKeys,
};
