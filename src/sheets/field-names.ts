/** Words of municipal layouts, as a reader writes them; the files have neither accents nor blanks. */
const written: Readonly<Record<string, string>> = {
  aliquota: 'alíquota',
  apuracao: 'apuração',
  calculo: 'cálculo',
  cep: 'CEP',
  cnae: 'CNAE',
  cnpj: 'CNPJ',
  codigo: 'código',
  competencia: 'competência',
  cofins: 'COFINS',
  construcao: 'construção',
  cpf: 'CPF',
  credito: 'crédito',
  csll: 'CSLL',
  cst: 'CST',
  deducao: 'dedução',
  deducoes: 'deduções',
  descricao: 'descrição',
  discriminacao: 'discriminação',
  emissao: 'emissão',
  endereco: 'endereço',
  execucao: 'execução',
  ibs: 'IBS',
  cbs: 'CBS',
  ibge: 'IBGE',
  id: 'identificador',
  identificacao: 'identificação',
  im: 'inscrição municipal',
  incidencia: 'incidência',
  informacoes: 'informações',
  inscricao: 'inscrição',
  inss: 'INSS',
  intermediario: 'intermediário',
  ir: 'IR',
  irrf: 'IRRF',
  iss: 'ISS',
  issqn: 'ISSQN',
  liquido: 'líquido',
  municipio: 'município',
  nbs: 'NBS',
  nfse: 'NFS-e',
  numero: 'número',
  operacao: 'operação',
  opcao: 'opção',
  orgao: 'órgão',
  pais: 'país',
  pis: 'PIS',
  prestacao: 'prestação',
  razao: 'razão',
  responsavel: 'responsável',
  retencao: 'retenção',
  retencoes: 'retenções',
  rps: 'RPS',
  serie: 'série',
  servico: 'serviço',
  servicos: 'serviços',
  situacao: 'situação',
  substituicao: 'substituição',
  substituida: 'substituída',
  tributacao: 'tributação',
  uf: 'UF',
  verificacao: 'verificação',
};

/** Words that belong together, with what stands between them. */
const phrases: readonly (readonly [together: string, written: string])[] = [
  ['item lista serviço', 'item da lista de serviços'],
  ['código tributação município', 'código de tributação do município'],
  ['optante simples nacional', 'optante pelo Simples Nacional'],
  ['prestador serviço', 'prestador do serviço'],
  ['tomador serviço', 'tomador do serviço'],
  ['código verificação', 'código de verificação'],
  ['código município', 'código do município'],
  ['código serviço', 'código do serviço'],
  ['data emissão', 'data de emissão'],
  ['natureza operação', 'natureza da operação'],
  ['valor serviços', 'valor dos serviços'],
  ['base cálculo', 'base de cálculo'],
];

/** Envelopes, which say nothing of a field. */
const ENVELOPES =
  /^(?:\w+:)?(?:CompNfse|Nfse|NFSe|NFS-e|NFe|InfNfse|infNFSe|ListaNfse|GerarNfse\w*|Retorno\w*|Consultar\w*|InfDeclaracaoPrestacaoServico|DeclaracaoPrestacaoServico|InfRps|CpfCnpj|Rps)$/;

/** `RazaoSocial` as `razão social`, `ISSRetido` as `ISS retido`, `VALOR_PIS` as `valor PIS`. */
function wordsOf(name: string): string {
  const words = name
    .replace(/^\w+:/, '')
    .replace(/NFS?-?[eE]|Nfs?e/g, 'Nfse')
    .replace(/CPF_?CNPJ/g, 'CpfCnpj')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])(?=[A-Z][a-z])/g, '$1 ')
    .split(/[\s_.-]+/)
    .map((word) => written[word.toLowerCase()] ?? word.toLowerCase())
    .join(' ');
  return phrases.reduce((text, [together, known]) => text.replace(together, known), words);
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What a field is called for a reader: the parts of its place that say something, from the whole to the part. */
export function fieldName(names: readonly string[]): string {
  const [last = ''] = names.slice(-1);
  const parts = names.slice(0, -1).filter((name) => !ENVELOPES.test(name));
  return [...parts, last].map((name) => capital(wordsOf(name))).join(', ');
}
