import { currentRules, judge } from '../../documents/rules/index.ts';
import { summaryFrom } from '../schema/encoding.ts';
import type { Session } from '../schema/schema.ts';
import { inParts, insertRows } from '../schema/sql.ts';

/** Keeps what is judged of documents, by their ids. */
export async function writeJudgements(
  { db, tenant }: Session,
  judgements: Iterable<readonly [id: number, judgement: string]>,
): Promise<void> {
  const rows = Array.from(judgements, ([document_id, judgement]) => ({
    tenant,
    document_id,
    rules: currentRules,
    judgement,
  }));
  await insertRows(
    db,
    'judgements',
    rows,
    'on conflict (tenant, document_id) do update set rules = excluded.rules, judgement = excluded.judgement',
  );
}

/** Judges documents by their kept summaries, where nobody did or an earlier version of the program. */
export async function judgeAgain(session: Session, ids: readonly number[]): Promise<void> {
  const { db, tenant } = session;
  const rows = await inParts(ids, (part) =>
    db
      .selectFrom('contents')
      .select(['document_id', 'summary'])
      .where('tenant', '=', tenant)
      .where('document_id', 'in', part)
      .execute(),
  );
  await writeJudgements(
    session,
    rows.map(({ document_id, summary }) => [document_id, JSON.stringify(judge(summaryFrom(summary)))]),
  );
}
