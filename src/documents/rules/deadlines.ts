import { manifestationEvents } from '../events/manifestation.ts';
import { deadlineOf, termFrom } from '../events/objections.ts';
import { type DocumentFacts, isInEffect, type RuleContext } from './facts.ts';
import { type Accumulator, about, kinds, type Rule, type SetDeviation, verified } from './rule.ts';

/** Days before the end from which a term is told of: time to ask, and to decide. */
const NEAR_DAYS = { manifestation: 15, disagreement: 10 } as const;

/** Days from the authorisation in which the taker of a CT-e may register the event. Source: docs/fiscal/events.md. */
const DISAGREEMENT_DAYS = 45;
const DISAGREEMENT = '610110';

const conclusiveCodes = new Set<string | undefined>(
  Object.values(manifestationEvents).flatMap(({ code, conclusive }) => (conclusive ? code : [])),
);

interface Term {
  readonly lastDay: string;
  readonly daysLeft: number;
}

/** Documents whose term ends soon without an event that settles it, in whatever order both come. */
function endingTerms(
  termOf: (facts: DocumentFacts) => Term | undefined,
  near: number,
  settles: (code: string | undefined) => boolean,
): Accumulator {
  const open = new Map<string, { about: DocumentFacts; term: Term }>();
  const settled = new Set<string>();
  return {
    take(facts) {
      const { key, kind, event } = facts;
      if (key === undefined) return;
      if (settles(event?.code) && facts.status === 'authorized') settled.add(key);
      if (kind === 'event' || !isInEffect(facts)) return;
      const term = termOf(facts);
      if (term !== undefined && term.daysLeft >= 0 && term.daysLeft <= near)
        open.set(key, { about: facts, term });
    },
    *finish(): Iterable<SetDeviation> {
      for (const [key, { about, term }] of open) {
        if (settled.has(key)) continue;
        const found = about.authorized_at?.slice(0, 10) ?? '';
        yield { about, found, expected: term.lastDay, values: { days: String(term.daysLeft) } };
      }
    },
  };
}

/** Notes of others to the company that will count as confirmed soon. Source: docs/fiscal/events.md, deadlines. */
function tacitConfirmationNear({ company, now, timeZone }: RuleContext): Accumulator {
  return endingTerms(
    ({ kind, recipient, issuer, authorized_at }) => {
      const isToManifest = kind === 'nfe' && recipient === company && issuer !== company;
      if (!isToManifest || company === undefined || now === undefined || authorized_at === undefined)
        return undefined;
      return deadlineOf('confirmacao', { authorizedAt: authorized_at }, now, timeZone);
    },
    NEAR_DAYS.manifestation,
    (code) => conclusiveCodes.has(code),
  );
}

/** CT-e that the company pays and can contest for some days yet. */
function disagreementDeadline({ company, now, timeZone }: RuleContext): Accumulator {
  return endingTerms(
    ({ kind, payer, issuer, authorized_at }) => {
      const isToPay = (kind === 'cte' || kind === 'cteos') && payer === company && issuer !== company;
      if (!isToPay || company === undefined || now === undefined || authorized_at === undefined)
        return undefined;
      return termFrom(authorized_at, DISAGREEMENT_DAYS, now, timeZone);
    },
    NEAR_DAYS.disagreement,
    (code) => code === DISAGREEMENT,
  );
}

const tacitBasis = verified(
  'Ajuste SINIEF 07/05, cl. 15ª-C, na redação do Ajuste SINIEF 14/26; NT 2020.001 v1.60',
);
const disagreementBasis = verified(
  'Ajuste SINIEF 09/07, cl. 17ª, § 6º, na redação do Ajuste SINIEF 31/22; Ajuste SINIEF 36/19, cl. 16ª, § 6º',
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

const CREDIT_NOTE = '5';
const ACCEPTANCE = '211128';

/** Credit notes of others to the company that have no answer among their known events. */
function unansweredCreditNotes({ company }: RuleContext): Accumulator {
  const open = new Map<string, DocumentFacts>();
  const answered = new Set<string>();
  return {
    take(facts) {
      const { key, kind, event, purpose, issuer, recipient } = facts;
      if (key === undefined || company === undefined) return;
      if (event?.code === ACCEPTANCE && facts.status === 'authorized') answered.add(key);
      const isReceived = kind === 'nfe' && recipient === company && issuer !== company;
      if (isReceived && purpose === CREDIT_NOTE && isInEffect(facts)) open.set(key, facts);
    },
    *finish(): Iterable<SetDeviation> {
      for (const [key, about] of open) {
        if (!answered.has(key)) yield { about, found: 'finNFe 5', expected: ACCEPTANCE };
      }
    },
  };
}

const acceptanceBasis = verified(
  'NT 2025.002-RTC v1.52, seção 8.11 (evento 211128); Decreto 12.955/2026, art. 59, § 1º',
  '2026-11-23',
);

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
