import { checkNationalNfseKey } from '../../identity/keys.ts';
import type { Collected } from '../../summary/collected.ts';
import type { DocumentSummary } from '../../summary/summary.ts';
import { municipalNote } from './municipal-note.ts';
import { meantMoment, yesOrNo } from './written-forms.ts';

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

/** A municipal note by ABRASF, or in the layout of Ginfes that came before it. */
export function summarizeAbrasfNfse(collected: Collected): DocumentSummary | undefined {
  const { clue, document: header } = collected.sections;
  const isGinfes = header.number === undefined && clue.own_number !== undefined;
  header.number ??= clue.own_number;
  return municipalNote(collected, {
    layout: isGinfes ? 'nfse ginfes' : `nfse abrasf ${abrasfVersion(collected)}`,
    status: isCancelled(collected) ? 'cancelled' : 'authorized',
    issWithheld: yesOrNo(clue.iss_withheld),
    key: nationalKeyInNotes(collected),
  });
}
