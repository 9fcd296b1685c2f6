import { SERVICE_DISAGREEMENT } from '../events/event-names.ts';
import { manifestationEvents } from '../events/manifestation.ts';
import { deadlineOf, termFrom } from '../events/objections.ts';
import { type DocumentFacts, isInEffect, type RuleContext } from './facts.ts';
import {
  type Accumulator,
  about,
  type Deviation,
  type Examined,
  kinds,
  type Rule,
  type Verdict,
  verified,
} from './rule.ts';

/** Days before a deadline from which it is reported: time to ask, and to decide. */
const NEAR_DAYS = { manifestation: 15, disagreement: 10 } as const;

/** Days from the authorisation in which the taker of a CT-e may register the event. Source: docs/fiscal/events.md. */
const DISAGREEMENT_DAYS = 45;

const CREDIT_NOTE = '5';
const ACCEPTANCE = '211128';

const conclusiveCodes = new Set<string | undefined>(
  Object.values(manifestationEvents).flatMap(({ code, conclusive }) => (conclusive ? code : [])),
);

/** Documents that wait for an event and have none among those known, in whatever order both come. */
function unsettled(
  waitsFor: (facts: DocumentFacts) => Verdict,
  settles: (code: string | undefined) => boolean,
): Accumulator {
  const waiting = new Map<string, Examined>();
  const settled = new Set<string>();
  return {
    take(facts) {
      const { key, kind, event } = facts;
      if (key === undefined) return;
      if (settles(event?.code) && facts.status === 'authorized') settled.add(key);
      if (kind === 'event' || !isInEffect(facts)) return;
      const deviations = waitsFor(facts);
      if (deviations !== undefined) waiting.set(key, { about: facts, deviations });
    },
    *finish() {
      for (const [key, { about, deviations }] of waiting) {
        yield { about, deviations: settled.has(key) ? [] : deviations };
      }
    },
  };
}

interface Term {
  readonly lastDay: string;
  readonly daysLeft: number;
}

/** A term that ends in so many days or sooner. */
function ending(authorizedAt: string, { lastDay, daysLeft }: Term, near: number): Deviation[] {
  if (daysLeft < 0 || daysLeft > near) return [];
  return [{ found: authorizedAt.slice(0, 10), expected: lastDay, values: { days: String(daysLeft) } }];
}

/** Notes of others to the company that will count as confirmed soon. Source: docs/fiscal/events.md, deadlines. */
function tacitConfirmationNear({ company, now, timeZone }: RuleContext): Accumulator {
  return unsettled(
    ({ kind, recipient, issuer, authorized_at }) => {
      const isToManifest = kind === 'nfe' && recipient === company && issuer !== company;
      if (!isToManifest || company === undefined || now === undefined || authorized_at === undefined)
        return undefined;
      const term = deadlineOf('confirmacao', { authorizedAt: authorized_at }, now, timeZone);
      return term && ending(authorized_at, term, NEAR_DAYS.manifestation);
    },
    (code) => conclusiveCodes.has(code),
  );
}

/** CT-e that the company pays and can contest for some days yet. */
function disagreementDeadline({ company, now, timeZone }: RuleContext): Accumulator {
  return unsettled(
    ({ kind, payer, issuer, authorized_at }) => {
      const isToPay = (kind === 'cte' || kind === 'cteos') && payer === company && issuer !== company;
      if (!isToPay || company === undefined || now === undefined || authorized_at === undefined)
        return undefined;
      const term = termFrom(authorized_at, DISAGREEMENT_DAYS, now, timeZone);
      return term && ending(authorized_at, term, NEAR_DAYS.disagreement);
    },
    (code) => code === SERVICE_DISAGREEMENT,
  );
}

/** Credit notes of others to the company that have no answer among their known events. */
function unansweredCreditNotes({ company }: RuleContext): Accumulator {
  return unsettled(
    ({ kind, purpose, issuer, recipient }) => {
      const isReceived = company !== undefined && recipient === company && issuer !== company;
      if (kind !== 'nfe' || !isReceived || purpose !== CREDIT_NOTE) return undefined;
      return [{ found: 'finNFe 5', expected: ACCEPTANCE }];
    },
    (code) => code === ACCEPTANCE,
  );
}

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

/** Rules of this subject. */
export const deadlineRules: readonly Rule[] = [
  {
    ...about('tacit_confirmation_near', 'warning', kinds.nfe, tacitBasis),
    title: ['Confirmação tácita próxima', 'Tacit confirmation near'],
    finding: [
      'sem manifestação conclusiva; depois de {expected} a operação conta como confirmada ({days:resta|restam} {days} {days:dia|dias})',
      'no conclusive manifestation; after {expected} the operation counts as confirmed ({days} {days:day|days} left)',
    ],
    todo: [
      'Se a operação não ocorreu ou é desconhecida, manifeste até {expected}; depois o evento é rejeitado (596).',
      'If the operation did not take place or is unknown to you, manifest that by {expected}; after that the event is rejected (596).',
    ],
    begin: tacitConfirmationNear,
  },
  {
    ...about('cte_disagreement_deadline', 'info', kinds.carriages, disagreementBasis),
    title: ['Prazo de desacordo do CT-e perto do fim', 'CT-e disagreement deadline near'],
    finding: [
      'o tomador pode registrar “prestação do serviço em desacordo” até {expected} ({days:resta|restam} {days} {days:dia|dias})',
      'the payer (tomador) may register “prestação do serviço em desacordo” until {expected} ({days} {days:day|days} left)',
    ],
    todo: [
      'Se o frete não confere com o contratado, registre o desacordo (610110) até {expected}.',
      'If the freight is not as agreed, register the disagreement (610110) by {expected}.',
    ],
    begin: disagreementDeadline,
  },
];

/** Rules of this subject. */
export const reformEventRules: readonly Rule[] = [
  {
    ...about('reform_event_due', 'info', kinds.nfe, acceptanceBasis),
    title: ['Nota de crédito sem o evento de aceite', 'Credit note without the acceptance event'],
    finding: [
      'nota de crédito recebida ({found}) sem o evento {expected} entre os conhecidos; a norma não lhe dá prazo próprio',
      'credit note received ({found}) without event {expected} among those known; the technical note gives it no term of its own',
    ],
    todo: [
      'Se ainda não registrou, informe no seu emissor se aceita o débito, antes do fechamento da apuração do mês; este programa não envia o evento.',
      'If you have not yet, say in your issuing system whether you accept the debit, before the month’s assessment closes; this program does not send the event.',
    ],
    begin: unansweredCreditNotes,
  },
];
