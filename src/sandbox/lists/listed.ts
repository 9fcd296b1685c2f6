import { completeAccessKey } from '../../documents/identity/keys.ts';
import { readDocuments } from '../../documents/summary/read-document.ts';
import type { DocumentSummary } from '../../documents/summary/summary.ts';
import { type Books, select } from '../data/books.ts';
import { dayOfDate, isoDate, isoMoment, SECONDS_IN_HOUR, startOf } from '../data/calendar.ts';
import { cteXml } from '../data/cte.ts';
import type { Issued } from '../data/issued.ts';
import { nfeXml } from '../data/nfe/document-xml.ts';
import { pastEvents } from '../data/nfe/events.ts';
import { nfseXml } from '../data/nfse.ts';
import type { SandboxCompany } from '../data/parties.ts';

/** A document as somebody else's list has it. */
export interface Listed {
  readonly summary: DocumentSummary;
  readonly key: string;
  /** Days of issue and of entry, `YYYY-MM-DD`. */
  readonly issued: string;
  readonly entered: string;
  /** As documents write moments. */
  readonly registeredAt: string;
  readonly isOwn: boolean;
  /** Goods that come in, on a note of the company's own too. */
  readonly isEntry: boolean;
  readonly isCancelled: boolean;
  /** Whether it is for this company: it is the recipient, or the payer of a carriage. */
  readonly isParty: boolean;
  /** Declared not carried out by the company (210240). */
  readonly isRefused: boolean;
}

/** A month, and the documents that lists of it are made of. */
export interface ListedMonth {
  readonly company: SandboxCompany;
  /** `YYYY-MM`. */
  readonly month: string;
  readonly first: string;
  readonly last: string;
  /** By day of issue, of this month and the last days before. */
  readonly documents: readonly Listed[];
  /** When the tax authority wrote its file. */
  readonly generatedAt: string;
}

/** Documents issued so many days before a month may enter in it. */
const DAYS_BEFORE = 6;

/** The last month that is over, with the first company's documents of all kinds. */
export function lastMonthOf(books: Books): ListedMonth {
  const now = books.now();
  const [company] = books.companies;
  if (company === undefined) throw new RangeError('no company');
  const [year = 0, number = 0] = isoDate(now).split('-').map(Number);
  const from = dayOfDate(year, number - 1, 1);
  const next = dayOfDate(year, number, 1);
  const days = { from: startOf(from - DAYS_BEFORE), to: startOf(next) - 1, by: 'issue', now } as const;
  const selection = { companies: [company], directions: ['inbound', 'outbound'], ...days } as const;

  const listed = (one: Issued, xml: string): Listed[] => {
    const [summary] = readDocuments(xml);
    if (summary?.key === undefined) return [];
    const { recipient, payer, kind, status, events = [] } = summary;
    const isOwn = one.issuer === company;
    return [
      {
        summary,
        key: summary.key,
        issued: isoDate(one.issuedAt),
        entered: isoDate(one.enteredAt),
        registeredAt: isoMoment(one.authorizedAt + 90),
        isOwn,
        isEntry: one.isEntry || !isOwn,
        isCancelled: status === 'cancelled',
        isParty: isOwn || (kind === 'cte' ? payer : recipient)?.id === company.id,
        isRefused: events.some(({ code }) => code === '210240'),
      },
    ];
  };

  const { nfe, cte, nfse } = books;
  const notes = [...select(nfe, selection)];
  const documents = [
    ...notes.flatMap((note) => listed(note, nfeXml(note, pastEvents(note, now), cte.carries(note)))),
    ...[...select(cte, selection)].flatMap((one) => listed(one, cteXml(one, now))),
    ...[...select(nfse, selection)].flatMap((one) => listed(one, nfseXml(one, now))),
  ];
  return {
    company,
    month: isoDate(startOf(from)).slice(0, 7),
    first: isoDate(startOf(from)),
    last: isoDate(startOf(next) - 1),
    documents,
    generatedAt: isoMoment(Math.min(startOf(next) + 6 * SECONDS_IN_HOUR, now)),
  };
}

/** A file that a program or an authority would have written. */
export interface ListFile {
  readonly name: string;
  readonly content: Uint8Array;
}

/** What is wrong about a document in a list, if anything. */
type Wrong<Fault> = (one: Listed) => Fault | undefined;

/** Has for each fault the first document that suits and has none yet; none in a month without one. */
export function chooseWrong<Fault>(
  documents: readonly Listed[],
  faults: readonly (readonly [fault: Fault, suits: (one: Listed) => boolean])[],
): Wrong<Fault> {
  const chosen = new Map<string, Fault>();
  for (const [fault, suits] of faults) {
    const found = documents.find((one) => !chosen.has(one.key) && suits(one));
    if (found !== undefined) chosen.set(found.key, fault);
  }
  return ({ key }) => chosen.get(key);
}

/** The key of a document that nobody has: right in itself, under a number that this issuer does not use. */
export function strangerOf({ key }: Listed, number: string): string {
  return completeAccessKey(`${key.slice(0, 25)}${number}${key.slice(34, 43)}`);
}
