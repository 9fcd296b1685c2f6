import { eventDescriptions } from '../../../documents/events/event-names.ts';
import nfeTemplate from '../../templates/nfe.xml';
import partsXml from '../../templates/nfe-parts.xml';
import { isoDate, isoMoment, type Moment, SECONDS_IN_DAY, SECONDS_IN_HOUR, yearDigits } from '../calendar.ts';
import { isPerson, partyValues, stateCode } from '../parties.ts';
import { createRandom } from '../random.ts';
import { casesOf, compileTemplate, formatCents, type Template, type Values, variantOf } from '../text.ts';
import type { Nfe } from './book.ts';
import { isToFinalConsumer, type NfeContent, type NfeItem, nfeContent } from './content.ts';

const parts = casesOf(partsXml, 'part');

/** A part of a note or an event of it, of `templates/nfe-parts.xml`. */
function nfePart(name: string): Template {
  return compileTemplate(variantOf(parts.get(name) ?? '', 'plain'));
}

/** An event that was registered on a note. */
export interface RegisteredEvent {
  readonly documentKey: string;
  /** `tpEvento`, six digits. */
  readonly code: string;
  readonly sequence: number;
  /** CNPJ of who registered it. */
  readonly author: string;
  /** `cOrgao`: a state's code, or 91 for the national environment. */
  readonly authority: string;
  readonly at: Moment;
  readonly protocol: string;
  /** Justification or correction. */
  readonly text?: string;
  /** A cancellation that was accepted after its time. */
  readonly isLate?: boolean;
}

/** `cOrgao` of the national environment, where manifestations are registered. */
export const NATIONAL_AUTHORITY = '91';

/** `cStat` and `xMotivo` of a registration. Source: docs/fiscal/events.md. */
const registrations = {
  inTime: { status: '135', reason: 'Evento registrado e vinculado a NF-e' },
  late: { status: '155', reason: 'Cancelamento homologado fora de prazo' },
} as const;

const CORRECTION_TERMS =
  'A Carta de Correcao e disciplinada pelo paragrafo 1o-A do art. 7o do Convenio S/N, de 15 de dezembro de 1970 e ' +
  'pode ser utilizada para regularizacao de erro ocorrido na emissao de documento fiscal, desde que o erro nao ' +
  'esteja relacionado com: I - as variaveis que determinam o valor do imposto tais como: base de calculo, ' +
  'aliquota, diferenca de preco, quantidade, valor da operacao ou da prestacao; II - a correcao de dados ' +
  'cadastrais que implique mudanca do remetente ou do destinatario; III - a data de emissao ou de saida.';

const eventTemplate = nfePart('event');

/** `procEventoNFe`. `authorization` is the document's own protocol, which a cancellation repeats. */
function nfeEventXml(event: RegisteredEvent, authorization: string): string {
  const { code, sequence } = event;
  const isCorrection = code === '110110';
  return eventTemplate({
    code,
    key: event.documentKey,
    sequence: String(sequence),
    sequence_padded: String(sequence).padStart(2, '0'),
    authority: event.authority,
    author: event.author,
    at: isoMoment(event.at),
    name: eventDescriptions[code] ?? '',
    correction: isCorrection ? event.text : undefined,
    terms: isCorrection ? CORRECTION_TERMS : undefined,
    cancelled: code === '110111' ? authorization : undefined,
    justification: isCorrection ? undefined : event.text,
    ...registrations[event.isLate ? 'late' : 'inTime'],
    protocol: event.protocol,
  });
}

function eventOf(note: Nfe, code: string, at: Moment, more: Partial<RegisteredEvent> = {}): RegisteredEvent {
  const isManifestation = code.startsWith('21');
  const authority = isManifestation ? NATIONAL_AUTHORITY : stateCode(note.issuer);
  return {
    documentKey: note.key,
    code,
    sequence: 1,
    author: isManifestation ? note.recipient.id : note.issuer.id,
    authority,
    at,
    protocol: `1${authority}${yearDigits(at)}${createRandom(note.key, code).digits(10)}`,
    ...more,
  };
}

/** The events that belong to the data and had happened by a moment, in the order they happened. */
export function pastEvents(note: Nfe, now: Moment): RegisteredEvent[] {
  const events = note.manifestations.map(({ code, at }) =>
    eventOf(note, code, at, code === '210240' ? { text: 'Mercadoria devolvida na conferencia' } : {}),
  );
  const { correctedAt, cancelledAt, isCancelledLate: isLate } = note;
  if (correctedAt !== undefined) {
    const text = 'Corrigir o bairro de entrega: Vila Industrial.';
    events.push(eventOf(note, '110110', correctedAt, { text }));
  }
  if (cancelledAt !== undefined) {
    const text = isLate
      ? 'Operacao desfeita de comum acordo com o cliente'
      : 'Pedido cancelado pelo cliente antes da entrega';
    events.push(eventOf(note, '110111', cancelledAt, { text, isLate }));
  }
  return events.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
}

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
  if (recipient.isAbroad) return '3';
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

/** `modFrete` of goods that go in a vehicle of whoever pays. */
const OWN_VEHICLE = { 0: '3', 1: '4', 9: '9' } as const;

/** `modFrete`: the carrier of a few notes owes its CT-e. */
function freightMode({ freight, key }: Nfe, isCarried: boolean): string {
  const isHired = isCarried || createRandom('carrier without CT-e', key).chance(4);
  return isHired ? freight : OWN_VEHICLE[freight];
}

/** `nfeProc` 4.00 with its protocol and, as siblings of it, the events; `isCarried` by a CT-e. */
export function nfeXml(
  note: Nfe,
  events: readonly RegisteredEvent[],
  seed: string,
  isCarried: boolean,
): string {
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
