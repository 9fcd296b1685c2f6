/** How a query parameter's value is read. */
export type WireType = 'string' | 'integer';

export interface Route {
  readonly method: 'GET' | 'POST';
  /** After `/API/`: controller and action. */
  readonly operation: string;
  readonly parameters: Readonly<Record<string, WireType>>;
}

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

function get<O extends string>(operation: O, parameters: Route['parameters']) {
  return { method: 'GET', operation, parameters } as const;
}

function post<O extends string>(operation: O, parameters: Route['parameters']) {
  return { method: 'POST', operation, parameters } as const;
}

/** The 33 operations of the documents service. Source: docs/upstream-services.md. */
export const routes = [
  get('ConsumoWS/ConectividadeWS', {}),
  get('ConsumoWS/Login', CREDENTIALS),
  get('ConsumoWS/RetornaNovaUrlSaS', { oldUrl: 'string' }),
  get('Mercadoria/PesquisarStatusEvento', EVENT),
  post('Mercadoria/RealizarManifesto', EVENT),
  post('Mercadoria/RealizarLoteManifesto', { ...CREDENTIALS, eventos: 'string' }),
  get('Mercadoria/DownloadXml', NFE),
  get('Mercadoria/DownloadPdfNfe', NFE),
  get('Mercadoria/RetornaChaves', PERIOD),
  get('Mercadoria/RetornaChavesPelaDataEntrada', PERIOD),
  get('Mercadoria/RetornaChavesPelaEmissao', PERIOD),
  get('Mercadoria/RetornaResumos', { ...PERIOD, pagina: 'integer' }),
  get('Mercadoria/RetornaClassificacoesProdutos', NFE),
  get('Mercadoria/RetornaListaXml', PERIOD),
  get('Mercadoria/RetornaListaXmlPelaEmissao', PERIOD),
  get('Mercadoria/RetornaListaXmlPelaEmissaoPorTipo', PERIOD_AND_TYPE),
  get('Mercadoria/RetornaListaXmlPelaEntradaPorTipo', PERIOD_AND_TYPE),
  get('Mercadoria/RetornarChavesIntegracao', QUEUE),
  get('Mercadoria/RetornaCapas', { ...PERIOD_AND_TYPE, capa: 'string' }),
  get('Servico/DownloadNfse', {
    ...CREDENTIALS,
    numeroDocumento: 'string',
    dataEmissaoDocumento: 'string',
    cnpjEmissorDocumento: 'string',
  }),
  get('Servico/RetornaListaXmlPelaEntrada', PERIOD),
  get('Servico/RetornaListaXmlPelaEmissao', PERIOD),
  get('Servico/RetornaChavesPelaEntrada', PERIOD_AND_TYPE),
  get('Servico/RetornaChavesPelaEmissao', PERIOD_AND_TYPE),
  get('Servico/RetornaChavesAprovadasPelaEntrada', PERIOD_AND_TYPE),
  get('Servico/RetornaChavesNFSeAprovadasPelaEmissao', PERIOD_AND_TYPE),
  get('Transporte/RetornaChavesPorTipo', PERIOD_AND_TYPE),
  get('Transporte/RetornaListaXmlPelaEmissao', PERIOD),
  get('Transporte/RetornaListaXmlPelaEmissaoPorTipo', PERIOD_AND_TYPE),
  get('Transporte/RetornaListaXmlPelaEntrada', PERIOD),
  get('Transporte/RetornaListaXmlPelaEntradaPorTipo', PERIOD_AND_TYPE),
  get('Transporte/DownloadXml', { ...CREDENTIALS, chaveCTe: 'string' }),
  get('Transporte/RetornarChavesIntegracao', { ...QUEUE, tipo: 'integer' }),
] as const;

export type OperationName = (typeof routes)[number]['operation'];
