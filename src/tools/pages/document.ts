import { referenceOf } from '../../archive/references.ts';
import { isVoid } from '../../archive/schema/expressions.ts';
import type { CallContext } from '../../company/call-context.ts';
import { sheetFor } from '../../company/document-pdf.ts';
import { addDecimals } from '../../documents/decimals.ts';
import { knownEvent } from '../../documents/events/event-names.ts';
import { eventByCode } from '../../documents/events/manifestation.ts';
import { cancellationEvents, eventHistory } from '../../documents/events/statuses.ts';
import { maskTaxId } from '../../documents/identity/tax-ids.ts';
import { type DocumentSummary, kindName, type Party } from '../../documents/summary/summary.ts';
import type { DocumentActions, Figure, Page, Party as ShownParty, State } from '../../views/page.ts';
import { todayOf } from './answered.ts';
import { checksOf } from './document-checks.ts';
import {
  eventsOf,
  type Looked,
  momentText,
  openDeadline,
  type ShownDocument,
  type Verified,
} from './document-facts.ts';
import { documentTables } from './document-tables.ts';
import { createSpeak, type Voice } from './voice.ts';

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

function title({ kind, number, key }: DocumentSummary): string {
  return `${kindName(kind)} ${number ?? key ?? ''}`.trim();
}

function headingIn({ document: { summary }, side }: Looked, { page }: Voice): string {
  const { issuer, recipient } = summary;
  const isOut = side === 'outbound';
  const name = nameOf(isOut ? recipient : issuer);
  if (name === undefined) return title(summary);
  return page(isOut ? 'document.to' : 'document.from', { title: title(summary), name });
}

/** The value, whether it counts, and when the document was issued. */
function leadingFigure(looked: Looked): Figure[] {
  const { document, speak } = looked;
  const { summary, status } = document;
  const { total } = summary.totals;
  if (total === undefined) return [];
  const cancellation = eventsOf(looked).find(({ code = '' }) => cancellationEvents.has(code));
  const isCancelled = isVoid(status);
  const isTest = summary.environment === 'test';
  const issued = (voice: Voice) => {
    const day = voice.day(summary.issued_at?.slice(0, 10) ?? '');
    const words = summary.issued_at === undefined ? '' : voice.page('document.issued', { day });
    return summary.operation === undefined || isCancelled || isTest
      ? words
      : [summary.operation.toLowerCase(), words].filter(Boolean).join(', ');
  };
  const strong = isCancelled
    ? speak((voice) =>
        cancellation?.at === undefined
          ? voice.page(`document.${status}`)
          : voice.page('document.voided', {
              status: voice.page(`document.${status}`),
              at: momentText(cancellation.at, voice, true),
            }),
      )
    : isTest
      ? speak(({ page }) => page('document.test'))
      : undefined;
  return [
    {
      value: speak(({ money }) => money(total)),
      ...(strong !== undefined && { strong, tone: isCancelled ? ('bad' as const) : ('soon' as const) }),
      note: speak((voice) => (strong === undefined ? issued(voice) : issued(voice) && `; ${issued(voice)}`)),
      isStruck: isCancelled,
      isVoid: isCancelled || isTest,
      leads: true,
    },
  ];
}

function figuresOf(looked: Looked): Figure[] {
  const {
    document: { summary, status },
    speak,
    today,
  } = looked;
  const { totals, installments } = summary;
  // Nothing of a cancelled document falls due.
  const next = isVoid(status) ? undefined : installments.find(({ due }) => due !== undefined && due >= today);
  const reform = addDecimals([totals.ibs, totals.cbs]);
  const taxes = [
    ['ICMS', totals.icms],
    ['ISS', totals.iss],
    ['IBS, CBS', reform],
  ] as const;
  return [
    ...leadingFigure(looked),
    ...(installments.length === 0
      ? []
      : [
          {
            value: speak(({ page }) => page('document.installments', { count: installments.length })),
            note:
              next?.due === undefined
                ? ''
                : speak((voice) =>
                    voice.page('document.next_due', {
                      day: voice.shortDay(next.due ?? ''),
                      amount: voice.money(next.amount ?? '0'),
                    }),
                  ),
          },
        ]),
    ...taxes.flatMap(([name, value]) =>
      value === undefined || Number(value) === 0
        ? []
        : [
            {
              value: speak(({ amount }) => amount(value)),
              note: speak(({ page }) => page('column.reais', { name })),
            },
          ],
    ),
  ].slice(0, 4);
}

function statesOf(looked: Looked): State[] {
  const { document, speak } = looked;
  const { summary, status } = document;
  const deadline = openDeadline(looked);
  const at = (moment: string | undefined) => speak((voice) => momentText(moment, voice));
  const history = eventHistory(
    summary,
    document.events.map((one) => one.summary),
  );
  const events = history.map(({ code = '', name, at: moment, undone }): State => {
    const known =
      knownEvent(summary.kind, code)?.name ??
      (eventByCode(code)
        ? speak((voice) => voice.name('event', eventByCode(code)?.name ?? ''))
        : (name ?? code));
    const isBad = cancellationEvents.has(code);
    return {
      name: undone
        ? speak((voice) =>
            voice.page('document.undone', {
              name: typeof known === 'string' ? known : known[voice.language === 'en' ? 1 : 0],
            }),
          )
        : known,
      at: at(moment),
      tone: isBad ? 'bad' : code === '110110' ? 'soon' : undefined,
    };
  });
  const isAuthorized = summary.protocol?.at !== undefined;
  return [
    {
      name: speak(({ page }) =>
        page(isAuthorized && status !== 'denied' ? 'document.authorized' : `document.${status}`),
      ),
      at: at(summary.protocol?.at),
      tone: status === 'denied' || status === 'no_protocol' ? 'bad' : undefined,
    },
    ...events,
    ...(deadline === undefined
      ? []
      : [
          {
            name: speak(({ page }) => page('document.unmanifested')),
            at: speak((voice) => voice.page('document.until', { day: voice.shortDay(deadline.lastDay) })),
          },
        ]),
  ];
}

function partiesOf({ document: { summary }, speak }: Looked): ShownParty[] {
  const isService = summary.kind === 'nfse';
  const roles = [
    [isService ? 'party.provider' : 'party.issuer', summary.issuer],
    ['party.sender', summary.sender],
    [isService ? 'party.taker' : 'party.recipient', summary.recipient],
    ['party.payer', summary.payer],
  ] as const;
  return roles.flatMap(([role, party]) => {
    if (party === undefined || nameOf(party) === undefined) return [];
    const registration = party.state_registration === undefined ? '' : `IE ${party.state_registration}`;
    const place = [party.city, party.state].filter(Boolean).join(', ');
    const { tax_regime: regime } = party;
    return [
      {
        role: speak(({ page }) => page(role)),
        name: nameOf(party) ?? '',
        lines: [
          [party.id && maskTaxId(party.id), registration].filter(Boolean).join(' · '),
          speak((voice) =>
            [place, regime === undefined ? '' : voice.name('regime', regime)].filter(Boolean).join(' · '),
          ),
        ],
      },
    ];
  });
}

/** How calls name a document; undefined where it lacks what that takes. */
function namedAs(summary: DocumentSummary): DocumentActions['named'] {
  const reference = referenceOf(summary);
  if (reference?.document !== 'nfse' || !('number' in reference)) return reference && { ...reference };
  return {
    document: reference.document,
    number: reference.number,
    issue_date: reference.issueDate,
    issuer_cnpj: reference.issuer,
  };
}

/** A document at a glance, and its form where its own text is at hand. */
export async function documentPage(
  document: ShownDocument,
  context: CallContext,
  verified?: Verified,
): Promise<Page> {
  const { summary, xml } = document;
  const { cnpj } = context.company.settings;
  const speak = createSpeak(context);
  const side = sideOf(summary, cnpj);
  const looked: Looked = { document, side, speak, context, today: todayOf(context) };
  const own = [summary.issuer, summary.recipient, summary.payer].find(
    (party) => party?.id === cnpj && cnpj !== undefined,
  );
  const named = namedAs(summary);
  const sheet = xml === undefined ? undefined : await sheetFor(xml, document, context.translator);
  const figures = figuresOf(looked);
  const heading = speak((voice) => headingIn(looked, voice));
  return {
    ...(own?.id !== undefined && { company: { id: maskTaxId(own.id), name: own.name } }),
    ...(side !== undefined && { role: speak(({ page }) => page(`document.role_${side}`)) }),
    heading,
    answer: heading,
    figures,
    states: statesOf(looked),
    checks: checksOf(looked, named, verified),
    parties: partiesOf(looked),
    notices: [],
    tables: documentTables(summary, speak),
    presses: [],
    document: {
      title: title(summary),
      key: summary.key,
      named,
      sheet,
      portal: officialAddress(sheet?.head.qr),
    },
  };
}

function officialAddress(text = ''): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname } = new URL(text);
  return /^https?:$/.test(protocol) && hostname.endsWith('.gov.br') ? text : undefined;
}
