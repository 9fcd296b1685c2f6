import { referenceOf } from '../../archive/references.ts';
import { isVoid } from '../../archive/schema/sql.ts';
import type { CallContext } from '../../company/call-context.ts';
import { sheetFor } from '../../company/document-pdf.ts';
import { addDecimals } from '../../documents/decimals.ts';
import { eventHistory } from '../../documents/events/event-history.ts';
import { CORRECTION_LETTER, cancellationEvents, knownEvent } from '../../documents/events/event-names.ts';
import { eventByCode } from '../../documents/events/manifestation.ts';
import { maskTaxId } from '../../documents/identity/tax-ids.ts';
import { type DocumentSummary, kindName, type Party } from '../../documents/summary/summary.ts';
import { textIn } from '../../messages/message.ts';
import type { DocumentActions, Figure, Page, Party as ShownParty, State } from '../../page/page.ts';
import { todayOf } from '../shared/period.ts';
import {
  checksOf,
  eventsOf,
  type Looked,
  momentText,
  openDeadline,
  type ShownDocument,
  type Verified,
} from './document-checks.ts';
import { documentTables } from './document-tables.ts';
import { inBoth, present, type Voice } from './voice.ts';

/** Whether the company receives or issues a document; by the goods' way where the issuer takes them in. */
function sideOf(
  { issuer, recipient, payer, flow }: DocumentSummary,
  company: string | undefined,
): Looked['side'] {
  if (company === undefined) return undefined;
  if (issuer?.id === company) return flow === '0' ? 'inbound' : 'outbound';
  return recipient?.id === company || payer?.id === company ? 'inbound' : undefined;
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
  const cancelledAt = eventsOf(looked).find(({ code = '' }) => cancellationEvents.has(code))?.at;
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

function statesOf(looked: Looked, voice: Voice): State[] {
  const { page } = voice;
  const { summary, status, events } = looked.document;
  const deadline = openDeadline(looked);
  const { at: authorizedAt } = summary.protocol ?? {};
  const history = eventHistory(
    summary,
    events.map((one) => one.summary),
  );
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

function partiesOf({ document: { summary } }: Looked, voice: Voice): ShownParty[] {
  const { kind, issuer, sender, recipient, payer } = summary;
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

/** How calls name a document; undefined where it lacks what that takes. */
function namedAs(summary: DocumentSummary): DocumentActions['named'] {
  const reference = referenceOf(summary);
  if (reference?.document !== 'nfse' || !('number' in reference)) return reference && { ...reference };
  const { document, number, issueDate: issue_date, issuer: issuer_cnpj } = reference;
  return { document, number, issue_date, issuer_cnpj };
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
  const side = sideOf(summary, cnpj);
  const looked: Looked = { document, side, context };
  const own = [summary.issuer, summary.recipient, summary.payer].find(
    (party) => party?.id === cnpj && cnpj !== undefined,
  );
  const named = namedAs(summary);
  const sheet = xml === undefined ? undefined : await sheetFor(xml, document, context.translator);
  const portal = officialAddress(sheet?.head.qr);
  const pageIn = (voice: Voice): Page => {
    const heading = headingOf(looked, voice);
    return {
      company: own?.id === undefined ? undefined : { id: maskTaxId(own.id), name: own.name },
      role: side && voice.page(`document.role_${side}`),
      heading,
      answer: heading,
      figures: figuresOf(looked, voice),
      states: statesOf(looked, voice),
      checks: checksOf(looked, named, verified, voice),
      parties: partiesOf(looked, voice),
      notices: [],
      tables: documentTables(summary, voice),
      presses: [],
      document: { title: titleOf(summary), key: summary.key, named, sheet, portal },
    };
  };
  return inBoth(pageIn, context);
}
