import { addDecimals } from '../../documents/decimals.ts';
import { createChooser, type Listed, type ListedMonth, type ListFile } from './listed.ts';

const headings = 'Chave de acesso;Número;Série;CNPJ emitente;Fornecedor;Emissão;Entrada;Valor total;Situação';

const money = (amount: string | undefined) => {
  const [whole = '0', cents = '00'] = (amount ?? '0.00').split('.');
  return `R$ ${BigInt(whole).toLocaleString('pt-BR')},${cents}`;
};
const dayIn = (day: string) => day.split('-').reverse().join('/');

/**
 * The received notes of a month as an ERP exports them. Wrong: a note that is absent, one with another total, one that is
 * cancelled and listed as normal, one twice. A spreadsheet has ruined the key of one, and its line at the end is no note.
 */
export function erpListOf({ month, documents }: ListedMonth): ListFile {
  const all = documents.filter(
    ({ summary, isOwn, isParty, issued }) =>
      summary.kind === 'nfe' && !isOwn && isParty && issued.startsWith(month),
  );
  const inEffect = ({ isCancelled }: Listed) => !isCancelled;
  const choose = createChooser(all.slice(Math.floor(all.length / 2)));
  const [absent, other, twice, ruined] = [
    choose(inEffect),
    choose(inEffect),
    choose(inEffect),
    choose(inEffect),
  ];
  const forgotten = all.find(({ isCancelled }) => isCancelled)?.key;
  const amountOf = ({ key, summary: { totals } }: Listed) =>
    key === other ? addDecimals([totals.total, '1000.00']) : totals.total;
  const lines = all.flatMap((one) => {
    const { key, summary, issued, entered, isCancelled } = one;
    const { number = '', series = '', issuer } = summary;
    if (key === absent) return [];
    const shown = key === ruined ? `${key[0]},${key.slice(1, 6)}E+43` : key;
    const status = isCancelled && key !== forgotten ? 'Cancelada' : 'Normal';
    const who = [issuer?.id ?? '', (issuer?.name ?? '').replaceAll(';', ',')];
    const line = [
      shown,
      number,
      series,
      ...who,
      dayIn(issued),
      dayIn(entered),
      money(amountOf(one)),
      status,
    ].join(';');
    return key === twice ? [line, line] : [line];
  });
  const sum = money(addDecimals(all.map(amountOf)));
  const text = [headings, ...lines, `TOTAL;;;;;;;${sum};`, ''].join('\r\n');
  return { name: `erp-notas-recebidas-${month}.csv`, content: Buffer.from(text, 'latin1') };
}
