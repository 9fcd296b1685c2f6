import { elementsNamed, textAt, treeIfWellFormed } from '../xml/tree.ts';

/** Numbers of a series given up by their issuer, so that they don't count as missing documents. */
export type GivenUpNumbers = NonNullable<ReturnType<typeof readGivenUpNumbers>>;

/** cStat: registered (102), or registered before (206, 563). Source: MOC NF-e 7.0, annex I. */
const registeredCodes = new Set(['102', '206', '563']);

/** The request with its reply, or the reply alone. */
const ROOT = /^(?:[Pp]roc|ret)Inut(NFe|CTe)$/;

/** True if an element with this name may confirm that numbers were given up, as opposed to a mere request. */
export function isGivingUp(root: string): boolean {
  return ROOT.test(root);
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** Reads numbers given up; undefined if only requested, refused, or of the test environment. */
export function readGivenUpNumbers(xml: string) {
  const tree = treeIfWellFormed(xml);
  if (tree === undefined) return undefined;
  // The reply comes after the request and repeats its fields.
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
