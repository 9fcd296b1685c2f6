import { addDecimals, compareDecimals, negateDecimal } from '../../documents/decimals.ts';
import { chooseWrong, type Listed, type ListedMonth, type ListFile, strangerOf } from './listed.ts';

/** `documento` of the assessment by kind of document. Source: docs/fiscal/reconcile.md. */
const codes: Readonly<Record<string, number>> = { nfe: 55, cte: 57, nfse: 91 };
/** `origem` of a cancellation. */
const CANCELLATION = 30;

const cbsOf = ({ summary }: Listed) => summary.totals.cbs ?? '0.00';

/** Documents an assessment of the month may count: those with CBS, except returns. */
function countedOf({ documents, month }: ListedMonth): readonly Listed[] {
  return documents.filter(
    (one) =>
      one.issued.startsWith(month) && one.summary.purpose !== '4' && compareDecimals(cbsOf(one), '0.00') > 0,
  );
}

function recordOf({ key: chave, summary, registeredAt }: Listed, cbs: object, origem = 0): object {
  const moments = { emissao: summary.issued_at, registro: registeredAt, atualizacao: registeredAt };
  return { origem, documento: codes[summary.kind] ?? 0, chave, ...moments, cbs };
}

type Records = readonly (readonly [month: string, record: object])[];

/** The file in the authority's format, with months as `MM/AAAA`. */
function fileOf(list: 'debitos' | 'creditos', asked: ListedMonth, records: Records): ListFile {
  const months = [...new Set(records.map(([month]) => month))].sort();
  const apuracao = months.map((month) => ({
    pa: month.split('-').reverse().join('/'),
    [list]: records.filter(([of]) => of === month).map(([, record]) => record),
  }));
  const head = { tiqueteSolicitacao: '00000000-demo', ni: asked.company.id.slice(0, 8), niConsumidor: '' };
  const content = JSON.stringify({ ...head, geradoEm: asked.generatedAt, apuracao }, null, 1);
  return { name: `apuracao-cbs-${list}-${asked.month}.json`, content: Buffer.from(content) };
}

const debit = (amount = '0.00') => ({ apurado: Number(amount), saldoDevedor: Number(amount), extinto: 0 });

/**
 * The tax authority's debits of a month, API v2. Correct: a cancelled note whose debit an adjustment brings to zero.
 * Deliberate errors: a missing note, one with another amount, a duplicate, one that no company here has issued, and the
 * last cancelled note without its adjustment.
 */
export function debitsOf(asked: ListedMonth): ListFile {
  const all = countedOf(asked).filter(({ isOwn, isEntry }) => isOwn && !isEntry);
  const inEffect = all.filter(({ isCancelled }) => !isCancelled);
  const wrongOf = chooseWrong(inEffect, [['absent'], ['other amount'], ['twice']]);
  const unadjusted = all.findLast(({ isCancelled }) => isCancelled);
  const records = all.flatMap((one) => {
    const wrong = wrongOf(one);
    if (wrong === 'absent') return [];
    const amount = wrong === 'other amount' ? addDecimals([cbsOf(one), '4.50']) : cbsOf(one);
    const counted = recordOf(one, debit(amount));
    if (wrong === 'twice') return [counted, counted];
    const adjusted = recordOf(one, debit(negateDecimal(cbsOf(one))), CANCELLATION);
    return one.isCancelled && one !== unadjusted ? [counted, adjusted] : [counted];
  });
  const model = all.find(({ summary }) => summary.kind === 'nfe');
  const unknown = model ? [recordOf({ ...model, key: strangerOf(model, '999999002') }, debit('27.00'))] : [];
  const ofMonth = [...records, ...unknown].map((record) => [asked.month, record] as const);
  return fileOf('debitos', asked, ofMonth);
}

/**
 * The authority's credits. Most can be appropriated; two suppliers' can't, since the debit is open, wholly or in part;
 * one is suspended, and one counts in the next month. Deliberate error: a cancelled note that counts.
 */
export function creditsOf(asked: ListedMonth): ListFile {
  const ofMonth = countedOf(asked).filter(({ isEntry, isParty }) => isEntry && isParty);
  const counted = ofMonth.find(({ isCancelled }) => isCancelled);
  const all = ofMonth.filter((one) => !one.isCancelled || one === counted);
  const issuerOf = ({ summary }: Listed) => summary.issuer?.id ?? '';
  const [open, partlyOpen] = [...new Set(all.map(issuerOf))].sort();
  const usual = all.filter((one) => one !== counted && ![open, partlyOpen].includes(issuerOf(one)));
  const specialOf = chooseWrong(usual, [['suspended'], ['later']]);
  const [year = 0, month = 0] = asked.month.split('-').map(Number);
  const nextMonth = new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 7);
  const records = all.map((one) => {
    const cents = Math.round(Number(cbsOf(one)) * 100);
    const toCome = issuerOf(one) === open ? cents : issuerOf(one) === partlyOpen ? Math.floor(cents / 2) : 0;
    const suspended = specialOf(one) === 'suspended' ? cents : 0;
    const apropriacao = {
      ...{ inapropriavel: 0, suspenso: suspended / 100, prescrito: 0, aApropriar: toCome / 100 },
      apropriado: (cents - toCome - suspended) / 100,
    };
    const record = recordOf(one, { apurado: cents / 100, apropriacao });
    return [specialOf(one) === 'later' ? nextMonth : asked.month, record] as const;
  });
  return fileOf('creditos', asked, records);
}
