/**
 * The project's own copy of the contract's facts. A parameter with `#` is an integer, any other text; `period` stands for
 * the five parameters of one.
 */
const documents = `
GET /API/ConsumoWS/ConectividadeWS
GET /API/ConsumoWS/Login usuario senha
GET /API/ConsumoWS/RetornaNovaUrlSaS oldUrl
GET /API/Mercadoria/PesquisarStatusEvento usuario senha evento
POST /API/Mercadoria/RealizarManifesto usuario senha evento
POST /API/Mercadoria/RealizarLoteManifesto usuario senha eventos
GET /API/Mercadoria/DownloadXml usuario senha chaveNfe
GET /API/Mercadoria/DownloadPdfNfe usuario senha chaveNfe
GET /API/Mercadoria/RetornaChaves usuario senha period
GET /API/Mercadoria/RetornaChavesPelaDataEntrada usuario senha period
GET /API/Mercadoria/RetornaChavesPelaEmissao usuario senha period
GET /API/Mercadoria/RetornaResumos usuario senha period pagina#
GET /API/Mercadoria/RetornaClassificacoesProdutos usuario senha chaveNfe
GET /API/Mercadoria/RetornaListaXml usuario senha period
GET /API/Mercadoria/RetornaListaXmlPelaEmissao usuario senha period
GET /API/Mercadoria/RetornaListaXmlPelaEmissaoPorTipo usuario senha period tipo
GET /API/Mercadoria/RetornaListaXmlPelaEntradaPorTipo usuario senha period tipo
GET /API/Mercadoria/RetornarChavesIntegracao usuario senha companhia# estabelecimento#
GET /API/Mercadoria/RetornaCapas usuario senha period tipo capa
GET /API/Servico/DownloadNfse usuario senha numeroDocumento dataEmissaoDocumento cnpjEmissorDocumento
GET /API/Servico/RetornaListaXmlPelaEntrada usuario senha period
GET /API/Servico/RetornaListaXmlPelaEmissao usuario senha period
GET /API/Servico/RetornaChavesPelaEntrada usuario senha period tipo
GET /API/Servico/RetornaChavesPelaEmissao usuario senha period tipo
GET /API/Servico/RetornaChavesAprovadasPelaEntrada usuario senha period tipo
GET /API/Servico/RetornaChavesNFSeAprovadasPelaEmissao usuario senha period tipo
GET /API/Transporte/RetornaChavesPorTipo usuario senha period tipo
GET /API/Transporte/RetornaListaXmlPelaEmissao usuario senha period
GET /API/Transporte/RetornaListaXmlPelaEmissaoPorTipo usuario senha period tipo
GET /API/Transporte/RetornaListaXmlPelaEntrada usuario senha period
GET /API/Transporte/RetornaListaXmlPelaEntradaPorTipo usuario senha period tipo
GET /API/Transporte/DownloadXml usuario senha chaveCTe
GET /API/Transporte/RetornarChavesIntegracao usuario senha companhia# estabelecimento# tipo#
`;

const account = `
PUT /api/v2/companies/{companyId}/settings/{id} SettingModel
PUT /api/v2/accounts/{accountId}/subscriptions/{id} SubscriptionModel
`;

const PERIOD = 'cnpj dataDe horaDe dataAte horaAte';

export interface DescribedOperation {
  readonly method: string;
  readonly path: string;
  /** Query parameters, or the ids in the path, in the contract's order. */
  readonly parameters: Readonly<Record<string, string>>;
}

const rows = (table: string) => table.trim().split('\n');

/** The operations of the documents service. */
export const documentOperations = rows(documents).map((row): DescribedOperation => {
  const [method = '', path = '', ...names] = row.replace('period', PERIOD).split(' ');
  const typed = names.map((name) => [name.replace('#', ''), name.endsWith('#') ? 'integer' : 'string']);
  return { method, path, parameters: Object.fromEntries(typed) };
});

/** Those of the account service, with the name of the model in the body. */
export const accountOperations = rows(account).map((row): DescribedOperation & { readonly body: string } => {
  const [method = '', path = '', body = ''] = row.split(' ');
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, 'integer']);
  return { method, path, body, parameters: Object.fromEntries(ids) };
});
