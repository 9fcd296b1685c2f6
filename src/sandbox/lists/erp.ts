import { addDecimals } from '../../documents/decimals.ts';
import { chooseWrong, type Listed, type ListedMonth, type ListFile } from './listed.ts';

const HEADINGS = 'Chave de acesso;Número;Série;CNPJ emitente;Fornecedor;Emissão;Entrada;Valor total;Situação';

const money = (amount = '0.00') => {
  const [whole = '0', cents] = amount.split('.');
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
  const wrongOf = chooseWrong(all.slice(Math.floor(all.length / 2)), [
    ['absent', inEffect],
    ['other total', inEffect],
    ['twice', inEffect],
    ['ruined key', inEffect],
  ]);
  const forgotten = all.find(({ isCancelled }) => isCancelled);
  const totals: (string | undefined)[] = [];
  const lines = all.flatMap((one) => {
    const { key, summary, issued, entered, isCancelled } = one;
    const { number, series, issuer, totals: of } = summary;
    const wrong = wrongOf(one);
    const total = wrong === 'other total' ? addDecimals([of.total, '1000.00']) : of.total;
    totals.push(total);
    const shown = wrong === 'ruined key' ? `${key[0]},${key.slice(1, 6)}E+43` : key;
    const status = isCancelled && one !== forgotten ? 'Cancelada' : 'Normal';
    const days = [dayIn(issued), dayIn(entered)];
    const line = [shown, number, series, issuer?.id, issuer?.name, ...days, money(total), status].join(';');
    return wrong === 'absent' ? [] : Array<string>(wrong === 'twice' ? 2 : 1).fill(line);
  });
  const text = [HEADINGS, ...lines, `TOTAL;;;;;;;${money(addDecimals(totals))};`, ''].join('\r\n');
  return { name: `erp-notas-recebidas-${month}.csv`, content: Buffer.from(text, 'latin1') };
}
