import type { PartyField, Texts } from './collected.ts';
import type { Party } from './summary.ts';

/** The state letters that stand for abroad. */
const ABROAD = 'EX';

function identity({ cnpj, cpf, foreign, state }: Texts<PartyField>): Pick<Party, 'id' | 'id_type'> {
  if (cnpj !== undefined) return { id: cnpj, id_type: 'cnpj' };
  if (cpf !== undefined) return { id: cpf, id_type: 'cpf' };
  if (foreign !== undefined) return { id: foreign, id_type: 'foreign' };
  return state === ABROAD ? { id_type: 'foreign' } : {};
}

/** A part of the summary, or undefined where the file says nothing of it. */
export function unlessEmpty<T extends object>(part: T): T | undefined {
  for (const _ in part) return part;
  return undefined;
}

/** Somebody, or undefined where the file says nothing of them. The kind of id is that of the element it stood in. */
export function partyFrom(texts: Texts<PartyField>): Party | undefined {
  if (unlessEmpty(texts) === undefined) return undefined;
  const { id, id_type } = identity(texts);
  return {
    id,
    id_type,
    name: texts.name,
    state: texts.state,
    city: texts.city,
    state_registration: texts.state_registration,
    municipal_registration: texts.municipal_registration,
    tax_regime: texts.tax_regime,
  };
}
