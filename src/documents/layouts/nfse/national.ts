import { addDecimals, sameDecimal } from '../../decimals.ts';
import {
  checkClassification,
  checkNationalKey,
  checkNetValue,
  type Unchecked,
} from '../../summary/checks.ts';
import {
  below,
  type Collected,
  type DocumentLayout,
  type FieldTable,
  together,
} from '../../summary/fields.ts';
import { partyFrom, unlessEmpty } from '../../summary/parties.ts';
import type { DocumentStatus, DocumentSummary } from '../../summary/summary.ts';
import { keyFromId, withWarnings } from '../common-parts.ts';
import { discountsFrom, noteParts } from './municipal-note.ts';

/** IBS and CBS as declared by the provider. */
export const declaredReform: FieldTable = {
  taxation: { in: 'IBSCBS/valores/trib/gIBSCBS', ibs_cbs_cst: 'CST', class_trib: 'cClassTrib' },
};

/** IBS and CBS as computed by the authority, below their group. */
export const computedReform: FieldTable = {
  raw: { in: 'totCIBS/gIBS', ibs_state: 'gIBSUFTot/vIBSUF', ibs_city: 'gIBSMunTot/vIBSMun' },
  totals: [
    { in: 'totCIBS', total_with_ibs_cbs: 'vTotNF', ibs: 'gIBS/vIBSTot', cbs: 'gCBS/vCBS' },
    { ibs_cbs_base: 'valores/vBC' },
  ],
};

const declaration: FieldTable = together(
  { raw: { version: '@versao' } },
  below('infDPS', {
    raw: [
      { environment: 'tpAmb', issued_by: 'tpEmit', sent_at: 'dhEmi' },
      { in: 'valores', discount_conditional: 'vDescCondIncond/vDescCond' },
      { in: 'valores/trib', iss_withheld: 'tribMun/tpRetISSQN' },
      { in: 'valores/trib', contributions: 'tribFed/piscofins/tpRetPisCofins' },
    ],
    document: { series: 'serie', competence: 'dCompet' },
    issuer: [
      { in: 'prest', cnpj: 'CNPJ', cpf: 'CPF', foreign: 'NIF', municipal_registration: 'IM', name: 'xNome' },
      { in: 'prest', simples_option: 'regTrib/opSimpNac' },
      { in: 'prest', city_code: 'end/endNac/cMun', country: 'end/endExt/cPais' },
    ],
    recipient: [
      { in: 'toma', cnpj: 'CNPJ', cpf: 'CPF', foreign: 'NIF', municipal_registration: 'IM', name: 'xNome' },
      { in: 'toma', city_code: 'end/endNac/cMun', country: 'end/endExt/cPais' },
    ],
    references: { each: 'subst', key: 'chSubstda' },
    service: [
      { in: 'serv', city: 'locPrest/cLocPrestacao', national_code: 'cServ/cTribNac', code: 'cServ/cTribMun' },
      { in: 'serv', description: 'cServ/xDescServ', nbs: 'cServ/cNBS' },
    ],
    notes: { issuer: 'serv/infoCompl/xInfComp' },
    totals: [
      { in: 'valores', services: 'vServPrest/vServ', discount: 'vDescCondIncond/vDescIncond' },
      { in: 'valores', deductions: 'vDedRed/vDR' },
      { in: 'valores/trib/tribFed/piscofins', pis: 'vPis', cofins: 'vCofins' },
    ],
    withheld: { in: 'valores/trib/tribFed', inss: 'vRetCP', income_tax: 'vRetIRRF', csll: 'vRetCSLL' },
  }),
  below('infDPS', declaredReform),
);

const nationalNote: FieldTable = {
  raw: { id: '@Id' },
  document: { number: 'nNFSe' },
  protocol: { code: 'cStat', at: 'dhProc' },
  service: { iss_city: 'cLocIncid', base: 'valores/vBC', rate: 'valores/pAliqAplic' },
  emitter: [
    { in: 'emit', cnpj: 'CNPJ', cpf: 'CPF', municipal_registration: 'IM', name: 'xNome' },
    { in: 'emit/enderNac', state: 'UF', city_code: 'cMun' },
  ],
  totals: { in: 'valores', iss: 'vISSQN', withheld: 'vTotalRet', total: 'vLiq', deductions: 'vCalcDR' },
};

type Contribution = 'pis' | 'cofins' | 'csll';

/** tpRetPisCofins values of a single contribution; 2 means that PIS and COFINS are not withheld. */
const singleByCode: Readonly<Record<string, Contribution>> = { 2: 'csll', 5: 'pis', 6: 'cofins', 8: 'csll' };

/**
 * True if vTotalRet includes all three contributions separately, as before NT 007, when a flag could mark vPis and
 * vCofins as withheld too.
 */
function areAllWithheld({ totals, withheld }: Collected, iss: string | undefined): boolean {
  if (totals.withheld === undefined || totals.pis === undefined || totals.cofins === undefined) return false;
  const all = addDecimals([...Object.values(withheld), totals.pis, totals.cofins, iss]);
  return all !== undefined && sameDecimal(all, totals.withheld);
}

/**
 * Assigns vRetCSLL of a national note to its contribution. The field is the sum of the withheld social contributions,
 * identified by tpRetPisCofins; a sum of several can't be split, since vPis and vCofins are the provider's own debt.
 * Source: docs/fiscal/layouts.md, NT 007 of SE/CGNFS-e.
 */
function splitContributions(collected: Collected, iss: string | undefined): void {
  const { withheld, totals } = collected;
  const { contributions = '' } = collected.raw;
  const { csll: amount } = withheld;
  if (amount !== undefined && Number(amount) === 0) return;
  if (contributions === '1' && areAllWithheld(collected, iss)) {
    withheld.pis = totals.pis;
    withheld.cofins = totals.cofins;
    return;
  }
  const only = singleByCode[contributions];
  if (amount === undefined || only === 'csll') return;
  delete withheld.csll;
  if (only === undefined) totals.contributions_withheld = amount;
  else withheld[only] = amount;
}

/** 100 to 107 are kinds of issue of a national NFS-e; a cancellation is a separate document, not a code here. */
function nationalStatus(code: string | undefined): DocumentStatus {
  if (code === undefined) return 'no_protocol';
  return /^10[0-7]$/.test(code) ? 'authorized' : 'unknown';
}

/**
 * The emitter, whose id is in the note's key, the provider and the service recipient. For tpEmit 2 and 3 the provider
 * is in the declaration; otherwise `emit`, the authority's data, takes precedence.
 */
function partiesOf(collected: Collected) {
  const { issued_by } = collected.raw;
  const taker = partyFrom(collected.recipient);
  if (issued_by === '2' || issued_by === '3') {
    const emitter = partyFrom(collected.emitter);
    const provider = partyFrom(collected.issuer);
    return { emitter, provider, taker: issued_by === '2' ? (taker ?? emitter) : taker };
  }
  const provider = partyFrom(Object.assign(collected.issuer, collected.emitter));
  return { emitter: provider, provider, taker };
}

/**
 * Summarises a national NFS-e, or a declaration (DPS), which has no key yet. The cancellation may be outside the note.
 */
export function summarizeNationalNfse(
  collected: Collected,
  isCancelled = false,
): DocumentSummary | undefined {
  const { raw, document: header, protocol, taxation, totals, withheld } = collected;
  const key = keyFromId(raw.id);
  const issued_at = protocol.at ?? raw.sent_at;
  if (key === undefined && issued_at === undefined) return undefined;
  // Withheld by the service recipient or an intermediary.
  const isIssWithheld = raw.iss_withheld !== undefined && raw.iss_withheld !== '1';
  const iss = isIssWithheld ? totals.iss : undefined;
  // The withheld taxes are complete if the file has a total, or no withheld tax at all.
  const isNothingWithheld = !isIssWithheld && unlessEmpty(withheld) === undefined;
  const known = totals.withheld ?? (isNothingWithheld ? '0' : undefined);
  totals.withheld ??= addDecimals([...Object.values(withheld), iss]);
  splitContributions(collected, iss);
  const { emitter, provider, taker } = partiesOf(collected);
  const status = isCancelled ? 'cancelled' : nationalStatus(protocol.code);
  const layout = `nfse national ${raw.version ?? ''}`;
  const document: Unchecked = Object.assign(noteParts(collected, layout, status), {
    key,
    issued_at,
    issuer: provider,
    recipient: taker,
    iss_withheld: raw.iss_withheld === undefined ? undefined : isIssWithheld,
  });
  const ofKey = header.number === undefined ? [] : checkNationalKey(document, emitter);
  return withWarnings(document, collected, ofKey, [
    ...checkNetValue(document, known, discountsFrom(collected)),
    ...checkClassification(taxation.ibs_cbs_cst, taxation.class_trib),
  ]);
}

/** A national declaration singleByCode, from `DPS` down: the request for an NFS-e. */
export const nationalDeclaration: DocumentLayout = {
  fields: declaration,
  summarize: (collected) => summarizeNationalNfse(collected),
};

/** The national NFS-e from `NFSe` down. Source: docs/fiscal/layouts.md. */
export const nationalNfse: DocumentLayout = {
  fields: together(
    { raw: { version: '@versao' } },
    below('infNFSe', together(below('DPS', declaration), nationalNote, below('IBSCBS', computedReform))),
  ),
  summarize: (collected) => summarizeNationalNfse(collected),
};
