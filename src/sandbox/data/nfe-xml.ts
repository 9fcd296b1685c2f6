import { eventDescriptions } from '../../documents/events/event-names.ts';
import templatesXml from '../templates/nfe.xml';
import { isoDate, isoMoment, SECONDS_IN_DAY, SECONDS_IN_HOUR, yearDigits } from './calendar.ts';
import { authorityOf, type Nfe, type NoteEvent } from './nfe.ts';
import { isToFinalConsumer, type NfeContent, nfeContent } from './nfe-items.ts';
import { isPerson, partyValues } from './parties.ts';
import { createRandom, issuedValues } from './plan.ts';
import { casesOf, compileTemplate, formatCents, partsOf, type Values, variantOf } from './templates.ts';

const part = partsOf(templatesXml);
const noteXml = casesOf(templatesXml).get('nfe') ?? '';
/** 2026 and 2027 differ only in amounts, which are sums here. */
const writeReformed = compileTemplate(variantOf(noteXml, '2026'));

/** From this day returns reference the original note only in each item. Source: docs/fiscal/reform.md. */
const RETURNS_PER_ITEM_FROM = '2026-11-03';

const namesOriginalPerItem = ({ issuedAt }: Nfe) => isoMoment(issuedAt) >= RETURNS_PER_ITEM_FROM;

/** The `det` elements of a note. */
export function itemXmls(note: Nfe, { items, order }: NfeContent = nfeContent(note)): string[] {
  const { key, issuedAt, recipient, returned, rarity } = note;
  return items.map(({ product, cfop, write }, at) => {
    const number = String(at + 1);
    return write({
      ...{ ...product, number, cfop, state: recipient.state, order, order_line: order && number },
      original:
        returned && namesOriginalPerItem(note) ? part('original', { returned: returned.key, number }) : '',
      ...(rarity === 'import' && {
        declaration: `${yearDigits(issuedAt)}BR${createRandom('declaration', key).digits(10)}`,
        declared_on: isoDate(issuedAt - 3 * SECONDS_IN_DAY),
        exporter: recipient.id,
      }),
    });
  });
}

function billingXml({ number }: Nfe, { total, installments }: NfeContent): string {
  if (installments.length === 0) return '';
  const written = installments.map(({ due, amount }, at) => {
    const values = { due: isoDate(due), amount: formatCents(amount) };
    return part('installment', { number: String(at + 1).padStart(3, '0'), ...values });
  });
  const values = { number: String(number), total: formatCents(total), installments: written.join('') };
  return part('billing', values);
}

function operationOf({ returned, isEntry, rarity }: Nfe): string {
  if (rarity === 'import') return 'Importação de mercadoria';
  if (isEntry) return 'Compra de mercadoria de pessoa física';
  return returned ? 'Devolução de compra' : 'Venda de mercadoria';
}

/** A note with fuels states all totals of single-phase ICMS. */
const SINGLE_PHASE = ['qBCMono', 'vICMSMono', 'qBCMonoReten', 'vICMSMonoReten', 'qBCMonoRet', 'vICMSMonoRet'];

/** `modFrete` of freight in the payer's own vehicle. */
const OWN_VEHICLE = { 0: '3', 1: '4', 9: '9' } as const;

function transport(note: Nfe, { items, sums }: NfeContent, isCarried: boolean): Values {
  // The carrier of a few notes owes its CT-e.
  const isHired = isCarried || createRandom('carrier without CT-e', note.key).chance(4);
  // Every unit weighs a kilogram.
  const weight = `${formatCents(sums.get('qCom') ?? 0)}0`;
  return {
    freight: isHired ? note.freight : OWN_VEHICLE[note.freight],
    volume: note.freight === '9' ? '' : part('volume', { volumes: String(items.length), weight }),
  };
}

function payment({ returned, rarity }: Nfe, { total, installments }: NfeContent): Values {
  if (returned || rarity === 'import') return { method: '90', paid: '0.00' };
  const means = installments.length > 0 ? { timing: '1', method: '15' } : { timing: '0', method: '17' };
  return { ...means, paid: formatCents(total) };
}

function reachOf({ issuer, recipient }: Nfe): '1' | '2' | '3' {
  if (recipient.row.country !== undefined) return '3';
  return issuer.state === recipient.state ? '1' : '2';
}

/** `nfeProc` 4.00 with its protocol and sibling events; `isCarried`: a CT-e carries it. */
export function nfeXml(note: Nfe, events: readonly NoteEvent[], isCarried: boolean): string {
  const content = nfeContent(note);
  const { issuer, recipient, returned, isEntry } = note;
  const isConsumer = isPerson(recipient);
  const isFinal = (isConsumer && !isEntry) || isToFinalConsumer(note);
  const zeros = note.rarity === 'fuel' ? SINGLE_PHASE.map((name) => [name, '0.00']) : [];
  const sums = [...content.sums].map(([name, cents]) => [name, formatCents(cents)]);
  const values: Values = {
    ...issuedValues(note),
    ...Object.fromEntries([...zeros, ...sums]),
    operation: operationOf(note),
    left_at: isoMoment(note.issuedAt + SECONDS_IN_HOUR),
    type: isEntry ? '0' : '1',
    reach: reachOf(note),
    purpose: returned ? '4' : '1',
    final: isFinal ? '1' : '0',
    presence: isConsumer ? '1' : '9',
    intermediary: isConsumer ? undefined : '0',
    reference: returned && !namesOriginalPerItem(note) ? part('reference', { returned: returned.key }) : '',
    issuer: part('issuer', partyValues(issuer)),
    recipient: part('recipient', partyValues(recipient)),
    items: itemXmls(note, content).join(''),
    ...transport(note, content, isCarried),
    billing: billingXml(note, content),
    ...payment(note, content),
    remarks: content.remarks,
    events: events.map((event) => eventXml(note, event)).join(''),
  };
  const xml = content.sums.has('vBCIBSCBS') ? writeReformed(values) : part('nfe', values);
  return `<?xml version="1.0" encoding="UTF-8"?>${xml}`;
}

/** `cStat` and `xMotivo` of a registration. Source: docs/fiscal/events.md. */
const IN_TIME = { status: '135', reason: 'Evento registrado e vinculado a NF-e' };
const LATE = { status: '155', reason: 'Cancelamento homologado fora de prazo' };

/** `procEventoNFe`; a cancellation repeats the document's protocol. */
function eventXml(note: Nfe, { code, sequence, at, text, protocol, isLate }: NoteEvent): string {
  const authority = authorityOf(code, note);
  return part('event', {
    ...{ code, key: note.key, protocol, authority, at: isoMoment(at), name: eventDescriptions[code] ?? '' },
    ...{ sequence: String(sequence), sequence_padded: String(sequence).padStart(2, '0') },
    author: (authority === '91' ? note.recipient : note.issuer).id,
    detail: part(authority === '91' ? 'manifestation' : code, { text, authorized: note.protocol }),
    ...(isLate ? LATE : IN_TIME),
  });
}
