import { addDecimals, sameDecimal } from '../../decimals.ts';
import {
  checkClassification,
  checkEnvironment,
  checkNationalKey,
  checkNetValue,
  checkParties,
  checkStatus,
  type Unchecked,
} from '../../summary/checks.ts';
import {
  below,
  type Collected,
  type DocumentLayout,
  type FieldTable,
  type Sections,
  together,
} from '../../summary/fields.ts';
import { partyFrom, unlessEmpty } from '../../summary/parties.ts';
import type { DocumentStatus, DocumentSummary, Party } from '../../summary/summary.ts';
import { keyFromId, withWarnings } from '../common-parts.ts';
import { discountsFrom, noteParts } from './municipal-note.ts';

const declaration: FieldTable = {
  fields: {
    '@versao': 'clue.version',
    'infDPS/tpAmb': 'clue.environment',
    'infDPS/tpEmit': 'clue.issued_by',
    'infDPS/dhEmi': 'clue.sent_at',
    'infDPS/serie': 'document.series',
    'infDPS/dCompet': 'document.competence',
    'infDPS/prest/CNPJ': 'issuer.cnpj',
    'infDPS/prest/CPF': 'issuer.cpf',
    'infDPS/prest/NIF': 'issuer.foreign',
    'infDPS/prest/IM': 'issuer.municipal_registration',
    'infDPS/prest/xNome': 'issuer.name',
    'infDPS/prest/regTrib/opSimpNac': 'issuer.simples_option',
    'infDPS/prest/end/endNac/cMun': 'issuer.city_code',
    'infDPS/prest/end/endExt/cPais': 'issuer.country',
    'infDPS/toma/CNPJ': 'recipient.cnpj',
    'infDPS/toma/CPF': 'recipient.cpf',
    'infDPS/toma/NIF': 'recipient.foreign',
    'infDPS/toma/xNome': 'recipient.name',
    'infDPS/toma/IM': 'recipient.municipal_registration',
    'infDPS/toma/end/endNac/cMun': 'recipient.city_code',
    'infDPS/toma/end/endExt/cPais': 'recipient.country',
    'infDPS/subst/chSubstda': 'references.key',
    'infDPS/serv/locPrest/cLocPrestacao': 'service.city',
    'infDPS/serv/cServ/cTribNac': 'service.national_code',
    'infDPS/serv/cServ/cTribMun': 'service.code',
    'infDPS/serv/cServ/xDescServ': 'service.description',
    'infDPS/serv/cServ/cNBS': 'service.nbs',
    'infDPS/serv/infoCompl/xInfComp': 'notes.issuer',
    'infDPS/valores/vServPrest/vServ': 'totals.services',
    'infDPS/valores/vDescCondIncond/vDescIncond': 'totals.discount',
    'infDPS/valores/vDescCondIncond/vDescCond': 'clue.discount_conditional',
    'infDPS/valores/vDedRed/vDR': 'totals.deductions',
    'infDPS/valores/trib/tribMun/tpRetISSQN': 'clue.iss_withheld',
    'infDPS/valores/trib/tribFed/piscofins/tpRetPisCofins': 'clue.contributions',
    'infDPS/valores/trib/tribFed/piscofins/vPis': 'totals.pis',
    'infDPS/valores/trib/tribFed/piscofins/vCofins': 'totals.cofins',
    'infDPS/valores/trib/tribFed/vRetCP': 'withheld.inss',
    'infDPS/valores/trib/tribFed/vRetIRRF': 'withheld.income_tax',
    'infDPS/valores/trib/tribFed/vRetCSLL': 'withheld.csll',
    'infDPS/IBSCBS/valores/trib/gIBSCBS/CST': 'taxation.ibs_cbs_cst',
    'infDPS/IBSCBS/valores/trib/gIBSCBS/cClassTrib': 'taxation.class_trib',
  },
  lists: { 'infDPS/subst': ['references'] },
};

const nationalNote: FieldTable = {
  fields: {
    '@Id': 'clue.id',
    nNFSe: 'document.number',
    cStat: 'protocol.code',
    dhProc: 'protocol.at',
    cLocIncid: 'service.iss_city',
    'emit/CNPJ': 'emitter.cnpj',
    'emit/CPF': 'emitter.cpf',
    'emit/IM': 'emitter.municipal_registration',
    'emit/xNome': 'emitter.name',
    'emit/enderNac/UF': 'emitter.state',
    'emit/enderNac/cMun': 'emitter.city_code',
    'valores/vBC': 'service.base',
    'valores/pAliqAplic': 'service.rate',
    'valores/vISSQN': 'totals.iss',
    'valores/vTotalRet': 'totals.withheld',
    'valores/vLiq': 'totals.total',
    'IBSCBS/valores/vBC': 'totals.ibs_cbs_base',
    'IBSCBS/totCIBS/vTotNF': 'totals.total_with_ibs_cbs',
    'IBSCBS/totCIBS/gIBS/vIBSTot': 'totals.ibs',
    'IBSCBS/totCIBS/gIBS/gIBSUFTot/vIBSUF': 'clue.ibs_state',
    'IBSCBS/totCIBS/gIBS/gIBSMunTot/vIBSMun': 'clue.ibs_city',
    'IBSCBS/totCIBS/gCBS/vCBS': 'totals.cbs',
  },
};

type Contribution = 'pis' | 'cofins' | 'csll';

/** tpRetPisCofins values of a single contribution; 2 means that PIS and COFINS are not withheld. */
const alone: Readonly<Record<string, Contribution>> = { 2: 'csll', 5: 'pis', 6: 'cofins', 8: 'csll' };

/** Of before NT 007, where vPis and vCofins were kept back too if it was said: whether vTotalRet has all three in it. */
function areApart({ sections }: Collected, issWithheld: boolean): boolean {
  const { totals, withheld } = sections;
  if (totals.withheld === undefined || totals.pis === undefined || totals.cofins === undefined) return false;
  const parts = [...Object.values(withheld), totals.pis, totals.cofins];
  const all = addDecimals([...parts, ...(issWithheld && totals.iss !== undefined ? [totals.iss] : [])]);
  return all !== undefined && sameDecimal(all, totals.withheld);
}

function move(sections: Sections, to: Contribution | undefined): void {
  const { withheld, totals } = sections;
  const amount = withheld.csll;
  if (amount === undefined || to === 'csll') return;
  delete withheld.csll;
  if (to === undefined) totals.contributions_withheld = amount;
  else withheld[to] = amount;
}

/**
 * Puts what a national note gives in vRetCSLL where it belongs. The field is the sum of the social contributions kept
 * back, and tpRetPisCofins says which; a sum of several can't be split, since vPis and vCofins are what the provider
 * owes by itself. Source: docs/fiscal/layouts.md, NT 007 of SE/CGNFS-e.
 */
function splitContributions(collected: Collected, issWithheld: boolean): void {
  const { sections } = collected;
  const { clue, withheld, totals } = sections;
  if (withheld.csll !== undefined && Number(withheld.csll) === 0) return;
  const isOldForm = clue.contributions === '1';
  if (isOldForm && areApart(collected, issWithheld)) {
    withheld.pis = totals.pis;
    withheld.cofins = totals.cofins;
    return;
  }
  move(sections, alone[clue.contributions ?? '']);
}

/** 100 to 107 are the ways a national NFS-e comes about; a cancellation is another document, not a code here. */
function nationalStatus(code: string | undefined): DocumentStatus {
  if (code === undefined) return 'no_protocol';
  return /^10[0-7]$/.test(code) ? 'authorized' : 'unknown';
}

/**
 * The total withheld, else the sum of the parts, with the ISS where the taker or an intermediary keeps it.
 */
function nationalWithheld({ sections }: Collected, issWithheld: boolean): string | undefined {
  const { totals, withheld } = sections;
  const parts = [...Object.values(withheld), ...(issWithheld && totals.iss ? [totals.iss] : [])];
  return totals.withheld ?? addDecimals(parts);
}

/** The withheld total if the file is complete about it: it has a total, or no withheld tax at all. */
function nationalKnownWithheld({ sections }: Collected, issWithheld: boolean): string | undefined {
  const nothing = !issWithheld && unlessEmpty(sections.withheld) === undefined;
  return sections.totals.withheld ?? (nothing ? '0' : undefined);
}

interface ServiceParties {
  /** Issuer of the note, whose id is in its key: the provider, unless tpEmit says otherwise. */
  readonly emitter: Party | undefined;
  readonly provider: Party | undefined;
  readonly taker: Party | undefined;
}

/** For tpEmit 2 and 3 the provider is in the declaration; else `emit`, the authority's word, comes first. */
function partiesOf({ sections }: Collected): ServiceParties {
  const { issued_by } = sections.clue;
  const taker = partyFrom(sections.recipient);
  if (issued_by === '2' || issued_by === '3') {
    const emitter = partyFrom(sections.emitter);
    const provider = partyFrom(sections.issuer);
    return { emitter, provider, taker: issued_by === '2' ? (taker ?? emitter) : taker };
  }
  const provider = partyFrom(Object.assign(sections.issuer, sections.emitter));
  return { emitter: provider, provider, taker };
}

/** A national NFS-e, or the declaration (DPS), which has no key yet; a cancellation may stand beside it. */
export function summarizeNationalNfse(
  collected: Collected,
  isCancelled = false,
): DocumentSummary | undefined {
  const { clue, document: header, protocol, taxation } = collected.sections;
  const key = keyFromId(clue.id);
  const issued_at = protocol.at ?? clue.sent_at;
  if (key === undefined && issued_at === undefined) return undefined;
  const issWithheld = clue.iss_withheld !== undefined && clue.iss_withheld !== '1';
  const known = nationalKnownWithheld(collected, issWithheld);
  collected.sections.totals.withheld = nationalWithheld(collected, issWithheld);
  splitContributions(collected, issWithheld);
  const layout = `nfse national ${clue.version ?? ''}`.trimEnd();
  const { emitter, provider, taker } = partiesOf(collected);
  const status = isCancelled ? 'cancelled' : nationalStatus(protocol.code);
  const document: Unchecked = Object.assign(noteParts(collected, layout, status), {
    key,
    issued_at,
    issuer: provider,
    recipient: taker,
    iss_withheld: clue.iss_withheld === undefined ? undefined : issWithheld,
  });
  return withWarnings(document, [
    ...checkEnvironment(document),
    ...checkStatus(document, collected),
    ...(header.number === undefined ? [] : checkNationalKey(document, emitter)),
    ...checkParties(document),
    ...checkNetValue(document, known, discountsFrom(collected)),
    ...checkClassification(taxation.ibs_cbs_cst, taxation.class_trib),
  ]);
}

/** The national declaration alone, from `DPS` down: the request for an NFS-e. */
export const nationalDeclaration: DocumentLayout = {
  fields: declaration,
  summarize: (collected) => summarizeNationalNfse(collected),
};

/** The national NFS-e from `NFSe` down. Source: docs/fiscal/layouts.md. */
export const nationalNfse: DocumentLayout = {
  fields: together(
    { fields: { '@versao': 'clue.version' } },
    below('infNFSe', together(below('DPS', declaration), nationalNote)),
  ),
  summarize: (collected) => summarizeNationalNfse(collected),
};
