import { addDecimals, compareDecimals, negateDecimal } from '../../documents/decimals.ts';
import { completeAccessKey } from '../../documents/identity/keys.ts';
import { createChooser, type Listed, type ListedMonth, type ListFile } from './listed.ts';

/** `documento` of the assessment by kind of document. Source: docs/fiscal/reconcile.md. */
const codes: Readonly<Record<string, number>> = { nfe: 55, cte: 57, nfse: 91 };
/** `origem` of a cancellation. */
const CANCELLATION = 30;

const cbsOf = ({ summary }: Listed) => summary.totals.cbs;
const hasCbs = (one: Listed) => compareDecimals(cbsOf(one) ?? '0.00', '0.00') > 0;
/** Amounts in reais, as the file has them. */
const reais = (amount: string | undefined) => Number(amount ?? '0.00');
/** `MM/AAAA`. */
const monthIn = (month: string) => month.split('-').reverse().join('/');

function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7);
}

interface Counted {
  readonly month: string;
  readonly record: object;
}

function recordOf(one: Listed, cbs: object, origem = 0): object {
  const { key: chave, summary, registeredAt } = one;
  const moments = { emissao: summary.issued_at, registro: registeredAt, atualizacao: registeredAt };
  return { origem, documento: codes[summary.kind] ?? 0, chave, ...moments, cbs };
}

function fileOf(list: 'debitos' | 'creditos', asked: ListedMonth, records: readonly Counted[]): ListFile {
  const months = [...new Set(records.map(({ month }) => month))].sort();
  const apuracao = months.map((month) => ({
    pa: monthIn(month),
    [list]: records.filter((one) => one.month === month).map(({ record }) => record),
  }));
  const head = { tiqueteSolicitacao: '00000000-demo', ni: asked.company.id.slice(0, 8), niConsumidor: '' };
  const content = JSON.stringify({ ...head, geradoEm: asked.generatedAt, apuracao }, null, 1);
  return { name: `apuracao-cbs-${list}-${asked.month}.json`, content: Buffer.from(content) };
}

/**
 * What the tax authority counts as debits of a month, API v2. Right in it: a cancelled note whose debit an adjustment
 * brings to zero. Wrong: a note that is absent, one with another amount, one twice, one that nobody here has issued, and
 * the last cancelled one without its adjustment.
 */
export function debitsOf(asked: ListedMonth): ListFile {
  const { month } = asked;
  const all = asked.documents.filter(
    (one) =>
      one.isOwn && !one.isEntry && one.issued.startsWith(month) && one.summary.purpose !== '4' && hasCbs(one),
  );
  const choose = createChooser(all.filter(({ isCancelled }) => !isCancelled));
  const [absent, other, twice] = [choose(hasCbs), choose(hasCbs), choose(hasCbs)];
  const unadjusted = all.findLast(({ isCancelled }) => isCancelled)?.key;
  const debit = (amount: string | undefined) => ({
    apurado: reais(amount),
    saldoDevedor: reais(amount),
    extinto: 0,
  });
  const records = all.flatMap((one) => {
    const { key, isCancelled } = one;
    if (key === absent) return [];
    const amount = key === other ? addDecimals([cbsOf(one), '4.50']) : cbsOf(one);
    const counted = recordOf(one, debit(amount));
    if (key === twice) return [counted, counted];
    if (!isCancelled || key === unadjusted) return [counted];
    return [counted, recordOf(one, debit(negateDecimal(amount ?? '0.00')), CANCELLATION)];
  });
  const model = all.find(({ summary }) => summary.kind === 'nfe');
  const stranger = model && {
    ...model,
    key: completeAccessKey(`${model.key.slice(0, 25)}999999002${model.key.slice(34, 43)}`),
  };
  const unknown = stranger === undefined ? [] : [recordOf(stranger, debit('27.00'))];
  return fileOf(
    'debitos',
    asked,
    [...records, ...unknown].map((record) => ({ month, record })),
  );
}

/**
 * What the authority counts as credits. Most can be appropriated; those of two suppliers can't, as the debit is open,
 * wholly or in part; one is suspended, and one counts in the next month. Wrong: a cancelled note that counts.
 */
export function creditsOf(asked: ListedMonth): ListFile {
  const ofMonth = asked.documents.filter(
    (one) =>
      one.isEntry &&
      one.isParty &&
      one.summary.purpose !== '4' &&
      one.issued.startsWith(asked.month) &&
      hasCbs(one),
  );
  const counted = ofMonth.find(({ isCancelled }) => isCancelled);
  const all = ofMonth.filter((one) => !one.isCancelled || one === counted);
  const issuerOf = ({ summary }: Listed) => summary.issuer?.id ?? '';
  const suppliers = [...new Set(all.map(issuerOf))].sort();
  const [open, partlyOpen] = suppliers;
  const choose = createChooser(
    all.filter((one) => one !== counted && ![open, partlyOpen].includes(issuerOf(one))),
  );
  const [suspended, later] = [choose(hasCbs), choose(hasCbs)];
  const records = all.map((one) => {
    const amount = cbsOf(one) ?? '0.00';
    const half = (Math.floor(reais(amount) * 50) / 100).toFixed(2);
    const parts = {
      ...{ inapropriavel: '0.00', suspenso: '0.00', prescrito: '0.00', aApropriar: '0.00' },
      ...(issuerOf(one) === open && { aApropriar: amount }),
      ...(issuerOf(one) === partlyOpen && { aApropriar: half }),
      ...(one.key === suspended && { suspenso: amount }),
    };
    const held = addDecimals(Object.values(parts)) ?? '0.00';
    const apropriacao = {
      ...Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, reais(part)])),
      apropriado: reais(addDecimals([amount, negateDecimal(held)])),
    };
    const record = recordOf(one, { apurado: reais(amount), apropriacao });
    return { month: one.key === later ? nextMonth(asked.month) : asked.month, record };
  });
  return fileOf('creditos', asked, records);
}
