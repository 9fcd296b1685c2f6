import type { CallContext } from '../../company/call-context.ts';
import type { Standing } from '../../company/document-pdf.ts';
import { CORRECTION_LETTER, cancellationEvents } from '../../documents/events/event-names.ts';
import { eventByCode } from '../../documents/events/manifestation.ts';
import { deadlineOf } from '../../documents/events/objections.ts';
import { maskTaxId } from '../../documents/identity/tax-ids.ts';
import { judge, rules } from '../../documents/rules/index.ts';
import type { AuthorizationCheck, ContentCheck } from '../../documents/signatures/content.ts';
import type { SignerCheck } from '../../documents/signatures/signer.ts';
import type { DocumentStatus } from '../../documents/summary/summary.ts';
import { createRuleTeller } from '../../messages/index.ts';
import type { Check, DocumentActions } from '../../page/page.ts';
import { standingOf, warningTexts } from '../shared/summary-output.ts';
import { present, type Voice } from './voice.ts';

/** A document with its text, where that is at hand. */
export type ShownDocument = Standing & {
  readonly xml?: string | undefined;
  readonly source?: string;
  readonly status_from?: string;
};

/** A document as its page looks at it. */
export interface Looked {
  readonly document: ShownDocument;
  readonly side: 'inbound' | 'outbound' | undefined;
  readonly context: CallContext;
}

/** Registered events that stand, the oldest first. */
export function eventsOf({ document }: Looked) {
  return standingOf(document);
}

/** Day and time of an event. */
export function momentText(at: string | undefined, { shortDay, time, day }: Voice, isWhole = false): string {
  if (at === undefined || Number.isNaN(Date.parse(at))) return '';
  const written = isWhole ? day(at.slice(0, 10)) : shortDay(at.slice(0, 10));
  return at.length > 10 ? `${written}, ${time(at)}` : written;
}

/** Deadline of a conclusive manifestation that a received note lacks; test documents have none. */
export function openDeadline(looked: Looked) {
  const { document, side, context } = looked;
  const { summary, status } = document;
  const { cnpj, timeZone } = context.company.settings;
  const isDone = eventsOf(looked).some(({ code = '' }) => eventByCode(code)?.conclusive === true);
  if (summary.kind !== 'nfe' || side !== 'inbound' || status !== 'authorized' || isDone) return undefined;
  if (summary.issuer?.id === cnpj || summary.environment === 'test') return undefined;
  const authorizedAt = summary.protocol?.at ?? '';
  return deadlineOf('confirmacao', { authorizedAt }, new Date(context.company.now()), timeZone);
}

type Lines = Check['lines'];

/** What `verify_document` found. */
export interface Verified {
  readonly content: Pick<ContentCheck, 'result' | 'reason'>;
  readonly signer: SignerCheck;
  /** `status` is the service's; `reason` explains why it is absent. */
  readonly authorization: AuthorizationCheck & { status?: DocumentStatus; reason?: string };
}

/** Deviations from one rule that are shown. */
const MOST_DEVIATIONS = 5;

/** Findings of the rules about one document, warnings, and texts of corrections. */
function toCheck(looked: Looked, voice: Voice): Check {
  const { document, context } = looked;
  const { summary, status } = document;
  const { page } = voice;
  const { tell } = createRuleTeller(rules, voice);
  const { found, applied } = status === 'authorized' ? judge(summary) : { found: [], applied: '' };
  const findings = found.flatMap(([code, deviations]) =>
    deviations.slice(0, MOST_DEVIATIONS).map(({ found: is, expected, values }) => {
      const said = { found: is, expected, ...values };
      return [tell(code, 'finding', said), tell(code, 'todo', said)] as const;
    }),
  );
  const events = eventsOf(looked);
  const cancellations = events.filter(({ code = '' }) => cancellationEvents.has(code));
  const corrections = events.flatMap(({ code, text, at }) =>
    code !== CORRECTION_LETTER || text === undefined ? [] : { day: momentText(at, voice), text },
  );
  const warnings = warningTexts(summary, context.company.settings.cnpj, voice);
  const lines = present<Lines[number]>(
    ...cancellations.map(({ text }) => {
      const why = text === undefined ? page('document.no_reason') : `“${text}”`;
      return [why, page('document.out_of_sums')] as const;
    }),
    ...findings,
    ...warnings.map(({ message }) => [message] as const),
    ...corrections.map(
      (one) => [page('document.correction', one), page('document.correction_more')] as const,
    ),
    summary.environment === 'test' && [page('document.test_more')],
  );
  const count = applied.replaceAll('0', '').length;
  const name = page('check.findings');
  if (lines.length > 0) return { name, tone: 'soon', lines };
  return { name, lines: [[count > 0 ? page('check.none', { count }) : page('check.not_run')]] };
}

function deadlineCheck(looked: Looked, { page, day }: Voice): Check | undefined {
  const deadline = openDeadline(looked);
  if (deadline === undefined) return undefined;
  const { daysLeft, lastDay, tacit } = deadline;
  const isOver = daysLeft < 0;
  const name = isOver ? 'deadline.over' : daysLeft === 0 ? 'deadline.today' : 'deadline.left';
  const over = tacit === 'yes' ? 'deadline.over_more' : 'deadline.unclear_more';
  const said = page(name, { day: day(lastDay), days: Math.abs(daysLeft) });
  return {
    name: page('check.deadline'),
    tone: !isOver && daysLeft <= 7 ? 'bad' : undefined,
    lines: [[said, page(isOver ? over : 'deadline.left_more')]],
  };
}

function verifiedCheck({ content, signer, authorization }: Verified, { page, say }: Voice): Check {
  const { status, reason } = authorization;
  const answered = status && page('authenticity.status', { status: say(`status.${status}`) });
  const signedBy = present(signer.name, signer.id && maskTaxId(signer.id)).join(', ');
  const isBad =
    content.result === 'changed' || signer.result === 'differs' || authorization.result === 'contradicted';
  return {
    name: page('check.authenticity'),
    tone: isBad ? 'bad' : undefined,
    lines: present<Lines[number]>(
      [page(`authorization.${authorization.result}`), reason ?? answered],
      authorization.protocol_matches === false && [page('verified.protocol_differs')],
      authorization.key_matches === false && [page('verified.key_differs')],
      [page(`content.${content.result}`), content.reason && say(`verify.reason_${content.reason}`)],
      [page(`signer.${signer.result}`), signedBy || undefined],
      signer.valid_at_issue === false && [page('verified.expired')],
      [page(`chain.${signer.chain}`)],
    ),
  };
}

/** The authorisation as known before verification. */
function knownCheck({ document }: Looked, named: DocumentActions['named'], voice: Voice): Check {
  const { page, shortDay, dayOf } = voice;
  const { summary, status_at: at, status_from: from } = document;
  const protocol = summary.protocol?.number;
  const source = present(
    protocol !== undefined && page('authenticity.protocol', { protocol }),
    at !== undefined && page('authenticity.looked_up', { day: shortDay(dayOf(at)) }),
  );
  const name = from === 'service' ? 'authenticity.service' : 'authenticity.document';
  return {
    name: page('check.authenticity'),
    lines: [[page(name), source.join(', ')]],
    press: named && { tool: 'verify_document', args: named, text: page('press.verify') },
  };
}

/** What to check of a document, until when to answer it, and whether it is genuine. */
export function checksOf(
  looked: Looked,
  named: DocumentActions['named'],
  verified: Verified | undefined,
  voice: Voice,
): Check[] {
  return present(
    toCheck(looked, voice),
    deadlineCheck(looked, voice),
    verified === undefined ? knownCheck(looked, named, voice) : verifiedCheck(verified, voice),
  );
}
