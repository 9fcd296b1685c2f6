import { eventFrom } from '../events/event-history.ts';
import { eventStatusByCode } from '../events/statuses.ts';
import { NATIONAL_KEY_LENGTH } from '../identity/keys.ts';
import { checkEventKey, type Unchecked } from '../summary/checks.ts';
import { below, type Collected, type DocumentLayout, type FieldTable, together } from '../summary/fields.ts';
import type { DocumentSummary } from '../summary/summary.ts';
import { cleanText, longest } from '../untrusted.ts';
import { commonParts, environmentFrom, withWarnings } from './common-parts.ts';

/** Groups of reform events with item data, by NT 2025.002-RTC v1.52, section 8, and gCredPres from before v1.40. */
const itemGroups =
  'gConsumo gPerecimento gItemNaoFornecido gCredPresOper gCredPres gImobilizacao gConsumoComb gCredito';

const stockGroups = itemGroups.replace(/\S+/g, '$&/gControleEstoque');

const reformDetails: FieldTable = {
  events: [
    { accepted: 'indAceitacao', granted: 'indDeferimento', fully_paid: 'indQuitacao' },
    { expected_delivery: 'dPrevEntrega', cancelled_code: 'tpEventoAut', cancelled_protocol: 'nProtEvento' },
    { transaction: 'gPgto/@idTransacao' },
  ],
  event_items: [
    { each: itemGroups, number: '@nItem', ibs: 'vIBS vCredIBS gIBSCredPres/vCredPres gIBS/vCredPres' },
    { in: itemGroups, cbs: 'vCBS vCredCBS gCBSCredPres/vCredPres gCBS/vCredPres' },
    { in: stockGroups, quantity: 'qtde qPerecimento qNaoFornecida qImobilizado qComb qConsumo' },
    { in: stockGroups, unit: 'unidade uPerecimento uNaoFornecida uImobilizado uComb uConsumo' },
  ],
};

const request: FieldTable = {
  events: [
    { id: '@Id', environment: 'tpAmb', author: 'CNPJ CPF', key: 'chNFe chCTe', at: 'dhEvento' },
    { code: 'tpEvento', sequence: 'nSeqEvento' },
    { in: 'detEvento', name: 'descEvento', text: 'xCorrecao xJust' },
    { in: 'detEvento/*', name: 'descEvento', text: 'xJust xObs' },
  ],
  corrections: [
    { each: 'detEvento/*/infCorrecao', group: 'grupoAlterado', field: 'campoAlterado' },
    { in: 'detEvento/*/infCorrecao', value: 'valorAlterado' },
  ],
};

/** The tax office's reply: `infEvento` of the receipt. */
const receipt: FieldTable = {
  receipts: [
    { environment: 'tpAmb', status: 'cStat', key: 'chNFe chCTe', code: 'tpEvento', name: 'xEvento' },
    { sequence: 'nSeqEvento', at: 'dhRegEvento', number: 'nProt' },
  ],
};

/** Request for a national NFS-e event inside the receipt; the event code is in the Id. */
const nationalRequest: FieldTable = {
  protocol: { at: 'dhProc', number: 'nDFe' },
  events: [
    { in: 'pedRegEvento/infPedReg', environment: 'tpAmb', at: 'dhEvento', author: 'CNPJAutor CPFAutor' },
    { in: 'pedRegEvento/infPedReg', key: 'chNFSe' },
    { in: 'pedRegEvento/infPedReg/*', name: 'xDesc', text: 'xMotivo' },
  ],
};

const processedEvent: FieldTable = together(
  {
    events: { each: 'evento eventoCTe', version: '@versao' },
    receipts: { each: 'retEvento retEventoCTe', version: '@versao' },
  },
  below('evento/infEvento eventoCTe/infEvento', together(request, nationalRequest)),
  below('evento/infEvento/detEvento eventoCTe/infEvento/detEvento', reformDetails),
  below('retEvento/infEvento retEventoCTe/infEvento', receipt),
);

/** Receipt of a cancellation from before events existed: `infCanc`. */
const formerCancellation: FieldTable = {
  receipts: [
    { each: '' },
    { in: 'infCanc', cancelled: 'cStat', key: 'chNFe chCTe', at: 'dhRecbto', number: 'nProt' },
  ],
};

const besideProtocol: FieldTable = together(
  processedEvent,
  below('procEventoNFe procEventoCTe procCancCTe', processedEvent),
  below('procCancCTe/retCancCTe procCancNFe/retCancNFe retCancNFe', formerCancellation),
);

/** Also within wrappers: replies of the services (`retEnvEvento`, `retConsSitNFe`), lists of a vendor. */
export const appendedEventFields: FieldTable = together(besideProtocol, below('*', besideProtocol));

/** Result of the protocol, below `infProt`; alerts (cStat 120) are pairs in which the code may be missing. */
export const protocolFields: FieldTable = {
  protocol: { key: 'chNFe chCTe', number: 'nProt', code: 'cStat', message: 'xMotivo', at: 'dhRecbto' },
  alerts: [
    { each: 'cMsg', code: '.' },
    { each: 'xMsg', message: '.' },
  ],
};

/** A CT-e correction letter lists group, field and new value of each change. */
function correctionsFrom({ corrections }: Collected): string | undefined {
  const lines = corrections.flatMap(({ group, field, value }) =>
    value === undefined ? [] : [`${group ?? ''}/${field ?? ''}: ${value}`],
  );
  return lines.length > 0 ? cleanText(lines.join('\n'), longest.text) : undefined;
}

function eventDocument(
  collected: Collected,
  { layout, status, ...own }: Pick<Unchecked, 'layout' | 'status'> & Partial<Unchecked>,
): DocumentSummary {
  const document = Object.assign(commonParts(collected, { kind: 'event', layout, status }), own);
  return withWarnings(document, collected, checkEventKey(document.key));
}

/** An event of an NF-e or CT-e, with or without its receipt; undefined without key and code. */
function summarizeEvent(family: 'nfe' | 'cte', collected: Collected): DocumentSummary | undefined {
  const { events, receipts, event_items: items } = collected;
  const [request, receipt] = [events[0], receipts[0]];
  const key = request?.key ?? receipt?.key;
  const event = eventFrom(request, receipt);
  if (key === undefined && event.code === undefined) return undefined;
  return eventDocument(collected, {
    layout: `${family} event ${request?.version ?? receipt?.version ?? ''}`,
    status: eventStatusByCode(receipt?.status),
    key,
    environment: environmentFrom(request?.environment ?? receipt?.environment),
    event: {
      ...event,
      text: event.text ?? correctionsFrom(collected),
      ...(items.length > 0 && { items: items.slice() }),
    },
    protocol: receipt && { number: receipt.number, code: receipt.status, at: receipt.at },
  });
}

/** An event of a national NFS-e; a processing time means that it is registered. */
function summarizeNationalEvent(collected: Collected): DocumentSummary | undefined {
  const [request = {}] = collected.events;
  const { key, id = '', environment, version = '' } = request;
  if (key === undefined) return undefined;
  const status = collected.protocol.at === undefined ? 'no_protocol' : 'authorized';
  const event = { ...eventFrom(request), code: /^EVT[0-9A-Z]{50}(\d{6})/.exec(id)?.[1] };
  const layout = `nfse national event ${version}`;
  return eventDocument(collected, { layout, status, key, environment: environmentFrom(environment), event });
}

const situations = new Map(Object.entries({ 1: 'authorized', 2: 'denied', 3: 'cancelled' } as const));

/**
 * `procEventoNFe` and its parts. NF-e and national NFS-e share `evento`; the Id's prefix or the key distinguishes them.
 */
export const nfeEvent: DocumentLayout = {
  fields: processedEvent,
  summarize(collected) {
    const { id, key } = collected.events[0] ?? {};
    const isNational = id?.startsWith('EVT') || key?.length === NATIONAL_KEY_LENGTH;
    return isNational ? summarizeNationalEvent(collected) : summarizeEvent('nfe', collected);
  },
};

/** `procEventoCTe` and its parts; layout 2.00 files may have the receipt's content without its element. */
export const cteEvent: DocumentLayout = {
  fields: together(processedEvent, { receipts: { each: 'infEvento' } }, below('infEvento', receipt)),
  summarize: (collected) => summarizeEvent('cte', collected),
};

/** `resNFe`: the tax office's abridged note; the full one arrives after a manifestation. */
export const abridgedNfe: DocumentLayout = {
  fields: {
    raw: { version: '@versao', situation: 'cSitNFe' },
    document: { key: 'chNFe', issued_at: 'dhEmi', flow: 'tpNF' },
    issuer: { cnpj: 'CNPJ', cpf: 'CPF', name: 'xNome', state_registration: 'IE' },
    totals: { total: 'vNF' },
    protocol: { at: 'dhRecbto', number: 'nProt' },
  },
  summarize(collected) {
    const { raw, document: header } = collected;
    if (header.key === undefined) return undefined;
    const status = situations.get(raw.situation ?? '') ?? 'unknown';
    const layout = `nfe summary ${raw.version ?? ''}`;
    const document = commonParts(collected, { kind: 'summary', layout, status });
    return withWarnings(document, collected, checkEventKey(document.key));
  },
};

/** `resEvento`: a registered event as listed by the tax office. */
export const abridgedEvent: DocumentLayout = {
  fields: {
    events: [
      { each: '', version: '@versao', author: 'CNPJ CPF', key: 'chNFe', at: 'dhEvento', code: 'tpEvento' },
      { sequence: 'nSeqEvento', name: 'xEvento' },
    ],
    protocol: { number: 'nProt', at: 'dhRecbto' },
  },
  summarize(collected) {
    const [request = {}] = collected.events;
    const { key, version = '' } = request;
    if (key === undefined) return undefined;
    const status = collected.protocol.number === undefined ? 'unknown' : 'authorized';
    const layout = `nfe event summary ${version}`;
    return eventDocument(collected, { layout, status, key, event: eventFrom(request) });
  },
};
