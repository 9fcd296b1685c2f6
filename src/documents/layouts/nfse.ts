import { addDecimals, negateDecimal } from '../decimals.ts';
import { checkNationalNfseKey } from '../identity/keys.ts';
import {
  checkClassification,
  checkEnvironment,
  checkNationalKey,
  checkNetValue,
  checkParties,
  type Unchecked,
} from '../summary/checks.ts';
import type { Collected } from '../summary/collected.ts';
import { unlessEmpty } from '../summary/parties.ts';
import type { DocumentStatus, DocumentSummary } from '../summary/summary.ts';
import { commonParts, keyFromId, withWarnings } from './common-parts.ts';

function discountsFrom({ sections }: Collected): string[] {
  const { discount } = sections.totals;
  return [discount, sections.clue.discount_conditional].filter((amount) => amount !== undefined);
}

function noteParts(collected: Collected, layout: string, status: DocumentStatus): Unchecked {
  const parts = commonParts(collected, { kind: 'nfse', layout, status });
  return Object.assign(parts, { service: unlessEmpty(collected.sections.service) });
}

/** 100 to 107 are the ways a national NFS-e comes about; a cancellation is another document, not a code here. */
function nationalStatus(code: string | undefined): DocumentStatus {
  if (code === undefined) return 'no_protocol';
  return /^10[0-7]$/.test(code) ? 'authorized' : 'unknown';
}

/**
 * What was withheld is said in one total. Without it, the parts named are added up, with the ISS where the taker or
 * an intermediary keeps it.
 */
function nationalWithheld({ sections }: Collected, issWithheld: boolean): string | undefined {
  const { totals, withheld } = sections;
  const parts = [...Object.values(withheld), ...(issWithheld && totals.iss ? [totals.iss] : [])];
  return totals.withheld ?? addDecimals(parts);
}

/** Whether the file says all of what was withheld: in one total, or by naming no part of it. */
function nationalKnownWithheld({ sections }: Collected, issWithheld: boolean): string | undefined {
  const nothing = !issWithheld && unlessEmpty(sections.withheld) === undefined;
  return sections.totals.withheld ?? (nothing ? '0' : undefined);
}

/** A national NFS-e, or the declaration that asks for one (DPS), which has no key yet. */
export function summarizeNationalNfse(collected: Collected): DocumentSummary | undefined {
  const { clue, document: header, protocol, taxation } = collected.sections;
  const key = keyFromId(clue.id);
  const issued_at = protocol.at ?? clue.sent_at;
  if (key === undefined && issued_at === undefined) return undefined;
  const issWithheld = clue.iss_withheld !== undefined && clue.iss_withheld !== '1';
  const known = nationalKnownWithheld(collected, issWithheld);
  collected.sections.totals.withheld = nationalWithheld(collected, issWithheld);
  const layout = `nfse national ${clue.version ?? ''}`.trimEnd();
  const document: Unchecked = Object.assign(noteParts(collected, layout, nationalStatus(protocol.code)), {
    key,
    issued_at,
    iss_withheld: clue.iss_withheld === undefined ? undefined : issWithheld,
  });
  return withWarnings(document, [
    ...checkEnvironment(document),
    ...(header.number === undefined ? [] : checkNationalKey(document)),
    ...checkParties(document),
    ...checkNetValue(document, known, discountsFrom(collected)),
    ...checkClassification(taxation.ibs_cbs_cst, taxation.class_trib),
  ]);
}

/** A refused request to cancel leaves the note as it was. */
function isCancelled({ sections }: Collected): boolean {
  const { cancelled_at, cancel_success, replaced_by } = sections.clue;
  const refusedRequest = cancel_success === 'false' || cancel_success === '0';
  const replaced = replaced_by !== undefined && replaced_by !== sections.document.number;
  return replaced || ((cancelled_at ?? cancel_success) !== undefined && !refusedRequest);
}

/** The national key that cities write into the free text; only if it is one and of this note. */
function nationalKeyInNotes({ sections }: Collected): string | undefined {
  const found = /CHAVE\s+NFS-?E\s+NACIONAL\W*([0-9A-Z]{50})\b/i.exec(sections.notes.issuer ?? '')?.[1];
  if (found === undefined) return undefined;
  const checked = checkNationalNfseKey(found);
  const isOfThis = checked.ok && checked.value.number === sections.document.number;
  return isOfThis ? checked.value.key : undefined;
}

function municipalWithheld(collected: Collected, issWithheld: boolean): string | undefined {
  const { totals, withheld } = collected.sections;
  const iss = issWithheld ? (withheld.iss ?? totals.iss ?? '0') : '0';
  const { iss: _, ...others } = withheld;
  return addDecimals([iss, ...Object.values(others)]);
}

/**
 * The net value, where the file leaves it out and says all it takes: services less what is withheld, less discounts.
 * Source: ABRASF conceptual model, ValorLiquidoNfse; the layout of São Paulo has no such field.
 */
function derivedNet(collected: Collected, issWithheld: boolean | undefined): string | undefined {
  const { totals, withheld } = collected.sections;
  const isIssKnown = issWithheld === false || (withheld.iss ?? totals.iss) !== undefined;
  const taken = municipalWithheld(collected, issWithheld === true);
  if (totals.total !== undefined || totals.services === undefined) return undefined;
  if (issWithheld === undefined || !isIssKnown || taken === undefined) return undefined;
  return addDecimals([totals.services, ...[taken, ...discountsFrom(collected)].map(negateDecimal)]);
}

/** When a cancelled note was cancelled, where the file says it; its layouts give the event no code. */
function cancellationFrom({ sections }: Collected, status: DocumentStatus): DocumentSummary['event'] {
  const at = sections.clue.cancelled_at;
  return status === 'cancelled' && at !== undefined ? { at } : undefined;
}

/** Version 2 says so, or has the declaration inside; version 1 has neither. */
function abrasfVersion({ sections, lists }: Collected): string {
  return sections.clue.version ?? (lists.parts.length > 0 ? '2.00' : '1.00');
}

/** A municipal note by ABRASF. */
export function summarizeAbrasfNfse(collected: Collected): DocumentSummary | undefined {
  const { clue, document: header, totals, withheld } = collected.sections;
  if (header.number === undefined) return undefined;
  const iss_withheld = clue.iss_withheld === undefined ? undefined : clue.iss_withheld === '1';
  const known = municipalWithheld(collected, iss_withheld === true);
  if (iss_withheld || unlessEmpty(withheld) !== undefined) totals.withheld = known;
  totals.iss_withheld = iss_withheld === false ? undefined : withheld.iss;
  totals.net_derived = derivedNet(collected, iss_withheld);
  const status = isCancelled(collected) ? 'cancelled' : 'authorized';
  const parts = noteParts(collected, `nfse abrasf ${abrasfVersion(collected)}`, status);
  const document: Unchecked = Object.assign(parts, {
    key: nationalKeyInNotes(collected),
    iss_withheld,
    event: cancellationFrom(collected, status),
  });
  return withWarnings(document, [
    ...checkParties(document),
    ...checkNetValue(document, known, discountsFrom(collected)),
  ]);
}

function prodamStatus(letter: string | undefined): DocumentStatus {
  if (letter === 'N') return 'authorized';
  return letter === 'C' ? 'cancelled' : 'unknown';
}

/** A note of the city of São Paulo, which names no net value. */
export function summarizeProdamNfse(collected: Collected): DocumentSummary | undefined {
  const { clue, document: header } = collected.sections;
  if (header.number === undefined) return undefined;
  const iss_withheld = clue.iss_withheld === undefined ? undefined : clue.iss_withheld === 'true';
  const { totals } = collected.sections;
  totals.withheld = municipalWithheld(collected, iss_withheld === true);
  totals.net_derived = derivedNet(collected, iss_withheld);
  const status = prodamStatus(clue.situation);
  const parts = noteParts(collected, 'nfse prodam', status);
  const document: Unchecked = Object.assign(parts, {
    iss_withheld,
    event: cancellationFrom(collected, status),
  });
  return withWarnings(document, checkParties(document));
}
