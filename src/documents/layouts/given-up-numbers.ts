import { elementsNamed, textAt, treeIfWellFormed } from '../xml/tree.ts';

/** Numbers of a series that their issuer gave up, so that none of them is a document that is missing. */
export type GivenUpNumbers = NonNullable<ReturnType<typeof readGivenUpNumbers>>;

/** cStat: registered (102), or registered before (206, 563). Source: MOC NF-e 7.0, annex I. */
const registeredCodes = new Set(['102', '206', '563']);

/** The request with its reply, or the reply alone. */
const ROOT = /^(?:[Pp]roc|ret)Inut(NFe|CTe)$/;

/** Whether an element of this name may say that numbers were given up, and not only ask for it. */
export function isGivingUp(root: string): boolean {
  return ROOT.test(root);
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** Undefined for numbers that were only asked for or refused, or are of the test environment. */
export function readGivenUpNumbers(xml: string) {
  const tree = treeIfWellFormed(xml);
  if (tree === undefined) return undefined;
  // The reply comes after the request and repeats it.
  const groups = elementsNamed(tree, 'infInut').reverse();
  const get = (...names: string[]) =>
    names.map((name) => groups.map((group) => textAt(group, name)).find(Boolean)).find(Boolean);
  const [, of] = ROOT.exec(tree.name) ?? [];
  const company = get('CNPJ', 'CPF');
  const [first, last] = [wholeNumber(get('nNFIni', 'nCTIni')), wholeNumber(get('nNFFin', 'nCTFin'))];
  if (of === undefined || company === undefined || first === undefined || last === undefined)
    return undefined;
  if (!registeredCodes.has(get('cStat') ?? '') || get('tpAmb') === '2' || last < first) return undefined;
  const series = String(wholeNumber(get('serie')) ?? 0);
  const year = wholeNumber(get('ano'))?.toString().slice(-2).padStart(2, '0') ?? '';
  const area = of === 'NFe' ? ('nfe' as const) : ('cte' as const);
  return { area, company, model: get('mod') ?? '', series, first, last, year, protocol: get('nProt') };
}
