import nfeTemplate from '../../templates/nfe.xml';
import partsXml from '../../templates/nfe-parts.xml';
import { isoDate, isoMoment, SECONDS_IN_DAY, SECONDS_IN_HOUR, yearDigits } from '../calendar.ts';
import { isPerson, partyValues } from '../parties.ts';
import { createRandom } from '../random.ts';
import { casesOf, compileTemplate, type Values, variantOf } from '../templates.ts';
import { formatCents } from '../text.ts';
import type { Nfe } from './book.ts';
import { type NfeContent, type NfeItem, nfeContent } from './content.ts';
import { nfeEventXml, type RegisteredEvent } from './events.ts';
import { isToFinalConsumer } from './item-cases.ts';

const parts = new Map(
  [...casesOf(partsXml, 'part')].map(([name, xml]) => [name, compileTemplate(variantOf(xml))]),
);

/** A part of a note, of `templates/nfe-parts.xml`. */
const part = (name: string, values: Values) => parts.get(name)?.(values) ?? '';

/** 2026's and 2027's differ in amounts only, which are summed. */
const noteTemplates = {
  plain: compileTemplate(variantOf(nfeTemplate, 'plain')),
  reformed: compileTemplate(variantOf(nfeTemplate, '2026')),
};

/** From this day a return names its original in each item and in no other place. Source: docs/fiscal/reform.md. */
const RETURNS_PER_ITEM_FROM = '2026-11-03';

const namesOriginalPerItem = ({ issuedAt }: Nfe) => isoMoment(issuedAt) >= RETURNS_PER_ITEM_FROM;

function itemXml(note: Nfe, { product, cfop, template }: NfeItem, order: string | undefined, at: number) {
  const number = String(at + 1);
  const original = namesOriginalPerItem(note) && note.returned?.key;
  return template.write({
    ...product,
    number,
    cfop,
    state: note.recipient.state,
    order,
    order_line: order && number,
    original: original ? part('original', { returned: original, number }) : undefined,
    ...(note.rarity === 'import' && {
      declaration: `${yearDigits(note.issuedAt)}BR${createRandom('declaration', note.key).digits(10)}`,
      declared_on: isoDate(note.issuedAt - 3 * SECONDS_IN_DAY),
      exporter: note.recipient.id,
    }),
  });
}

/** The items of a note, each as the XML of its `det`. */
export function itemXmls(note: Nfe, { items, purchaseOrder } = nfeContent(note)): string[] {
  return items.map((item, at) => itemXml(note, item, purchaseOrder, at));
}

/** The weight is that of the goods; a unit weighs a kilogram. */
function volumeXml(note: Nfe, { items, sums }: NfeContent): string {
  if (note.freight === '9') return '';
  const weight = `${formatCents(sums.get('qCom') ?? 0)}0`;
  return part('volume', { volumes: String(items.length), weight });
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

function payment(note: Nfe, { total, installments }: NfeContent): Values {
  if (note.returned || note.rarity === 'import') return { method: '90', paid: '0.00' };
  const isCredit = installments.length > 0;
  return { timing: isCredit ? '1' : '0', method: isCredit ? '15' : '17', paid: formatCents(total) };
}

/** A note with fuels states all totals of single-phase ICMS. */
const SINGLE_PHASE = ['qBCMono', 'vICMSMono', 'qBCMonoReten', 'vICMSMonoReten', 'qBCMonoRet', 'vICMSMonoRet'];

function sumsIn({ rarity }: Nfe, { sums }: NfeContent): Values {
  const zeros = rarity === 'fuel' ? SINGLE_PHASE.map((name) => [name, '0.00']) : [];
  return Object.fromEntries([...zeros, ...[...sums].map(([name, cents]) => [name, formatCents(cents)])]);
}

/** `modFrete` of goods carried in the payer's own vehicle. */
const OWN_VEHICLE = { 0: '3', 1: '4', 9: '9' } as const;

/** `modFrete`: the carrier of a few notes owes its CT-e. */
function freightMode({ freight, key }: Nfe, isCarried: boolean): string {
  const isHired = isCarried || createRandom('carrier without CT-e', key).chance(4);
  return isHired ? freight : OWN_VEHICLE[freight];
}

function reachOf({ issuer, recipient }: Nfe): '1' | '2' | '3' {
  if (recipient.row.country !== undefined) return '3';
  return issuer.state === recipient.state ? '1' : '2';
}

/** `nfeProc` 4.00 with its protocol and, as siblings of it, the events; `isCarried` by a CT-e. */
export function nfeXml(note: Nfe, events: readonly RegisteredEvent[], isCarried: boolean): string {
  const content = nfeContent(note);
  const { issuer, recipient, key, returned } = note;
  const isConsumer = isPerson(recipient);
  const isFinal = (isConsumer && !note.isEntry) || isToFinalConsumer(note);
  const write = noteTemplates[content.sums.has('vBCIBSCBS') ? 'reformed' : 'plain'];
  const xml = write({
    ...partyValues(issuer),
    ...sumsIn(note, content),
    key,
    code: note.code,
    operation: content.operation,
    series: String(note.series),
    number: String(note.number),
    issued_at: isoMoment(note.issuedAt),
    left_at: isoMoment(note.issuedAt + SECONDS_IN_HOUR),
    type: note.isEntry ? '0' : '1',
    reach: reachOf(note),
    digit: key.slice(43),
    purpose: returned ? '4' : '1',
    final: isFinal ? '1' : '0',
    presence: isConsumer ? '1' : '9',
    intermediary: isConsumer ? undefined : '0',
    reference: returned && !namesOriginalPerItem(note) ? part('reference', { returned: returned.key }) : '',
    issuer: part('issuer', partyValues(issuer)),
    recipient: part('recipient', partyValues(recipient)),
    items: itemXmls(note, content).join(''),
    freight: freightMode(note, isCarried),
    volume: volumeXml(note, content),
    billing: billingXml(note, content),
    ...payment(note, content),
    remarks: content.remarks,
    protocol: note.protocol,
    authorized_at: isoMoment(note.authorizedAt),
    digest: Buffer.from(createRandom('digest', key).digits(20)).toString('base64'),
    events: events.map((event) => nfeEventXml(event, note.protocol)).join(''),
  });
  return `<?xml version="1.0" encoding="UTF-8"?>${xml}`;
}
