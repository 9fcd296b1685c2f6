import { kindName } from '../../documents/summary/summary.ts';
import type { Call, Column, Row, Table } from '../../page/page.ts';
import type { SumRow } from '../query/rows.ts';
import type { ListLine } from '../shared/listing.ts';
import type { Answered, Question } from './asked.ts';
import { counted, measureColumn } from './groups.ts';
import { column, groupNoun, present, type Voice } from './voice.ts';

/** An answer of documents, as `query_documents` gives it. */
export interface AnsweredList extends Answered {
  readonly listed: readonly Partial<ListLine>[];
  readonly sums: readonly SumRow[];
  readonly total: number;
}

/** Call that opens a document: by key, or an NFS-e by its issuer, which defaults to the company. */
function callForDocument(
  { key, number, issued_at: at, issuer }: Partial<ListLine>,
  area: string,
  company: string,
): Call | undefined {
  if (key !== undefined) return { tool: 'get_document', args: { document: area, key } };
  const issuer_cnpj = issuer?.id ?? (company.includes(',') ? undefined : company);
  if (area !== 'nfse' || !number || !at || !issuer_cnpj) return undefined;
  return { tool: 'get_document', args: { document: area, number, issue_date: at.slice(0, 10), issuer_cnpj } };
}

/** The other side of a document; the company itself stands above the page. */
function otherParty({ issuer, recipient }: Partial<ListLine>, company: string): string | undefined {
  const party = issuer?.id === undefined || issuer.id === company ? (recipient ?? issuer) : issuer;
  return party?.name ?? party?.id;
}

const days = new Set(['authorized_at', 'cancelled_at', 'entered_on']);

/** Column requested by name: an amount, a day, or else text. */
function extraColumn(name: string, own: readonly Partial<ListLine>[], area: string, voice: Voice): Column {
  const isAmount = own.every(({ columns }) => /^(?:-?\d+\.\d+)?$/.test(String(columns?.[name] ?? '')));
  if (isAmount) return measureColumn(name, 'below', area, voice);
  const heading = voice.name('column', name);
  return column(name, heading, days.has(name) ? 'day' : 'text', 'below', heading);
}

/** Value of a requested column; codes in words. */
function valueOfColumn(name: string, value: unknown, area: string, voice: Voice): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = Array.isArray(value) ? value.map(String).join('; ') : String(value);
  const written = (write: (one: string) => string) => text.split(/;\s*/).map(write).join(', ');
  if (name === 'due_dates') return written(voice.day);
  const isCode = name === 'nature' || (name === 'purpose' && area === 'nfe');
  return isCode ? written((one) => voice.name(name, one)) : text;
}

/** The documents of one kind, with the sum of all of them. */
export function listTable(area: string, answer: AnsweredList, { call, subject, voice }: Question): Table {
  const { company } = answer;
  const own = answer.listed.filter(({ document = area }) => document === area);
  const sums = answer.sums.find(({ document }) => document === area)?.measures ?? {};
  const given = new Set(own.flatMap(({ columns = {} }) => Object.keys(columns)));
  // A name is more telling than its id.
  const extra = [...given].filter((name) => !given.has(`${name}_name`));
  const hasStatus = own.some(({ status }) => status !== undefined && status !== 'authorized');
  const hasEntry = own.some(({ entered_on: day }) => day !== undefined);
  const heading = (name: string) => voice.name('column', name);
  const other = groupNoun('counterparty', subject.direction, voice);
  const order = String(call.args.order_by ?? '');
  const count = Number(sums.count ?? own.length);
  return {
    layout: 'rows',
    caption: kindName(area),
    hasHeading: answer.sums.length > 1,
    columns: present<Column>(
      column('note', voice.page('heading.number', { party: other }), 'text', 'name'),
      column('day', heading('day'), 'day', 'below'),
      hasEntry && column('entered_on', heading('entered_on'), 'day', 'wide'),
      hasStatus && column('status', heading('status'), 'text', 'below'),
      ...extra.map((name) => extraColumn(name, own, area, voice)),
      measureColumn('total', 'value', area, voice),
      column('key', heading('key'), 'key', 'below'),
    ),
    rows: own.map((one): Row => {
      const { key, number, issued_at: at, entered_on: entry, status, totals, columns } = one;
      const party = otherParty(one, company);
      return {
        cells: {
          ...Object.fromEntries(
            extra.map((name) => [name, valueOfColumn(name, columns?.[name], area, voice)]),
          ),
          note: number ?? key,
          day: at?.slice(0, 10),
          entered_on: entry?.slice(0, 10),
          status: status && voice.tell(`status.${status}` as 'status.authorized', {}),
          total: totals?.total,
          key,
        },
        details: party === undefined ? undefined : { note: party },
        opens: callForDocument(one, area, company),
        tone: status === 'cancelled' || status === 'denied' ? 'bad' : undefined,
      };
    }),
    total: {
      cells: {
        note: voice.page(own.length < count ? 'row.total_shown' : 'row.total_of', {
          counted: counted(area, count, voice),
          shown: own.length,
        }),
        total: sums.total,
      },
    },
    sorted: {
      by: order.includes('total') ? 'total' : 'day',
      descending: order === '' || order.startsWith('-'),
    },
  };
}
