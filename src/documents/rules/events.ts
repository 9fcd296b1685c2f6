import { CORRECTION_LETTER, cancellationEvents, SERVICE_DISAGREEMENT } from '../events/event-names.ts';
import { eventByCode } from '../events/manifestation.ts';
import { deadlineOf, termFrom } from '../events/objections.ts';
import {
  type DocumentFacts,
  isDocument,
  isInEffect,
  type RegisteredEvent,
  type RuleContext,
} from './facts.ts';
import {
  absent,
  type Deviation,
  type Examined,
  kinds,
  type Rule,
  rule,
  type Verdict,
  verified,
} from './rule.ts';

type Among = NonNullable<Rule['among']>;

/** Compares the entry date of a document, if known, with its last event of one type. */
function afterEntry(about: DocumentFacts, event: RegisteredEvent | undefined): Examined[] {
  const { entered_on: expected } = about;
  if (expected === undefined) return [];
  const { code = absent, at } = event ?? {};
  const found = at?.slice(0, 10) ?? absent;
  const isLater = event !== undefined && (at === undefined || found > expected);
  return [{ about, deviations: isLater ? [{ found, expected, values: { code } }] : [] }];
}

/**
 * Other companies' documents with an event that is undated or later than their entry. Documents and events may come in
 * any order.
 * @param isOfSort tests the code of a registered event; a request without a reply does not count
 * @param ofStatus the event implied by a document's own status
 */
function eventsAfterEntry(
  isOfSort: (code: string) => boolean,
  ofStatus?: (facts: DocumentFacts) => RegisteredEvent | undefined,
): Among {
  const eventIn = (facts: DocumentFacts) => {
    const { kind, status, event } = facts;
    if (kind !== 'event') return ofStatus?.(facts);
    return status === 'authorized' && isOfSort(event?.code ?? '') ? event : undefined;
  };
  return function* among(facts, { company }) {
    if (company === undefined) return;
    // A note without a key is identified by its object.
    const entered = new Map<string | DocumentFacts, DocumentFacts>();
    const events = new Map<string | DocumentFacts, RegisteredEvent>();
    for (const one of facts) {
      const { key: name = one, issuer } = one;
      if (isDocument(one) && issuer !== company) entered.set(name, one);
      const [event, known] = [eventIn(one), events.get(name)];
      if (event !== undefined && (known === undefined || (event.at ?? '') > (known.at ?? '')))
        events.set(name, event);
    }
    for (const [name, about] of entered) yield* afterEntry(about, events.get(name));
  };
}

/** Days before a deadline from which it is reported: time to ask and to decide. */
const NEAR_DAYS = { manifestation: 15, disagreement: 10 } as const;

/**
 * Days from the authorisation within which the payer of a CT-e may register the event. Source: docs/fiscal/events.md.
 */
const DISAGREEMENT_DAYS = 45;

const CREDIT_NOTE = '5';
const ACCEPTANCE = '211128';

/**
 * Other companies' documents that need an event of the company and have none among those known. Documents and events
 * may come in any order.
 */
function unsettled(
  waitsFor: (facts: DocumentFacts, company: string, context: RuleContext) => Verdict,
  settles: (code: string) => boolean,
): Among {
  return function* among(facts, context) {
    const { company } = context;
    if (company === undefined) return;
    const waiting = new Map<string, Examined>();
    const settled = new Set<string | undefined>();
    for (const about of facts) {
      const { key, kind, event, issuer } = about;
      if (settles(event?.code ?? '') && about.status === 'authorized') settled.add(key);
      if (key === undefined || kind === 'event' || !isInEffect(about) || issuer === company) continue;
      const deviations = waitsFor(about, company, context);
      if (deviations !== undefined) waiting.set(key, { about, deviations });
    }
    for (const [key, { about, deviations }] of waiting)
      yield { about, deviations: settled.has(key) ? [] : deviations };
  };
}

function ending(
  authorizedAt: string,
  term: { readonly lastDay: string; readonly daysLeft: number } | undefined,
  near: number,
): Deviation[] | undefined {
  if (term === undefined) return undefined;
  const { lastDay, daysLeft } = term;
  if (daysLeft < 0 || daysLeft > near) return [];
  return [{ found: authorizedAt.slice(0, 10), expected: lastDay, values: { days: String(daysLeft) } }];
}

const cancellationBasis = verified('Ajuste SINIEF 07/05 e Ajuste SINIEF 09/07 (cancelamento)');
const correctionBasis = verified('Ajuste SINIEF 07/05, cl. 14ª-A (CC-e)');
const tacitBasis = verified(
  'Ajuste SINIEF 07/05, cl. 15ª-C, na redação do Ajuste SINIEF 14/26; NT 2020.001 v1.60',
);
const disagreementBasis = verified(
  'Ajuste SINIEF 09/07, cl. 17ª, § 6º, na redação do Ajuste SINIEF 31/22; Ajuste SINIEF 36/19, cl. 16ª, § 6º',
);
const acceptanceBasis = verified(
  'NT 2025.002-RTC v1.52, seção 8.11 (evento 211128); Decreto 12.955/2026, art. 59, § 1º',
  '2026-11-23',
);

export const laterEventRules = [
  rule('cancelled_after_entry', 'warning', kinds.all, cancellationBasis, {
    title: ['Cancelado depois da entrada', 'Cancelled after its entry'],
    finding: [
      'cancelado em {found} (evento {code}), depois da entrada ou emissão em {expected}',
      'cancelled on {found} (event {code}), after it was entered or issued on {expected}',
    ],
    todo: [
      'Se já foi escriturado, estorne a entrada e o crédito.',
      'If it is booked, reverse the entry and the credit.',
    ],
    needs: 'entry_days',
    among: eventsAfterEntry(
      (code) => cancellationEvents.has(code),
      ({ status, event = {} }) => (status === 'cancelled' ? event : undefined),
    ),
  }),
  rule('corrected_after_entry', 'warning', kinds.coded, correctionBasis, {
    title: ['Corrigido depois da entrada', 'Corrected after its entry'],
    finding: [
      'carta de correção de {found} (evento {code}), depois da entrada ou emissão em {expected}',
      'correction letter of {found} (event {code}), after it was entered or issued on {expected}',
    ],
    todo: ['Veja o que mudou e ajuste a escrituração.', 'See what changed and adjust the books.'],
    needs: 'entry_days',
    among: eventsAfterEntry((code) => code === CORRECTION_LETTER),
  }),
];

export const deadlineRules = [
  rule('tacit_confirmation_near', 'warning', kinds.nfe, tacitBasis, {
    title: ['Confirmação tácita próxima', 'Tacit confirmation near'],
    finding: [
      'sem manifestação conclusiva; depois de {expected} a operação conta como confirmada ({days:resta|restam} {days} {days:dia|dias})',
      'no conclusive manifestation; after {expected} the operation counts as confirmed ({days} {days:day|days} left)',
    ],
    todo: [
      'Se a operação não ocorreu ou é desconhecida, manifeste até {expected}; depois o evento é rejeitado (596).',
      'If the operation did not take place or is unknown to you, manifest that by {expected}; after that the event is rejected (596).',
    ],
    /** Notes from others to the company that soon count as confirmed. Source: docs/fiscal/events.md, deadlines. */
    among: unsettled(
      ({ kind, recipient, authorized_at: authorizedAt }, company, { now, timeZone }) => {
        if (kind !== 'nfe' || recipient !== company || now === undefined || authorizedAt === undefined)
          return undefined;
        const term = deadlineOf('confirmacao', { authorizedAt }, now, timeZone);
        return ending(authorizedAt, term, NEAR_DAYS.manifestation);
      },
      (code) => eventByCode(code)?.conclusive === true,
    ),
  }),
  rule('cte_disagreement_deadline', 'info', kinds.carriages, disagreementBasis, {
    title: ['Prazo de desacordo do CT-e perto do fim', 'CT-e disagreement deadline near'],
    finding: [
      'o tomador pode registrar “prestação do serviço em desacordo” até {expected} ({days:resta|restam} {days} {days:dia|dias})',
      'the payer (tomador) may register “prestação do serviço em desacordo” until {expected} ({days} {days:day|days} left)',
    ],
    todo: [
      'Se o frete não confere com o contratado, registre o desacordo (610110) até {expected}.',
      'If the freight is not as agreed, register the disagreement (610110) by {expected}.',
    ],
    /** CT-e paid by the company that it can still contest for a few days. */
    among: unsettled(
      ({ kind, payer, authorized_at: authorizedAt }, company, { now, timeZone }) => {
        const isToPay = (kind === 'cte' || kind === 'cteos') && payer === company;
        if (!isToPay || now === undefined || authorizedAt === undefined) return undefined;
        const term = termFrom(authorizedAt, DISAGREEMENT_DAYS, now, timeZone);
        return ending(authorizedAt, term, NEAR_DAYS.disagreement);
      },
      (code) => code === SERVICE_DISAGREEMENT,
    ),
  }),
];

export const reformEventRules = [
  rule('reform_event_due', 'info', kinds.nfe, acceptanceBasis, {
    title: ['Nota de crédito sem o evento de aceite', 'Credit note without the acceptance event'],
    finding: [
      'nota de crédito recebida ({found}) sem o evento {expected} entre os conhecidos; a norma não lhe dá prazo próprio',
      'credit note received ({found}) without event {expected} among those known; the technical note gives it no term of its own',
    ],
    todo: [
      'Se ainda não registrou, informe no seu emissor se aceita o débito, antes do fechamento da apuração do mês; este programa não envia o evento.',
      'If you have not yet, say in your issuing system whether you accept the debit, before the month’s assessment closes; this program does not send the event.',
    ],
    among: unsettled(
      ({ kind, purpose, recipient }, company) =>
        kind === 'nfe' && recipient === company && purpose === CREDIT_NOTE
          ? [{ found: 'finNFe 5', expected: ACCEPTANCE }]
          : undefined,
      (code) => code === ACCEPTANCE,
    ),
  }),
];
