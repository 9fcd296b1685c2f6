import { checkNationalNfseKey } from '../../identity/keys.ts';
import { checkNetValue, checkParties, type Unchecked } from '../../summary/checks.ts';
import type { Collected } from '../../summary/collected.ts';
import { unlessEmpty } from '../../summary/parties.ts';
import type { DocumentSummary } from '../../summary/summary.ts';
import { withWarnings } from '../common-parts.ts';
import { derivedNet, discountsFrom, municipalWithheld } from './net-value.ts';
import { cancellationFrom, meantMoment, noteParts } from './note-parts.ts';

/** Cities write 1 and 2, and the words of XML Schema. */
function yesOrNo(text: string | undefined): boolean | undefined {
  if (text === '1' || text === 'true') return true;
  return text === '2' || text === '0' || text === 'false' ? false : undefined;
}

/** A refused request to cancel leaves the note as it was, and so does a request without an answer. */
function isCancelled({ sections }: Collected): boolean {
  const { cancelled_at, cancel_success, replaced_by } = sections.clue;
  const replaced = replaced_by !== undefined && replaced_by !== sections.document.number;
  if (replaced || cancel_success === undefined) return replaced || meantMoment(cancelled_at) !== undefined;
  return yesOrNo(cancel_success) !== false;
}

/** The national key that cities write into the free text; only if it is one and of this note. */
function nationalKeyInNotes({ sections }: Collected): string | undefined {
  const found = /CHAVE\s+NFS-?E\s+NACIONAL\W*([0-9A-Z]{50})\b/i.exec(sections.notes.issuer ?? '')?.[1];
  if (found === undefined) return undefined;
  const checked = checkNationalNfseKey(found);
  const isOfThis = checked.ok && checked.value.number === sections.document.number;
  return isOfThis ? checked.value.key : undefined;
}

/** Version 2 says so, or has the declaration inside; version 1 has neither. */
function abrasfVersion({ sections, lists }: Collected): string {
  return sections.clue.version ?? (lists.parts.length > 0 ? '2.00' : '1.00');
}

/** A municipal note by ABRASF. */
export function summarizeAbrasfNfse(collected: Collected): DocumentSummary | undefined {
  const { clue, document: header, totals, withheld } = collected.sections;
  if (header.number === undefined) return undefined;
  const iss_withheld = yesOrNo(clue.iss_withheld);
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
