import { isoDate, SECONDS_IN_DAY, yearDigits } from '../calendar.ts';
import { createRandom } from '../random.ts';
import { type Cents, formatCents } from '../taxes/cents.ts';
import { group, leaves } from '../xml.ts';
import type { Nfe } from './book.ts';

/** `DI`, the import declaration of an item; nothing where the note is of no import. */
export function declarationElement(note: Nfe, number: number): string {
  if (note.rarity !== 'import') return '';
  const digits = createRandom('declaration', note.key).digits(10);
  const on = isoDate(note.issuedAt - 3 * SECONDS_IN_DAY);
  return group(
    'DI',
    leaves({
      nDI: `${yearDigits(note.issuedAt)}BR${digits}`,
      dDI: on,
      xLocDesemb: 'PORTO DE SANTOS',
      UFDesemb: 'SP',
      dDesemb: on,
      tpViaTransp: '1',
      vAFRMM: '0.00',
      tpIntermedio: '1',
      cExportador: note.recipient.id,
    }),
    group('adi', leaves({ nAdicao: '1', nSeqAdic: String(number), cFabricante: note.recipient.id })),
  );
}

/** `II`. */
export function dutyElement(base: Cents, duty: Cents): string {
  return group(
    'II',
    leaves({ vBC: formatCents(base), vDespAdu: '0.00', vII: formatCents(duty), vIOF: '0.00' }),
  );
}
