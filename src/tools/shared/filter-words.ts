import type { Direction } from '../../archive/references.ts';
import type { DocumentStatus } from '../../documents/summary/summary.ts';
import { asWord } from '../../documents/untrusted.ts';
import type { Translator } from '../../messages/index.ts';
import type { PartyGiven } from './filters.ts';

interface Filters {
  readonly direction?: Direction | undefined;
  readonly issuer?: readonly PartyGiven[] | undefined;
  readonly recipient?: readonly PartyGiven[] | undefined;
  readonly payer?: readonly PartyGiven[] | undefined;
  readonly status?: readonly DocumentStatus[] | undefined;
}

/** Describes a file's filters, so that it never passes for the whole period; undefined without filters. */
export function filterWords(filters: Filters, { say, tell }: Translator): string | undefined {
  const { direction, status } = filters;
  const parties = (['issuer', 'recipient', 'payer'] as const).flatMap((role) => {
    const given = filters[role];
    return given === undefined
      ? []
      : [say(`export.${role}`, { names: given.map((one) => asWord(one.given)).join(', ') })];
  });
  const words = [
    ...(direction === undefined ? [] : [say(`export.${direction}`)]),
    ...parties,
    ...(status === undefined
      ? []
      : [say('export.status', { names: status.map((one) => tell(`status.${one}`, {})).join(', ') })]),
  ];
  return words.length === 0 ? undefined : words.join('; ');
}
