import { type Direction, referenceOf } from '../../archive/references.ts';
import type { CallContext } from '../../company/call-context.ts';
import { type Standing, sheetFor } from '../../company/document-pdf.ts';
import { addDecimals } from '../../documents/decimals.ts';
import { eventHistory } from '../../documents/events/event-history.ts';
import { CORRECTION_LETTER, cancellationEvents, knownEvent } from '../../documents/events/event-names.ts';
import { eventByCode } from '../../documents/events/manifestation.ts';
import { deadlineOf } from '../../documents/events/objections.ts';
import { maskTaxId } from '../../documents/identity/tax-ids.ts';
import { judge, ownRules } from '../../documents/rules/index.ts';
import { type DocumentSummary, isVoid, kindName, type Party } from '../../documents/summary/summary.ts';
import type { Translator } from '../../messages/index.ts';
import { textIn } from '../../messages/message.ts';
import type { Check, Figure, Page, Party as ShownParty, State } from '../../page/page.ts';
import { todayOf } from '../shared/period.ts';
import { warningTexts } from '../shared/summary-output.ts';
import { documentTables } from './document-tables.ts';
import { inBoth, present, type Voice } from './voice.ts';

/** A document with its text, where that is at hand. */
export type ShownDocument = Standing & {
  readonly xml?: string | undefined;
  readonly source?: string;
  readonly status_from?: string;
};

export interface Verified {
  readonly isBad: boolean;
  readonly linesIn: (translator: Translator) => string[];
}

/** Direction of a document for the company; inbound also if it issued the note for goods that it receives. */
function sideOf(
  { issuer, recipient, payer, flow }: DocumentSummary,
  company?: string,
): Direction | undefined {
  if (company === undefined) return undefined;
  if (issuer?.id === company) return flow === '0' ? 'inbound' : 'outbound';
  return recipient?.id === company || payer?.id === company ? 'inbound' : undefined;
}

type Looked = ReturnType<typeof lookAt>;

function lookAt(document: ShownDocument, context: CallContext) {
  const { summary, status } = document;
  const { cnpj, timeZone } = context.company.settings;
  const side = sideOf(summary, cnpj);
  /** Registered events, the oldest first. */
  const history = eventHistory(document);
  /** The effective ones of the history. */
  const standing = history.filter(({ undone }) => undone === undefined);
  const isDone = standing.some(({ code = '' }) => eventByCode(code)?.conclusive === true);
  const isToManifest = summary.kind === 'nfe' && side === 'inbound' && status === 'authorized' && !isDone;
  const isOfOthers = summary.issuer?.id !== cnpj && summary.environment !== 'test';
  const authorizedAt = summary.protocol?.at ?? '';
  const now = new Date(context.company.now());
  /** Deadline of a conclusive manifestation that a received note lacks. */
  const deadline =
    isToManifest && isOfOthers ? deadlineOf('confirmacao', { authorizedAt }, now, timeZone) : undefined;
  const reference = referenceOf(summary);
  /** Arguments that name it in calls; undefined if it lacks one. */
  const named = reference && { ...reference };
  return { document, side, history, standing, deadline, named, context };
}

function momentText(at: string | undefined, { shortDay, time, day }: Voice, isWhole = false): string {
  if (at === undefined || Number.isNaN(Date.parse(at))) return '';
  const written = isWhole ? day(at.slice(0, 10)) : shortDay(at.slice(0, 10));
  return at.length > 10 ? `${written}, ${time(at)}` : written;
}

function nameOf(party: Party | undefined): string | undefined {
  return party?.name ?? (party?.id && maskTaxId(party.id));
}

function titleOf({ kind, number, key }: DocumentSummary): string {
  return `${kindName(kind)} ${number ?? key ?? ''}`.trim();
}

function headingOf({ document: { summary }, side }: Looked, { page }: Voice): string {
  const isOut = side === 'outbound';
  const title = titleOf(summary);
  const name = nameOf(isOut ? summary.recipient : summary.issuer);
  return name === undefined ? title : page(isOut ? 'document.to' : 'document.from', { title, name });
}

/** The value, whether it counts, and when the document was issued. */
function leadingFigure(looked: Looked, voice: Voice): Figure | undefined {
  const { page } = voice;
  const { summary, status } = looked.document;
  const { totals, operation, issued_at: at } = summary;
  if (totals.total === undefined) return undefined;
  const isCancelled = isVoid(status);
  const isUnvalued = isCancelled || summary.environment === 'test';
  const issued = at === undefined ? '' : page('document.issued', { day: voice.day(at.slice(0, 10)) });
  const figure = {
    value: voice.money(totals.total),
    isStruck: isCancelled,
    isVoid: isUnvalued,
    leads: true,
  };
  if (!isUnvalued) return { ...figure, note: present(operation?.toLowerCase(), issued).join(', ') };
  const cancelledAt = looked.standing.find(({ code = '' }) => cancellationEvents.has(code))?.at;
  const state = isCancelled ? page(`document.${status}`) : page('document.test');
  const strong =
    isCancelled && cancelledAt !== undefined
      ? page('document.voided', { status: state, at: momentText(cancelledAt, voice, true) })
      : state;
  return { ...figure, strong, tone: isCancelled ? 'bad' : 'soon', note: issued && `; ${issued}` };
}

function figuresOf(looked: Looked, voice: Voice): Figure[] {
  const { summary, status } = looked.document;
  const { totals, installments } = summary;
  const today = todayOf(looked.context);
  // Nothing of a cancelled document falls due.
  const next = isVoid(status) ? undefined : installments.find(({ due }) => due !== undefined && due >= today);
  const nextDue = next?.due && {
    day: voice.shortDay(next.due),
    amount: voice.money(next.amount ?? '0'),
  };
  const taxes = [
    ['ICMS', totals.icms],
    ['ISS', totals.iss],
    ['IBS, CBS', addDecimals([totals.ibs, totals.cbs])],
  ] as const;
  return present<Figure>(
    leadingFigure(looked, voice),
    installments.length > 0 && {
      value: voice.page('document.installments', { count: installments.length }),
      note: nextDue ? voice.page('document.next_due', nextDue) : '',
    },
    ...taxes.map(
      ([name, value]) =>
        value !== undefined &&
        Number(value) !== 0 && { value: voice.amount(value), note: voice.page('column.reais', { name }) },
    ),
  ).slice(0, 4);
}

function statesOf({ document, history, deadline }: Looked, voice: Voice): State[] {
  const { page } = voice;
  const { summary, status } = document;
  const { at: authorizedAt } = summary.protocol ?? {};
  return present<State>(
    {
      name: page(
        authorizedAt !== undefined && status !== 'denied' ? 'document.authorized' : `document.${status}`,
      ),
      at: momentText(authorizedAt, voice),
      tone: status === 'denied' || status === 'no_protocol' ? 'bad' : undefined,
    },
    ...history.map(({ code = '', name: given, at, undone }): State => {
      const known = knownEvent(summary.kind, code)?.name;
      const own = eventByCode(code);
      const name = known
        ? textIn(known, voice.language)
        : own
          ? voice.name('event', own.name)
          : (given ?? code);
      return {
        name: undone ? page('document.undone', { name }) : name,
        at: momentText(at, voice),
        tone: cancellationEvents.has(code) ? 'bad' : code === CORRECTION_LETTER ? 'soon' : undefined,
      };
    }),
    deadline && {
      name: page('document.unmanifested'),
      at: page('document.until', { day: voice.shortDay(deadline.lastDay) }),
    },
  );
}

function partiesOf({ kind, issuer, sender, recipient, payer }: DocumentSummary, voice: Voice): ShownParty[] {
  const isService = kind === 'nfse';
  const roles = [
    [isService ? 'party.provider' : 'party.issuer', issuer],
    ['party.sender', sender],
    [isService ? 'party.taker' : 'party.recipient', recipient],
    ['party.payer', payer],
  ] as const;
  return roles.flatMap(([role, party]) => {
    const name = nameOf(party);
    if (party === undefined || name === undefined) return [];
    const { id, state_registration: registration, city, state, tax_regime: regime } = party;
    const place = present(city, state).join(', ');
    return [
      {
        role: voice.page(role),
        name,
        lines: [
          present(id && maskTaxId(id), registration && `IE ${registration}`).join(' · '),
          present(place, regime && voice.name('regime', regime)).join(' · '),
        ],
      },
    ];
  });
}

type Lines = Check['lines'];

/** Deviations from one rule that are shown. */
const MOST_DEVIATIONS = 5;

/** Findings of the rules about one document, warnings, and texts of corrections. */
function toCheck({ document, standing, context }: Looked, voice: Voice): Check {
  const { summary, status } = document;
  const { page } = voice;
  const verdicts = status === 'authorized' ? judge(summary).verdicts : [];
  const findings = ownRules.flatMap(({ finding, todo }, at) =>
    (verdicts[at] || []).slice(0, MOST_DEVIATIONS).map(({ found, expected, values }) => {
      const said = { found, expected, ...values };
      return [voice.textOf(finding, said), voice.textOf(todo, said)] as const;
    }),
  );
  const cancellations = standing.filter(({ code = '' }) => cancellationEvents.has(code));
  const corrections = standing.flatMap(({ code, text, at }) =>
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
  const count = verdicts.filter((one) => one !== 0).length;
  const name = page('check.findings');
  if (lines.length > 0) return { name, tone: 'soon', lines };
  return { name, lines: [[count > 0 ? page('check.none', { count }) : page('check.not_run')]] };
}

function deadlineCheck({ deadline }: Looked, { page, day, inDays }: Voice): Check | undefined {
  if (deadline === undefined) return undefined;
  const { daysLeft, lastDay, tacit } = deadline;
  const isOver = daysLeft < 0;
  const over = tacit === 'yes' ? 'deadline.over_more' : 'deadline.unclear_more';
  const when = inDays(daysLeft);
  const said = page(isOver ? 'deadline.over' : 'deadline.left', { day: day(lastDay), when });
  return {
    name: page('check.deadline'),
    tone: !isOver && daysLeft <= 7 ? 'bad' : undefined,
    lines: [[said, page(isOver ? over : 'deadline.left_more')]],
  };
}

function verifiedCheck({ isBad, linesIn }: Verified, voice: Voice): Check {
  return {
    name: voice.page('check.authenticity'),
    tone: isBad ? 'bad' : undefined,
    lines: linesIn(voice).map((line) => [line]),
  };
}

/** The authorisation as known before verification. */
function knownCheck({ document, named }: Looked, { page, shortDay, dayOf }: Voice): Check {
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

/** An address of the state or the federation. */
function officialAddress(text = ''): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname } = new URL(text);
  return /^https?:$/.test(protocol) && hostname.endsWith('.gov.br') ? text : undefined;
}

/** A document at a glance, and its form where its own text is at hand. */
export async function documentPage(
  document: ShownDocument,
  context: CallContext,
  verified?: Verified,
): Promise<Page> {
  const { summary, xml } = document;
  const { cnpj } = context.company.settings;
  const looked = lookAt(document, context);
  const { side, named } = looked;
  const own = [summary.issuer, summary.recipient, summary.payer].find(
    (party) => party?.id === cnpj && cnpj !== undefined,
  );
  const sheet = xml === undefined ? undefined : await sheetFor(xml, document, context.translator);
  const portal = officialAddress(sheet?.head.qr);
  return inBoth((voice): Page => {
    const heading = headingOf(looked, voice);
    return {
      company: own?.id === undefined ? undefined : { id: maskTaxId(own.id), name: own.name },
      role: side && voice.page(`document.role_${side}`),
      heading,
      answer: heading,
      figures: figuresOf(looked, voice),
      states: statesOf(looked, voice),
      checks: present(
        toCheck(looked, voice),
        deadlineCheck(looked, voice),
        verified === undefined ? knownCheck(looked, voice) : verifiedCheck(verified, voice),
      ),
      parties: partiesOf(summary, voice),
      notices: [],
      tables: documentTables(summary, voice),
      presses: [],
      document: { title: titleOf(summary), key: summary.key, named, sheet, portal },
    };
  }, context);
}
