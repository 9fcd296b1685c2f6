import { checkCnpj, unmaskTaxId } from '../../documents/identity/tax-ids.ts';
import { type Books, type Selection, select } from '../data/books.ts';
import { SECONDS_IN_DAY } from '../data/calendar.ts';
import type { Cte } from '../data/cte/book.ts';
import type { Direction } from '../data/day-plan.ts';
import type { Nfe } from '../data/nfe/book.ts';
import type { Nfse } from '../data/nfse/book.ts';
import type { SandboxCompany } from '../data/parties.ts';
import { readPeriod } from './period.ts';
import { RefusedInEnvelope } from './refusals.ts';
import type { DocumentsService, Inputs } from './service.ts';

/** Which date the period is about, and whether the call names a direction. */
export interface Listing {
  readonly by: 'issue' | 'entry';
  /** True where the operation takes `tipo`. */
  readonly typed: boolean;
}

const DIRECTIONS: readonly Direction[] = ['inbound', 'outbound'];
const GOODS_TYPES: Readonly<Record<string, Direction>> = { Entrada: 'inbound', Saída: 'outbound' };
const SERVICE_TYPES: Readonly<Record<string, Direction>> = { Recebidas: 'inbound', Emitidas: 'outbound' };

function companiesOf({ companies }: Books, cnpj: string): readonly SandboxCompany[] {
  if (cnpj === '') return companies;
  const company = companies.find(({ id }) => id === unmaskTaxId(cnpj));
  if (company) return [company];
  if (!checkCnpj(cnpj).ok) throw new RefusedInEnvelope('489', 'Rejeicao: CNPJ informado invalido');
  throw new RefusedInEnvelope('593', 'Rejeicao: CNPJ consultado nao pertence a conta do usuario');
}

function directionsOf(type: string, types: Readonly<Record<string, Direction>>): readonly Direction[] {
  const direction = Object.hasOwn(types, type) ? types[type] : undefined;
  if (direction) return [direction];
  const known = Object.keys(types).join(' ou ');
  throw new RefusedInEnvelope('215', `Rejeicao: tipo deve ser ${known}`);
}

function selectionOf(
  service: DocumentsService,
  inputs: Inputs,
  { by, typed }: Listing,
  types: Readonly<Record<string, Direction>>,
): Selection {
  return {
    companies: companiesOf(service.books, inputs.text('cnpj')),
    directions: typed ? directionsOf(inputs.text('tipo'), types) : DIRECTIONS,
    by,
    ...readPeriod(inputs.text),
    now: service.now(),
  };
}

export function selectNfe(service: DocumentsService, inputs: Inputs, listing: Listing): Iterable<Nfe> {
  return select(service.books.nfe, selectionOf(service, inputs, listing, GOODS_TYPES));
}

export function selectCte(service: DocumentsService, inputs: Inputs, listing: Listing): Iterable<Cte> {
  return select(service.books.cte, selectionOf(service, inputs, listing, GOODS_TYPES));
}

export function selectNfse(service: DocumentsService, inputs: Inputs, listing: Listing): Iterable<Nfse> {
  return select(service.books.nfse, selectionOf(service, inputs, listing, SERVICE_TYPES));
}

const SECONDS_IN_QUEUE = 30 * SECONDS_IN_DAY;

/** What waits for an ERP: the documents of an establishment that entered in the last thirty days. */
export function queueSelection(
  service: DocumentsService,
  inputs: Inputs,
  directions: readonly Direction[] = DIRECTIONS,
): Selection {
  const companyId = inputs.integer('companhia');
  const establishment = inputs.integer('estabelecimento');
  const company = service.books.companies.find(
    (one) => one.companyId === companyId && one.establishment === establishment,
  );
  if (!company)
    throw new RefusedInEnvelope('593', 'Rejeicao: companhia ou estabelecimento nao pertence a conta');
  const now = service.now();
  return { companies: [company], directions, by: 'entry', from: now - SECONDS_IN_QUEUE, to: now, now };
}
