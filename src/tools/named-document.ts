import { addDays, earlier, firstDay, lastDay, monthOf, type Period } from '../archive/days.ts';
import type { DocumentArea, DocumentReference } from '../archive/references.ts';
import type { CallContext } from '../company/call-context.ts';
import { Unfulfilled } from '../company/failures.ts';
import { dayInZone } from '../documents/days.ts';
import { type AccessKey, checkDocumentKey, type NationalNfseKey } from '../documents/identity/keys.ts';
import { familyOf, kindName } from '../documents/summary/summary.ts';
import { unfit } from './shared/arguments.ts';
import { ensureFetched } from './shared/fetching.ts';
import { companyAsked } from './shared/question.ts';

/** Identity of one document: its key, or an NFS-e's number, day and issuer. */
export interface NamedDocument {
  readonly document: DocumentArea;
  readonly key?: AccessKey | NationalNfseKey | undefined;
  readonly number?: string | undefined;
  readonly issue_date?: string | undefined;
  readonly issuer_cnpj?: { readonly id: string } | undefined;
}

/** A month and the next one, up to today. */
function daysAround(month: string, today: string): Period {
  const next = monthOf(addDays(lastDay(month), 1));
  return { from: firstDay(month), to: earlier(lastDay(next), today) };
}

/**
 * Finds a national NFS-e by its key; an unknown one is fetched from the key's month and the next. @throws Unfulfilled
 */
async function noteOfKey(
  { key, number, month }: NationalNfseKey,
  context: CallContext,
): Promise<DocumentReference> {
  const { signal } = context;
  const known = await context.company.memory.named(key, signal);
  if (known !== undefined) return known;
  const company = await companyAsked({}, context);
  const days = daysAround(month, dayInZone(context.company.settings.timeZone, context.company.now()));
  const selection = { company, area: 'nfse', by: 'issue', ...days } as const;
  if (days.from <= days.to) {
    await ensureFetched(selection, context);
    const found = await context.company.memory.named(key, signal);
    if (found !== undefined) return found;
  }
  throw new Unfulfilled('failure.nfse_key_not_found', { number, month, company });
}

/** A key with wrong check digits is accepted if the user's files have it. @throws BadArguments, NotInFiles */
async function checkInFiles(key: string, context: CallContext): Promise<void> {
  const { company, translator, signal } = context;
  const checked = checkDocumentKey(key);
  if (checked.ok) return;
  if (await company.memory.isFiled(key, signal)) return;
  throw unfit('key', translator.problem(checked.problem), context);
}

/** Reference of the named document. @throws Unfulfilled with the way to name its kind */
export async function referenceFrom(args: NamedDocument, context: CallContext): Promise<DocumentReference> {
  const { document, key, number, issue_date: issueDate, issuer_cnpj: issuer } = args;
  const isByKey = key !== undefined && !number && !issueDate && !issuer;
  if (document === 'nfse') {
    if (isByKey && !('kind' in key)) return noteOfKey(key, context);
    if (key !== undefined || !number || !issueDate || !issuer) throw new Unfulfilled('failure.identify_nfse');
    return { document, number: number.trim(), issueDate, issuer: issuer.id };
  }
  if (!isByKey) throw new Unfulfilled('failure.identify_by_key', { kind: kindName(document) });
  const found = 'kind' in key ? key.kind : 'nfse';
  const area = familyOf(found);
  if (area !== document) {
    const values = { found: kindName(found), asked: kindName(document), document: area };
    throw new Unfulfilled('failure.key_of_other_kind', values);
  }
  await checkInFiles(key.key, context);
  return { document, key: key.key };
}
