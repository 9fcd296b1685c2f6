import { accessKey, company, supplier } from './documents.ts';
import { json, type Responder } from './recording-upstream.ts';

/** The hostile text for a place in a service's answer or a document; deterministic. */
export type Plant = (place: string) => string;

export const notes = [1, 2].map((number) => accessKey({ number }));
const [key = '', otherKey = ''] = notes;

/** Escaped for markup, without the characters that XML forbids. */
function inXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function note(of: string, plant: Plant): string {
  const p = (place: string) => inXml(plant(`${place} of the note`));
  const party = (tag: string, address: string, id: string) =>
    `<${tag}><CNPJ>${id}</CNPJ><xNome>${p(tag)}</xNome><${address}><xMun>${p('city')}</xMun><UF>SP</UF></${address}></${tag}>`;
  return `<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><NFe><infNFe Id="NFe${of}" versao="4.00">
<ide><cUF>35</cUF><natOp>${p('natOp')}</natOp><mod>55</mod><serie>${p('serie')}</serie><nNF>${p('nNF')}</nNF><dhEmi>2026-11-10T12:15:33-03:00</dhEmi><tpNF>1</tpNF><idDest>1</idDest><finNFe>1</finNFe></ide>
${party('emit', 'enderEmit', supplier)}${party('dest', 'enderDest', company)}
<det nItem="1"><prod><cProd>${p('cProd')}</cProd><xProd>${p('xProd')}</xProd><NCM>${p('NCM')}</NCM><CFOP>${p('CFOP')}</CFOP><uCom>${p('uCom')}</uCom><qCom>1.0000</qCom><vUnCom>10.0000</vUnCom><vProd>10.00</vProd></prod><imposto><ICMS><ICMS00><orig>0</orig><CST>${p('CST')}</CST><vBC>10.00</vBC><vICMS>1.80</vICMS></ICMS00></ICMS></imposto></det>
<total><ICMSTot><vProd>11.00</vProd><vNF>12.00</vNF></ICMSTot></total><transp><modFrete>0</modFrete><transporta><xNome>${p('transporta')}</xNome></transporta></transp>
<infAdic><infCpl>${p('infCpl')}</infCpl></infAdic></infNFe></NFe>
<protNFe versao="4.00"><infProt><chNFe>${of}</chNFe><dhRecbto>2026-11-10T12:15:49-03:00</dhRecbto><nProt>${p('nProt')}</nProt><cStat>100</cStat><xMotivo>${p('xMotivo')}</xMotivo></infProt></protNFe></nfeProc>`;
}

/** The first of the notes as a file. */
export function hostileNote(plant: Plant): string {
  return note(key, plant);
}

/** Both services, in forms that are known of them, with something planted wherever they have a text. */
export function hostileService(plant: Plant): Responder {
  const record = (place: string, of: string) => ({
    ChaveNFe: of,
    Evento: plant(`${place} event`),
    Sucesso: 1,
    Mensagem: plant(`${place} message`),
    Usuario: plant(`${place} user`),
  });
  const envelope = (content: string) =>
    `<retorno><cStat>999</cStat><xMotivo>${inXml(plant('xMotivo'))}</xMotivo>${content}</retorno>`;
  const serviceKey = (number: string) =>
    `<NFSe><NumeroNFe>${number}</NumeroNFe><DataEmissaoNFe>2026-11-10</DataEmissaoNFe><CNPJ>${supplier}</CNPJ></NFSe>`;
  const asContent = (xml: string) =>
    `<Conteudo>${xml.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</Conteudo>`;
  const plantedKey = () =>
    plant('key')
      .replace(/[\s,;|]/g, '')
      .slice(0, 30);
  const documents = () => [...notes.map((one) => note(one, plant)), '<Odd><a><b>1</b></a></Odd>'];
  // An error with markup is a page, which is never quoted.
  const said = (place: string) => plant(place).replaceAll('<', '(');
  const answers: readonly (readonly [path: RegExp, answer: () => unknown])[] = [
    [/ConectividadeWS$/, () => plant('connectivity')],
    [/Login$/, () => 1],
    [/PesquisarStatusEvento$/, () => record('status', key)],
    [/RealizarManifesto$/, () => record('manifest', key)],
    [/RealizarLoteManifesto$/, () => notes.map((one) => record('batch', one))],
    [/DownloadXml$/, () => note(key, plant)],
    [/Servico\/RetornaChaves/, () => envelope(serviceKey(inXml(plant('number of an NFS-e'))))],
    [
      /Retorna(?:r)?Chaves/,
      () => envelope([...notes, plantedKey()].map((one) => `<chNFe>${inXml(one)}</chNFe>`).join('')),
    ],
    [/RetornaListaXml/, () => envelope(documents().map(asContent).join(''))],
    [
      /RetornaResumos$/,
      () => [1, 2].map(() => ({ Nome: plant('summary'), [plant('name of a field')]: plant('field') })),
    ],
    [
      /RetornaCapas$/,
      () => ({ Topo: plant('beside'), Itens: [{ Nome: plant('cover') }, { Nome: plant('cover 2') }] }),
    ],
    [/RetornaClassificacoesProdutos$/, () => plant('classification')],
  ];
  return ({ path, body }, response) => {
    if (path.includes('/settings/')) {
      const { id, companyId } = JSON.parse(body);
      const [name, value] = [plant('setting name'), plant('setting value')];
      return json(response, { id, companyId, set: 'X-A', name, value });
    }
    if (path.includes('/subscriptions/')) {
      const details = [{ message: said('detail') }];
      const error = { code: said('code'), message: said('account message'), details };
      return json(response, { error }, 409);
    }
    const found = answers.find(([pattern]) => pattern.test(path));
    if (found !== undefined) return json(response, found[1]());
    json(response, { Message: said('error'), MessageDetail: said('detail') }, 400);
  };
}

const days = { from: '2026-11-09', to: '2026-11-11' };

/** A call of every tool, some in several ways; those that write come with a yes where one can be given. */
export const everyTool: readonly (readonly [tool: string, args: Readonly<Record<string, unknown>>])[] = [
  ['check_connection', {}],
  ['list_document_keys', { document: 'nfe', ...days }],
  ['list_document_keys', { document: 'nfse', direction: 'inbound', ...days }],
  ['list_integration_keys', { document: 'nfe', company: 1, establishment: 1 }],
  ['list_documents', { document: 'nfe', ...days }],
  ['list_nfe_summaries', days],
  ['list_nfe_covers', { direction: 'inbound', ...days }],
  ['get_nfe_classifications', { key }],
  ['get_document', { document: 'nfe', key }],
  ['get_document', { document: 'nfe', key, format: 'xml' }],
  ['verify_document', { document: 'nfe', key }],
  ['get_document', { document: 'nfe', key: otherKey, format: 'pdf' }],
  ['renew_sas_url', { old_url: 'https://files.example/a?sig=b' }],
  ['get_nfe_event_status', { key, event: 'ciencia' }],
  ['query_documents', { document: 'nfe', ...days }],
  ['query_documents', { document: 'nfe', ...days, group_by: ['issuer', 'cfop'] }],
  ['query_documents', { document: 'nfe', ...days, event: ['none', '110110'] }],
  ['query_documents', { document: 'nfe', ...days, group_by: ['item'] }],
  ['list_pending_manifestations', days],
  ['check_documents', { document: 'nfe', ...days }],
  ['export_documents', { document: 'nfe', ...days, format: 'csv' }],
  ['export_documents', { document: 'nfe', ...days, format: 'zip' }],
  ['reconcile', {}],
  ['reconcile', { file: ['list.csv'] }],
  ['manifest_nfe', { key, event: 'ciencia' }],
  ['manifest_nfe_batch', { keys: notes, event: 'confirmacao' }],
  ['update_company_setting', { company_id: 1, id: 2, set: 'X-A', name: 'a', value: 'b' }],
  [
    'update_subscription',
    { account_id: 1, id: 2, subscription_type_id: 3, clear: ['effective_date', 'end_date'] },
  ],
];

/** An ERP's list with a note that nobody else knows, and something planted in every cell that is text. */
export function hostileList(plant: Plant): string {
  // A file with NUL in it is no text.
  const planted = (place: string) => plant(`${place} of the list`).replaceAll('\0', '').replaceAll('"', '""');
  const cell = (place: string) => `"${planted(place)}"`;
  return [
    `Chave;Número;Emissão;CNPJ Emitente;Razão Social;Valor Contábil;Histórico`,
    `${accessKey({ number: 9 })};9;10/11/2026;${supplier};${cell('name')};100,00;${cell('cell')}`,
    `;${cell('number')};10/11/2026;${cell('tax id')};${cell('name')};${cell('amount')};`,
  ].join('\r\n');
}

/** Settings that make all of it callable. */
export const hostileEnvironment = (url: string, folder: string): Record<string, string> => ({
  DFE_URL: url,
  DFE_USER: 'user',
  DFE_PASSWORD: 'not-in-any-plant',
  DFE_CNPJ: company,
  DFE_ACCOUNT_URL: url,
  DFE_ACCOUNT_API_KEY: 'neither-is-this',
  DFE_DATA_DIR: `${folder}/data`,
  DFE_DOWNLOAD_DIR: folder,
  DFE_LANGUAGE: 'en',
});
