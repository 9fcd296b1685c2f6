import type { Period } from '../../archive/days.ts';
import type { DocumentArea } from '../../archive/references.ts';
import type { CallContext } from '../../company/call-context.ts';
import type { reportMessages } from '../../messages/apart/report.ts';
import type { Words } from '../../messages/message.ts';
import { checkDocuments, type FindingOutput } from '../check/check.ts';
import type { PendingNote } from '../manifestation/waiting.ts';
import type { Question } from '../pages/asked.ts';
import type { AnsweredGroups } from '../pages/groups.ts';
import type { Voice } from '../pages/voice.ts';
import { listPendingManifestations } from '../pending.ts';
import { queryDocuments } from '../query/query.ts';
import type { ReconcileOutput } from '../reconcile/answer.ts';
import { reconcile } from '../reconcile/reconcile.ts';
import type { ReadTool } from '../shared/definition.ts';
import type { Missing } from '../shared/fetching.ts';
import { askAllPages } from '../shared/paging.ts';

/** The voice of pages, with the report's own words. */
export interface ReportVoice extends Voice {
  readonly report: Words<typeof reportMessages>;
}

type Measures = Readonly<Record<string, string>>;

/** Answer of `query_documents` about one kind, with its question. */
export interface Sums extends AnsweredGroups {
  /** Sums withheld for several taxes together. */
  readonly beside?: Measures;
  readonly question: Omit<Question, 'voice'>;
}

/** Sum over all groups; empty if no document counts. */
export function sumOf({ sums: [sum] }: Sums): Measures {
  return sum?.measures ?? {};
}

/** All pages of an answer together. */
interface Collected {
  readonly missing?: readonly Missing[] | undefined;
  readonly not_fetched_yet?: readonly Period[] | undefined;
  /** Its warnings, without their mark. */
  readonly remarks: readonly string[];
  /** False if the call's time ran out before the last page. */
  readonly isWhole: boolean;
}

/** Notes that wait for a manifestation. */
export interface WaitingNotes extends Collected, Period {
  readonly total: number;
  readonly tacitly_confirmed: number;
  readonly pending: readonly PendingNote[];
}

/** What the rules found. */
export interface Checks extends Collected {
  readonly documents: number;
  readonly total: number;
  readonly by_rule: readonly {
    readonly rule: string;
    readonly title?: string;
    readonly count: number;
    readonly severity?: string;
  }[];
  readonly findings: readonly FindingOutput[];
}

export type Books = Collected & ReconcileOutput;

/** The sentence of a warning, without its mark. */
export const withoutMark = (line: string): string => line.replace(/^⚠\s*/, '');

/** Company and period of a report. */
export interface Asked extends Period {
  readonly company: string;
  readonly areas: readonly DocumentArea[];
  /** `YYYY-MM-DD`, where the company is. */
  readonly today: string;
}

/** Today counts as under way: its documents are still coming. */
export const isUnderWay = ({ to, today }: Asked): boolean => to >= today;

/** Asks the tools about the company and period of a report. */
export function createAsking(asked: Asked, context: CallContext) {
  const { company, areas, today, from, to } = asked;
  const days = { from, to };
  async function allPages<Answer>(tool: ReadTool, args: Readonly<Record<string, unknown>>, list: string) {
    const { first, rows, warnings, isWaiting } = await askAllPages(tool, args, list, context);
    const answer = { ...first, [list]: rows, remarks: warnings.map(withoutMark), isWhole: !isWaiting };
    return answer as unknown as Answer;
  }
  return {
    asked,
    /** Sums of documents of one kind and direction. */
    async sums(area: DocumentArea, direction: 'inbound' | 'outbound', more: object): Promise<Sums> {
      const args = { document: [area], cnpj: [company], ...days, direction, ...more };
      const input = queryDocuments.input().parse(args);
      const { structured } = await queryDocuments.run(input, { ...context, hasViews: false });
      const subject = { areas: [area], direction, ...days, today };
      const question = { call: { tool: 'query_documents', args }, subject } as const;
      return { ...(structured as unknown as AnsweredGroups), question };
    },
    /** Notes of any period that wait for a manifestation today. */
    pending: () => allPages<WaitingNotes>(listPendingManifestations, { cnpj: company }, 'pending'),
    /** Findings of the rules in the period. */
    checks: () => allPages<Checks>(checkDocuments, { document: areas, cnpj: [company], ...days }, 'findings'),
    /** Differences between the period's documents and files of books and assessment. */
    books: (file: readonly string[]) =>
      allPages<Books>(reconcile, { file, cnpj: company, ...days }, 'findings'),
  };
}

export type Asking = ReturnType<typeof createAsking>;

/** Restricts freight received to what the company pays. */
export const paidBy = (company: string) => ({ payer: [company] });
