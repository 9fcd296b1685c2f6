import { checkEnvironment, checkNetValue, checkParties, type Unchecked } from '../../summary/checks.ts';
import type { Collected } from '../../summary/collected.ts';
import { unlessEmpty } from '../../summary/parties.ts';
import type { DocumentStatus, DocumentSummary } from '../../summary/summary.ts';
import { withWarnings } from '../common-parts.ts';
import { derivedNet, discountsFrom, municipalWithheld } from './net-value.ts';
import { noteParts } from './note-parts.ts';
import { meantMoment, mendDecimals } from './written-forms.ts';

/** What a layout says in words of its own. */
export interface MunicipalFacts {
  readonly layout: string;
  readonly status: DocumentStatus;
  /** Undefined where the file doesn't say. */
  readonly issWithheld: boolean | undefined;
  /** The net value can't be worked out, since the ISS is on top of the amount. */
  readonly issOnTop?: boolean;
  readonly key?: string | undefined;
}

/** When and why a cancelled note was cancelled, where the file says it; its layouts give the event no code. */
function cancellationFrom({ sections }: Collected, status: DocumentStatus): DocumentSummary['event'] {
  const at = meantMoment(sections.clue.cancelled_at);
  const text = sections.clue.cancelled_for;
  return status === 'cancelled' ? unlessEmpty({ ...(at && { at }), ...(text && { text }) }) : undefined;
}

/** A municipal note of whatever layout. Undefined where the file gives no number. */
export function municipalNote(collected: Collected, facts: MunicipalFacts): DocumentSummary | undefined {
  const { document: header, totals, withheld } = collected.sections;
  if (header.number === undefined) return undefined;
  mendDecimals(collected.sections);
  const { layout, status, issWithheld, issOnTop = false } = facts;
  const known = municipalWithheld(collected, issWithheld === true);
  if (issWithheld || unlessEmpty(withheld) !== undefined) totals.withheld = known;
  totals.iss_withheld = issWithheld === false ? undefined : withheld.iss;
  totals.net_derived = issOnTop ? undefined : derivedNet(collected, issWithheld);
  const parts = noteParts(collected, layout, status);
  const document: Unchecked = Object.assign(parts, {
    key: facts.key ?? header.key,
    iss_withheld: issWithheld,
    event: cancellationFrom(collected, status),
  });
  return withWarnings(document, [
    ...checkEnvironment(document),
    ...checkParties(document),
    ...checkNetValue(document, known, discountsFrom(collected)),
  ]);
}
