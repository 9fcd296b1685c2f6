import { addDecimals } from '../../decimals.ts';
import {
  checkClassification,
  checkEnvironment,
  checkNationalKey,
  checkNetValue,
  checkParties,
  type Unchecked,
} from '../../summary/checks.ts';
import type { Collected } from '../../summary/collected.ts';
import { partyFrom, unlessEmpty } from '../../summary/parties.ts';
import type { DocumentStatus, DocumentSummary, Party } from '../../summary/summary.ts';
import { keyFromId, withWarnings } from '../common-parts.ts';
import { splitContributions } from './contributions.ts';
import { discountsFrom } from './net-value.ts';
import { noteParts } from './note-parts.ts';

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

interface ServiceParties {
  /** Who made the note, whose id is in its key: the provider, unless tpEmit says otherwise. */
  readonly emitter: Party | undefined;
  readonly provider: Party | undefined;
  readonly taker: Party | undefined;
}

/**
 * Recipient and intermediary may make the note for a provider (tpEmit 2 and 3), who stands in the declaration then.
 * Otherwise both places are about the provider, and the authority's word in `emit` comes first.
 */
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

/** A national NFS-e, or the declaration that asks for one (DPS), which has no key yet. */
export function summarizeNationalNfse(collected: Collected): DocumentSummary | undefined {
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
  const document: Unchecked = Object.assign(noteParts(collected, layout, nationalStatus(protocol.code)), {
    key,
    issued_at,
    issuer: provider,
    recipient: taker,
    iss_withheld: clue.iss_withheld === undefined ? undefined : issWithheld,
  });
  return withWarnings(document, [
    ...checkEnvironment(document),
    ...(header.number === undefined ? [] : checkNationalKey(document, emitter)),
    ...checkParties(document),
    ...checkNetValue(document, known, discountsFrom(collected)),
    ...checkClassification(taxation.ibs_cbs_cst, taxation.class_trib),
  ]);
}
