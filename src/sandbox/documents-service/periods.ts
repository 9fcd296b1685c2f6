import { type Moment, momentOfWallClock } from '../data/calendar.ts';

/** What makes an operation answer with status 400 instead of a string. */
export class BadRequest extends Error {}

function momentAt(name: string, date: string, time: string): Moment {
  const isoDate = date.replace(
    /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/,
    (_all, day: string, month: string, year: string) =>
      `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
  );
  const moment = momentOfWallClock(`${isoDate}T${time.length === 5 ? `${time}:00` : time}`);
  if (Number.isNaN(moment))
    throw new BadRequest(`O valor do parâmetro '${name}' não é uma data ou hora válida.`);
  return moment;
}

/** The start of a day written `dd/MM/yyyy`, `d/M/yyyy` or `yyyy-MM-dd`. */
export function readDate(name: string, date: string): Moment {
  return momentAt(name, date, '00:00:00');
}

/** A period, both ends included: an empty start time is the first second of the day, an empty end time its last one. */
export function readPeriod(text: (name: string) => string): { from: Moment; to: Moment } {
  const from = momentAt('dataDe', text('dataDe'), text('horaDe') || '00:00:00');
  const to = momentAt('dataAte', text('dataAte'), text('horaAte') || '23:59:59');
  if (from > to) throw new BadRequest('A data inicial é posterior à data final.');
  return { from, to };
}
