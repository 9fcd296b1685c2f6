import { type DocumentFacts, isInEffect, type RuleContext } from '../facts.ts';
import { type Accumulator, about, kinds, type Rule, type SetDeviation, verified } from '../rule.ts';

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
