import { type Moment, momentOfWallClock } from '../data/calendar.ts';

/** What makes an operation answer with status 400 instead of a string. */
export class BadRequest extends Error {}

/** What makes an operation answer with an envelope that carries a code other than success. */
export class RefusedInEnvelope extends Error {
  /** `cStat`, three digits. */
  readonly code: string;

  constructor(code: string, reason: string) {
    super(reason);
    this.code = code;
  }
}

/** Both ends included. */
interface Period {
  readonly from: Moment;
  readonly to: Moment;
}

const BRAZILIAN_DATE = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;
const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{2}:\d{2}(:\d{2})?$/;

function isoDateOf(text: string): string | undefined {
  if (ISO_DATE.test(text)) return text;
  const [, day, month, year] = BRAZILIAN_DATE.exec(text) ?? [];
  return day && month && year && `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function momentAt(name: string, date: string, time: string): Moment {
  const isoDate = isoDateOf(date);
  const seconds = time.length === 5 ? ':00' : '';
  const moment = isoDate && TIME.test(time) ? momentOfWallClock(`${isoDate}T${time}${seconds}`) : Number.NaN;
  if (Number.isNaN(moment))
    throw new BadRequest(`O valor do parâmetro '${name}' não é uma data ou hora válida.`);
  return moment;
}

/** The start of a day written `dd/MM/yyyy`, `d/M/yyyy` or `yyyy-MM-dd`. */
export function readDate(name: string, date: string): Moment {
  return momentAt(name, date, '00:00:00');
}

/** An empty start time is the first second of the day, an empty end time its last one. */
export function readPeriod(input: (name: string) => string): Period {
  const from = momentAt('dataDe', input('dataDe'), input('horaDe') || '00:00:00');
  const to = momentAt('dataAte', input('dataAte'), input('horaAte') || '23:59:59');
  if (from > to) throw new BadRequest('A data inicial é posterior à data final.');
  return { from, to };
}
