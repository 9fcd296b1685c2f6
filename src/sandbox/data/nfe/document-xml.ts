import nfeTemplate from '../../templates/nfe.xml';
import { isoDate, isoMoment, SECONDS_IN_DAY, SECONDS_IN_HOUR, yearDigits } from '../calendar.ts';
import { formatCents } from '../money.ts';
import { isPerson, partyValues } from '../parties.ts';
import { createRandom } from '../random.ts';
import { compileTemplate, type Values, variantOf } from '../template.ts';
import type { Nfe } from './book.ts';
import { type NfeContent, type NfeItem, nfeContent } from './content.ts';
import { nfeEventXml, type RegisteredEvent } from './events.ts';
import { isToFinalConsumer } from './items.ts';
import { nfePart } from './parts.ts';

const [issuerPart, recipientPart, referencePart, originalPart] = [
  nfePart('issuer'),
  nfePart('recipient'),
  nfePart('reference'),
  nfePart('original'),
];
const [volumePart, billingPart, installmentPart] = [
  nfePart('volume'),
  nfePart('billing'),
  nfePart('installment'),
];
/** 2026's and 2027's differ in amounts only, which are summed. */
const noteTemplates = {
  plain: compileTemplate(variantOf(nfeTemplate, 'plain')),
  reformed: compileTemplate(variantOf(nfeTemplate, '2026')),
};

function reachOf({ issuer, recipient }: Nfe): '1' | '2' | '3' {
  if (recipient.country) return '3';
  return issuer.city.state === recipient.city.state ? '1' : '2';
}

/** From this day a return names its original in each item and in no other place. Source: docs/fiscal/reform.md. */
const RETURNS_PER_ITEM_FROM = '2026-11-03';

/** The original of a return by the place where it is named. */
function originalOf({ returned, issuedAt }: Nfe): { ofNote?: string; ofItems?: string } {
  if (returned === undefined) return {};
  return isoMoment(issuedAt) >= RETURNS_PER_ITEM_FROM ? { ofItems: returned.key } : { ofNote: returned.key };
}

function itemXml(note: Nfe, { product, cfop, template }: NfeItem, content: NfeContent, at: number): string {
  const number = String(at + 1);
  const { ofItems } = originalOf(note);
  return template.write({
    number,
    cfop,
    code: product?.code,
    description: product?.description,
    ncm: product?.ncm,
    cest: product?.cest,
    unit: product?.unit,
    state: note.recipient.city.state,
    order: content.purchaseOrder,
    order_line: content.purchaseOrder && number,
    original: ofItems && originalPart({ returned: ofItems, number }),
    ...(note.rarity === 'import' && {
      declaration: `${yearDigits(note.issuedAt)}BR${createRandom('declaration', note.key).digits(10)}`,
      declared_on: isoDate(note.issuedAt - 3 * SECONDS_IN_DAY),
      exporter: note.recipient.id,
    }),
  });
}

/** The items of a note, each as the XML of its `det`. */
export function itemXmls(note: Nfe, seed: string): string[] {
  const content = nfeContent(note, seed);
  return content.items.map((item, i) => itemXml(note, item, content, i));
}

/** The weight is that of the goods; a unit weighs a kilogram. */
function volumeXml(note: Nfe, { items, sums }: NfeContent): string {
  if (note.freight === '9') return '';
  const weight = `${formatCents(sums.get('qCom') ?? 0)}0`;
  return volumePart({ volumes: String(items.length), weight });
}

function billingXml(note: Nfe, { total, installments }: NfeContent): string {
  if (installments.length === 0) return '';
  const written = installments.map(({ due, amount }, i) =>
    installmentPart({
      number: String(i + 1).padStart(3, '0'),
      due: isoDate(due),
      amount: formatCents(amount),
    }),
  );
  return billingPart({
    number: String(note.number),
    total: formatCents(total),
    installments: written.join(''),
  });
}

function payment(note: Nfe, { total, installments }: NfeContent): Values {
  if (note.returned || note.rarity === 'import') return { method: '90', paid: '0.00' };
  const isCredit = installments.length > 0;
  return { timing: isCredit ? '1' : '0', method: isCredit ? '15' : '17', paid: formatCents(total) };
}

function sumsIn({ sums }: NfeContent): Values {
  const written = Object.fromEntries([...sums].map(([name, cents]) => [name, formatCents(cents)]));
  return sums.has('qBCMono') || sums.has('qBCMonoRet')
    ? { qBCMono: '0.00', vICMSMono: '0.00', ...retained, ...written }
    : written;
}

const retained = {
  qBCMonoReten: '0.00',
  vICMSMonoReten: '0.00',
  qBCMonoRet: '0.00',
  vICMSMonoRet: '0.00',
};

/** `nfeProc` 4.00 with its protocol and, as siblings of it, the events. */
export function nfeXml(note: Nfe, events: readonly RegisteredEvent[], seed: string): string {
  const content = nfeContent(note, seed);
  const { issuer, recipient, key } = note;
  const isConsumer = isPerson(recipient);
  const isFinal = (isConsumer && !note.isEntry) || isToFinalConsumer(note);
  const { ofNote } = originalOf(note);
  const write = noteTemplates[content.sums.has('vBCIBSCBS') ? 'reformed' : 'plain'];
  const xml = write({
    ...partyValues(issuer),
    ...sumsIn(content),
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
    purpose: note.returned ? '4' : '1',
    final: isFinal ? '1' : '0',
    presence: isConsumer ? '1' : '9',
    intermediary: isConsumer ? undefined : '0',
    reference: ofNote && referencePart({ returned: ofNote }),
    issuer: issuerPart(partyValues(issuer)),
    recipient: recipientPart(partyValues(recipient)),
    items: content.items.map((item, i) => itemXml(note, item, content, i)).join(''),
    freight: note.freight,
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
