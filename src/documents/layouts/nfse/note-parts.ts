import type { Unchecked } from '../../summary/checks.ts';
import type { Collected } from '../../summary/collected.ts';
import { unlessEmpty } from '../../summary/parties.ts';
import type { DocumentStatus, Reference } from '../../summary/summary.ts';
import { commonParts } from '../common-parts.ts';

/** Some cities fill the number of a replaced note with zeros where none was replaced. */
const isOne = ({ number }: Reference): boolean => number === undefined || !/^0+$/.test(number);

/** What every NFS-e has, of whatever layout. */
export function noteParts(collected: Collected, layout: string, status: DocumentStatus): Unchecked {
  const parts = commonParts(collected, { kind: 'nfse', layout, status });
  return Object.assign(parts, {
    service: unlessEmpty(collected.sections.service),
    references: parts.references.every(isOne) ? parts.references : parts.references.filter(isOne),
  });
}
