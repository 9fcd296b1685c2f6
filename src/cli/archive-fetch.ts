import type { DocumentArea } from '../archive/references.ts';
import type { PurgeSelection } from '../archive/write/purge.ts';
import { UpstreamError } from '../clients/errors.ts';
import type { CallContext } from '../company/call-context.ts';
import type { Company } from '../company/company.ts';
import { NotConfigured, SecretFileUnusable } from '../company/credentials.ts';
import { noDeadline } from '../company/deadline.ts';
import { BadArguments, explainFailure } from '../company/failures.ts';
import { kindName } from '../documents/summary/summary.ts';
import { basisSentences, unknownDocuments } from '../tools/shared/basis.ts';
import { type Basis, ensureFetched } from '../tools/shared/fetching.ts';
import { statuses } from '../tools/shared/filters.ts';
import { recentDays } from '../tools/shared/period.ts';
import { MISCONFIGURED } from './problems.ts';
import { type ProgressLine, progressLine, untilStopped } from './progress-line.ts';

const areas: readonly DocumentArea[] = ['nfe', 'nfse', 'cte'];

/** Without dates: the days whose notes may still change. Source: docs/fiscal/events.md. */
const LAST_DAYS = 100;

/** A daily schedule starts the next run by then. */
const LONGEST_MS = 24 * 3_600_000;

/** Reports days skipped at the deadline like failed ones. */
function withoutPending(basis: Basis, { translator }: CallContext): Basis {
  const reason = translator.say('archive.fetch_time_over');
  return {
    ...basis,
    missing: [...basis.missing, ...basis.pending.map((range) => ({ ...range, reason }))],
    pending: [],
  };
}

/**
 * Fetches missing and stale days of a period; all days with `--refresh`. Progress goes to standard error, a line per
 * kind to standard output. Exit status 1: still incomplete; 2: settings are missing.
 * @throws ArchiveError
 */
export async function fetchIntoArchive(
  company: Company,
  { company: named, area, from, to }: PurgeSelection,
  refresh: boolean,
): Promise<string[]> {
  const { translator, settings } = company;
  const owner = named ?? settings.cnpj;
  if (owner === undefined) return misconfigured(translator.say('archive.fetch_company'));
  const line = progressLine(0);
  return untilStopped(async (signal) => {
    const context: CallContext = {
      company,
      translator,
      signal,
      caller: signal,
      deadline: noDeadline(),
      principal: 'local',
      hasViews: false,
      isDue: () => true,
      progress: async (done, total, message) => line.tell(message, done, total),
    };
    const lines: string[] = [];
    try {
      const days = recentDays({ from, to }, LAST_DAYS, context);
      // Fails without a service; otherwise the user's files would answer and nothing would be fetched.
      await company.documents();
      for (const one of area === undefined ? areas : [area]) {
        lines.push(...(await fetchKind({ company: owner, area: one, ...days }, refresh, context, line)));
      }
    } catch (error) {
      if (signal.aborted) {
        line.say(translator.say('archive.fetch_stopped'));
        process.exitCode = 1;
        return lines;
      }
      const isOfSettings = error instanceof NotConfigured || error instanceof SecretFileUnusable;
      if (error instanceof BadArguments) return misconfigured(error.reasons.join('\n'));
      if (isOfSettings) return misconfigured(explainFailure(error, translator) ?? error.message);
      throw error;
    }
    return lines;
  }).finally(line.end);
}

function misconfigured(words: string): string[] {
  console.error(words);
  process.exitCode = MISCONFIGURED;
  return [];
}

interface Asked {
  readonly company: string;
  readonly area: DocumentArea;
  readonly from: string;
  readonly to: string;
}

async function fetchKind(
  asked: Asked,
  refresh: boolean,
  context: CallContext,
  line: ProgressLine,
): Promise<string[]> {
  const { translator } = context;
  const { company, area, from, to } = asked;
  const subject = [
    kindName(area),
    translator.say('cover.company', { company }),
    translator.period({ from, to }),
  ].join(', ');
  line.say(translator.say('archive.fetching', { subject }));
  const progress = (done: number, total: number, words: string) =>
    context.progress(done, total, `${kindName(area)}: ${words}`);
  try {
    const since = refresh ? new Date(context.company.now()) : undefined;
    const fetching = { since, deadline: Date.now() + LONGEST_MS };
    const found = await ensureFetched({ ...asked, by: 'issue' }, { ...context, progress }, fetching);
    const basis = withoutPending(found, context);
    const selection = { ...asked, by: 'issue', filters: { status: statuses } } as const;
    const { total } = await basis.archive.list({ ...selection, limit: 1 });
    if (basis.missing.length + unknownDocuments(basis.unreadable).length > 0) process.exitCode = 1;
    return [
      translator.say('archive.fetched', { subject, documents: basis.fetched }),
      ...basisSentences(basis, total, [], context).map((sentence) => `  ${sentence}`),
    ];
  } catch (error) {
    // A failure of one kind must not stop the others.
    if (!(error instanceof UpstreamError) || context.signal.aborted) throw error;
    process.exitCode = 1;
    return [
      translator.say('archive.fetch_failed', { subject, reason: explainFailure(error, translator) ?? '' }),
    ];
  }
}
