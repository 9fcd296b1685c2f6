import { XMLParser } from 'fast-xml-parser';

/** Documents as another parser reads them by docs/fiscal/layouts.md: sums of them share no code with the program. */
export interface PlainDocument {
  readonly kind: 'nfe' | 'nfse' | 'cte';
  readonly key: string | undefined;
  readonly number: string;
  /** The day written in the document. */
  readonly day: string;
  readonly status: 'authorized' | 'cancelled';
  /** A note whose issuer receives the goods (tpNF 0). */
  readonly isEntry: boolean;
  readonly issuer: PlainParty;
  readonly recipient: PlainParty;
  readonly amounts: Amounts;
  /** Everything a person may search for in the head of the document. */
  readonly words: readonly string[];
  readonly lines: readonly PlainLine[];
  readonly xml: string;
}

export type PlainParty = Readonly<Record<'id' | 'name' | 'state', string | undefined>>;

/** A line of goods, or the whole document where it has none by nature. */
export interface PlainLine {
  readonly isWhole: boolean;
  readonly cfop: string | undefined;
  readonly ncm: string | undefined;
  readonly cst: string | undefined;
  readonly class_trib: string | undefined;
  readonly pis_cofins_cst?: string | undefined;
  readonly description: string | undefined;
  readonly unit?: string | undefined;
  readonly quantity?: string | undefined;
  readonly price?: string | undefined;
  readonly amounts: Amounts;
}

/** Cents by measure; absent fields are missing. */
export type Amounts = Readonly<Record<string, bigint | undefined>>;

type Node = { readonly [name: string]: Node | readonly Node[] | string | undefined };

const parser = new XMLParser({
  parseTagValue: false,
  parseAttributeValue: false,
  removeNSPrefix: true,
  ignoreAttributes: false,
  isArray: (name) => name === 'det' || name === 'procEventoNFe' || name === 'procEventoCTe',
});

function at(node: Node | undefined, path: string): Node | undefined {
  let found: unknown = node;
  for (const name of path.split('/')) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = name === '*' ? Object.values(found)[0] : (found as Node)[name];
  }
  return found as Node | undefined;
}

function textAt(node: Node | undefined, path: string): string | undefined {
  const found: unknown = at(node, path);
  return typeof found === 'string' ? found : undefined;
}

function listAt(node: Node | undefined, path: string): readonly Node[] {
  const found: unknown = at(node, path);
  return Array.isArray(found) ? found : [];
}

function cents(text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  const [, whole, fraction] = /^(\d+)\.(\d{2})$/.exec(text) ?? [];
  if (whole === undefined || fraction === undefined) throw new Error(`not an amount in cents: ${text}`);
  return BigInt(whole + fraction);
}

/** Amounts by lines of a group's path and, behind a colon, measures with their elements. */
function amountsAt(node: Node | undefined, ...groups: readonly string[]): Amounts {
  const read = groups.flatMap((line) => {
    const [group = '', measures = ''] = line.split(': ');
    const inGroup = group === '' ? node : at(node, group);
    return measures.split(' ').map((one) => {
      const [measure = '', path = ''] = one.split('=');
      return [measure, cents(textAt(inGroup, path))] as const;
    });
  });
  return Object.fromEntries(read);
}

function partyAt(node: Node | undefined, state: string): PlainParty {
  return {
    id: textAt(node, 'CNPJ') ?? textAt(node, 'CPF') ?? textAt(node, 'idEstrangeiro'),
    name: textAt(node, 'xNome'),
    state: textAt(node, state),
  };
}

function isCancelledBy(events: readonly Node[], path: string): boolean {
  return events.some((event) => textAt(event, path) === '110111');
}

function wordsOf(...parties: readonly PlainParty[]): string[] {
  return parties.flatMap(({ id, name }) => [id, name]).filter((word) => word !== undefined);
}

/** The sum of the present cents; undefined for none. */
function sum(...amounts: readonly (bigint | undefined)[]): bigint | undefined {
  const given = amounts.filter((amount) => amount !== undefined);
  return given.length === 0 ? undefined : given.reduce((all, amount) => all + amount, 0n);
}

/**
 * An item's part of the note by the formula of rule W16-10, relieved ICMS taken off where the item says so, and its
 * price without the taxes that are in it from 2027 on.
 */
function withDerived(line: Node, read: Amounts, year: string): Amounts {
  const counts = textAt(line, 'prod/indTot') !== '0';
  const off = (amount: bigint | undefined) => (amount === undefined ? undefined : -amount);
  const formula = sum(
    counts ? read.products : 0n,
    off(read.discount),
    read.freight,
    read.insurance,
    read.other,
    read.icms_st,
    read.fcp_st,
    read.ipi,
    read.import_duty,
    cents(textAt(line, 'imposto/ICMS/*/vICMSMonoReten')),
    textAt(line, 'imposto/ICMS/*/indDeduzDeson') === '1' ? off(read.icms_relieved) : undefined,
  );
  const isTaxed = year >= '2027' && textAt(line, 'prod/CFOP')?.startsWith('3') === false;
  const net = isTaxed ? sum(read.products, off(read.ibs), off(read.cbs), off(read.is)) : read.products;
  return {
    ...read,
    icms_mono: singlePhaseAt(at(line, 'imposto/ICMS/*')),
    total: cents(textAt(line, 'vItem')) ?? formula,
    products_net: cents(textAt(line, 'prod/vProdLiq')) ?? net,
  };
}

function readNfe(root: Node, xml: string): PlainDocument {
  const note = at(root, 'NFe/infNFe');
  const issuer = partyAt(at(note, 'emit'), 'enderEmit/UF');
  const recipient = partyAt(at(note, 'dest'), 'enderDest/UF');
  const key = textAt(root, 'protNFe/infProt/chNFe') ?? '';
  const number = textAt(note, 'ide/nNF') ?? '';
  const lines = nfeLines(note, textAt(note, 'ide/dhEmi')?.slice(0, 4) ?? '');
  const events = listAt(root, 'procEventoNFe');
  return {
    ...{ kind: 'nfe', key, number, issuer, recipient, lines, xml },
    day: textAt(note, 'ide/dhEmi')?.slice(0, 10) ?? '',
    isEntry: textAt(note, 'ide/tpNF') === '0',
    status: isCancelledBy(events, 'evento/infEvento/tpEvento') ? 'cancelled' : 'authorized',
    amounts: {
      ...amountsAt(
        at(note, 'total'),
        'ICMSTot: total=vNF products=vProd icms=vICMS icms_base=vBC icms_st=vST ipi=vIPI pis=vPIS cofins=vCOFINS',
        'ICMSTot: freight=vFrete discount=vDesc insurance=vSeg other=vOutro icms_relieved=vICMSDeson fcp=vFCP',
        'ICMSTot: fcp_st=vFCPST import_duty=vII',
        'ISSQNtot: iss=vISS services=vServ',
        'IBSCBSTot: ibs=gIBS/vIBS cbs=gCBS/vCBS',
        'ISTot: is=vIS',
        'retTrib: irrf=vIRRF csll=vRetCSLL inss=vRetPrev pis_withheld=vRetPIS cofins_withheld=vRetCOFINS',
      ),
      icms_mono: singlePhaseAt(at(note, 'total/ICMSTot')),
      // Of these the layout has no total, or names it only where it is something.
      products_net: sum(...lines.map(({ amounts }) => amounts.products_net)),
      icms_credit: sum(...lines.map(({ amounts }) => amounts.icms_credit)),
      difal: sum(...lines.map(({ amounts }) => amounts.difal)),
    },
    words: [...wordsOf(issuer, recipient), number, key, textAt(note, 'ide/natOp') ?? ''],
  };
}

/** All ICMS charged once on fuels: of the operation, withheld for later ones, and withheld before. */
function singlePhaseAt(node: Node | undefined): bigint | undefined {
  return sum(...['vICMSMono', 'vICMSMonoReten', 'vICMSMonoRet'].map((name) => cents(textAt(node, name))));
}

function nfeLines(note: Node | undefined, year: string): PlainLine[] {
  return listAt(note, 'det').map((line) => ({
    isWhole: false,
    cfop: textAt(line, 'prod/CFOP'),
    ncm: textAt(line, 'prod/NCM'),
    cst: textAt(line, 'imposto/ICMS/*/CST') ?? textAt(line, 'imposto/ICMS/*/CSOSN'),
    class_trib: textAt(line, 'imposto/IBSCBS/cClassTrib'),
    pis_cofins_cst: textAt(line, 'imposto/PIS/*/CST'),
    description: textAt(line, 'prod/xProd'),
    unit: textAt(line, 'prod/uCom')?.toUpperCase(),
    quantity: textAt(line, 'prod/qCom'),
    price: textAt(line, 'prod/vUnCom'),
    amounts: withDerived(
      line,
      amountsAt(
        line,
        'prod: products=vProd freight=vFrete insurance=vSeg other=vOutro discount=vDesc',
        'imposto/ICMS/*: icms=vICMS icms_base=vBC icms_st=vICMSST icms_credit=vCredICMSSN fcp=vFCP fcp_st=vFCPST',
        'imposto/ICMS/*: icms_relieved=vICMSDeson',
        'imposto: difal=ICMSUFDest/vICMSUFDest import_duty=II/vII ipi=IPI/IPITrib/vIPI pis=PIS/*/vPIS',
        'imposto: cofins=COFINS/*/vCOFINS iss=ISSQN/vISSQN is=IS/vIS',
        'imposto/IBSCBS/gIBSCBS: ibs=vIBS cbs=gCBS/vCBS',
      ),
      year,
    ),
  }));
}

function readCte(root: Node, xml: string): PlainDocument {
  const transport = at(root, 'CTe/infCte');
  const issuer = partyAt(at(transport, 'emit'), 'enderEmit/UF');
  const recipient = partyAt(at(transport, 'dest'), 'enderDest/UF');
  const sender = partyAt(at(transport, 'rem'), 'enderReme/UF');
  const key = textAt(root, 'protCTe/infProt/chCTe') ?? '';
  const number = textAt(transport, 'ide/nCT') ?? '';
  const amounts = amountsAt(
    transport,
    'vPrest: total=vTPrest',
    'imp/ICMS/*: icms=vICMS icms_base=vBC',
    'imp/IBSCBS/gIBSCBS: ibs=vIBS cbs=gCBS/vCBS',
  );
  const line = {
    isWhole: true,
    cfop: textAt(transport, 'ide/CFOP'),
    ncm: undefined,
    cst: textAt(transport, 'imp/ICMS/*/CST'),
    class_trib: textAt(transport, 'imp/IBSCBS/cClassTrib'),
    description: undefined,
    amounts,
  };
  const events = listAt(root, 'procEventoCTe');
  return {
    ...{ kind: 'cte', key, number, isEntry: false, issuer, recipient, amounts, xml },
    day: textAt(transport, 'ide/dhEmi')?.slice(0, 10) ?? '',
    status: isCancelledBy(events, 'eventoCTe/infEvento/tpEvento') ? 'cancelled' : 'authorized',
    words: [...wordsOf(issuer, recipient, sender), number, key, textAt(transport, 'ide/natOp') ?? ''],
    lines: [line],
  };
}

function readNationalNfse(root: Node, xml: string): PlainDocument {
  const note = at(root, 'infNFSe');
  const declared = at(note, 'DPS/infDPS');
  const issuer = partyAt(at(note, 'emit'), 'enderNac/UF');
  const recipient = partyAt(at(declared, 'toma'), 'end/endNac/UF');
  const read = amountsAt(
    note,
    'valores: total=vLiq iss=vISSQN',
    'IBSCBS/totCIBS: ibs=gIBS/vIBSTot cbs=gCBS/vCBS',
    'DPS/infDPS/valores: discount=vDescCondIncond/vDescIncond services=vServPrest/vServ',
    'DPS/infDPS/valores/trib/tribFed: pis=piscofins/vPis cofins=piscofins/vCofins irrf=vRetIRRF inss=vRetCP',
  );
  const isWithheld = textAt(declared, 'valores/trib/tribMun/tpRetISSQN') !== '1';
  const amounts = { ...read, ...contributionsOf(declared), iss_withheld: isWithheld ? read.iss : 0n };
  const key = /\d{50}/.exec(textAt(note, '@_Id') ?? '')?.[0];
  const number = textAt(note, 'nNFSe') ?? '';
  const description = textAt(declared, 'serv/cServ/xDescServ');
  return {
    ...{ kind: 'nfse', key, number, isEntry: false, status: 'authorized', issuer, recipient, amounts, xml },
    day: textAt(note, 'dhProc')?.slice(0, 10) ?? '',
    words: [...wordsOf(issuer, recipient), number, key ?? '', description ?? ''],
    lines: [serviceLine(description, textAt(declared, 'IBSCBS/valores/trib/gIBSCBS/cClassTrib'), amounts)],
  };
}

/** The codes of tpRetPisCofins that name one contribution alone. */
const alone: Readonly<Record<string, string>> = {
  2: 'csll',
  5: 'pis_withheld',
  6: 'cofins_withheld',
  8: 'csll',
};

/** vRetCSLL is the sum of the taxes in tpRetPisCofins; with several, their shares are unknown. */
function contributionsOf(declared: Node | undefined): Amounts {
  const sum = textAt(declared, 'valores/trib/tribFed/vRetCSLL');
  const code = textAt(declared, 'valores/trib/tribFed/piscofins/tpRetPisCofins') ?? '';
  const measure = alone[code];
  return measure === undefined ? {} : { [measure]: cents(sum) };
}

function serviceLine(
  description: string | undefined,
  class_trib: string | undefined,
  amounts: Amounts,
): PlainLine {
  return { isWhole: true, cfop: undefined, ncm: undefined, cst: undefined, class_trib, description, amounts };
}

function readAbrasfNfse(root: Node, xml: string): PlainDocument {
  const note = at(root, 'Nfse/InfNfse');
  const declared = at(note, 'DeclaracaoPrestacaoServico/InfDeclaracaoPrestacaoServico');
  const taker = at(declared, 'TomadorServico');
  const named = (node: Node | undefined, id: string | undefined): PlainParty => {
    return { id, name: textAt(node, 'RazaoSocial'), state: textAt(node, 'Endereco/Uf') };
  };
  const issuer = named(at(note, 'PrestadorServico'), textAt(declared, 'Prestador/CpfCnpj/Cnpj'));
  const takerId = at(taker, 'IdentificacaoTomador/CpfCnpj');
  const recipient = named(taker, textAt(takerId, 'Cnpj') ?? textAt(takerId, 'Cpf'));
  const values = at(declared, 'Servico/Valores');
  const read = {
    ...amountsAt(note, 'ValoresNfse: total=ValorLiquidoNfse iss=ValorIss'),
    ...amountsAt(
      values,
      ': services=ValorServicos irrf=ValorIr csll=ValorCsll inss=ValorInss pis_withheld=ValorPis',
      ': cofins_withheld=ValorCofins',
    ),
  };
  const amounts = { ...read, iss_withheld: textAt(declared, 'Servico/IssRetido') === '1' ? read.iss : 0n };
  const number = textAt(note, 'Numero') ?? '';
  const description = textAt(declared, 'Servico/Discriminacao');
  return {
    ...{ kind: 'nfse', key: undefined, number, isEntry: false, issuer, recipient, amounts, xml },
    day: textAt(note, 'DataEmissao')?.slice(0, 10) ?? '',
    status: at(root, 'NfseCancelamento') === undefined ? 'authorized' : 'cancelled',
    words: [...wordsOf(issuer, recipient), number, description ?? ''],
    lines: [serviceLine(description, undefined, amounts)],
  };
}

function readPlainly(xml: string): PlainDocument {
  const parsed = parser.parse(xml) as Node;
  const readers = { nfeProc: readNfe, cteProc: readCte, NFSe: readNationalNfse, CompNfse: readAbrasfNfse };
  for (const [name, read] of Object.entries(readers)) {
    const root = at(parsed, name);
    if (root !== undefined) return read(root, xml);
  }
  throw new Error(`no document: ${xml.slice(0, 80)}`);
}

const listings = {
  nfe: 'Mercadoria/RetornaListaXmlPelaEmissao',
  nfse: 'Servico/RetornaListaXmlPelaEmissao',
  cte: 'Transporte/RetornaListaXmlPelaEmissao',
} as const;

/** All documents of a company in a period, asked of the sandbox itself in one call. */
export async function fetchPlainly(
  url: string,
  kind: keyof typeof listings,
  { company, from, to }: { company: string; from: string; to: string },
): Promise<PlainDocument[]> {
  const wire = (day: string) => day.split('-').reverse().join('/');
  const period = { dataDe: wire(from), horaDe: '00:00:00', dataAte: wire(to), horaAte: '23:59:59' };
  const query = new URLSearchParams({ usuario: 'demo', senha: 'demo', cnpj: company, ...period });
  const reply = (await (await fetch(`${url}/API/${listings[kind]}?${query}`)).json()) as string;
  const pattern = /<Conteudo><!\[CDATA\[(.*?)\]\]><\/Conteudo>/gs;
  return [...reply.matchAll(pattern)].map(([, xml = '']) => readPlainly(xml));
}
