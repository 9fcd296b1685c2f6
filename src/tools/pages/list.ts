import { kindName } from '../../documents/summary/summary.ts';
import type { Call, Column, Row, Table, Text } from '../../views/page.ts';
import type { Answered, Asked } from './answered.ts';
import { counted, measureColumn } from './groups.ts';
import { groupNoun } from './headings.ts';

interface ListedParty {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

export interface ListedDocument {
  readonly document?: string | undefined;
  readonly key?: string | undefined;
  readonly number?: string | undefined;
  readonly issued_at?: string | undefined;
  readonly entered_on?: string | undefined;
  readonly issuer?: ListedParty | undefined;
  readonly recipient?: ListedParty | undefined;
  readonly status?: string | undefined;
  readonly totals?: { readonly total?: string | undefined } | undefined;
  readonly columns?: Readonly<Record<string, unknown>> | undefined;
}

/** An answer of documents, as `query_documents` gives it. */
export interface AnsweredList extends Answered {
  readonly listed: readonly ListedDocument[];
  readonly sums: readonly {
    readonly document: string;
    readonly measures: Readonly<Record<string, string>>;
  }[];
  readonly total: number;
}

/** How a call names a document: by its key, or an NFS-e by its issuer, who is the company where none stands there. */
function callForDocument(
  { key, number, issued_at: at, issuer }: ListedDocument,
  area: string,
  company?: string,
): Call | undefined {
  if (key !== undefined) return { tool: 'get_document', args: { document: area, key } };
  const issuer_cnpj = issuer?.id ?? company;
  if (area !== 'nfse' || !number || !at || !issuer_cnpj) return undefined;
  return { tool: 'get_document', args: { document: area, number, issue_date: at.slice(0, 10), issuer_cnpj } };
}

/** The other side of a document; the company itself stands above the page. */
function otherParty({ issuer, recipient }: ListedDocument, company: string): string | undefined {
  const party = issuer?.id === undefined || issuer.id === company ? (recipient ?? issuer) : issuer;
  return party?.name ?? party?.id;
}

const known: Readonly<Record<string, Column['kind']>> = {
  authorized_at: 'day',
  cancelled_at: 'day',
  entered_on: 'day',
};

/** A column that was asked for by name: a measure is an amount, days are days, anything else is text. */
function extraColumn(name: string, values: readonly unknown[], asked: Asked, area: string): Column {
  const isAmount = values.every((one) => one === undefined || /^-?\d+\.\d+$/.test(String(one)));
  if (isAmount) return measureColumn(name, 'below', asked, area);
  const heading = asked.speak((voice) => voice.name('column', name));
  return { name, heading, kind: known[name] ?? 'text', place: 'below', label: heading };
}

/** The value of a column that was asked for, in words where it is a code, and days as days. */
function valueOfColumn(name: string, value: unknown, area: string, { speak }: Asked): Text | undefined {
  if (value === undefined || value === null) return undefined;
  const text = Array.isArray(value) ? value.map(String).join('; ') : String(value);
  if (name === 'due_dates') return speak(({ day }) => text.split(/;\s*/).map(day).join(', '));
  if (name === 'nature' || (name === 'purpose' && area === 'nfe'))
    return speak((voice) =>
      text
        .split(/;\s*/)
        .map((one) => voice.name(name, one))
        .join(', '),
    );
  return text;
}

/** The documents of one kind, with the sum of all of them. */
export function listTable(area: string, answer: AnsweredList, asked: Asked): Table {
  const { speak, call } = asked;
  const { company } = answer;
  const own = answer.listed.filter(({ document = area }) => document === area);
  const sums = answer.sums.find(({ document }) => document === area)?.measures ?? {};
  const given = new Set(own.flatMap(({ columns = {} }) => Object.keys(columns)));
  // A name says more than the id that it belongs to.
  const extra = [...given].filter((name) => !given.has(`${name}_name`));
  const hasStatus = own.some(({ status }) => status !== undefined && status !== 'authorized');
  const hasEntry = own.some(({ entered_on: day }) => day !== undefined);
  const heading = (name: string) => speak((voice) => voice.name('column', name));
  const columns: Column[] = [
    {
      name: 'note',
      heading: speak((voice) =>
        voice.page('heading.number', { party: groupNoun('counterparty', asked.subject.direction, voice) }),
      ),
      kind: 'text',
      place: 'name',
    },
    { name: 'day', heading: heading('day'), kind: 'day', place: 'below' },
    ...(hasEntry
      ? [{ name: 'entered_on', heading: heading('entered_on'), kind: 'day', place: 'wide' } as const]
      : []),
    ...(hasStatus
      ? [{ name: 'status', heading: heading('status'), kind: 'text', place: 'below' } as const]
      : []),
    ...extra.map((name) =>
      extraColumn(
        name,
        own.map((one) => one.columns?.[name]),
        asked,
        area,
      ),
    ),
    measureColumn('total', 'value', asked, area),
    { name: 'key', heading: heading('key'), kind: 'key', place: 'below' },
  ];
  const order = String(call.args.order_by ?? '');
  const count = Number(sums.count ?? own.length);
  return {
    layout: 'rows',
    caption: kindName(area),
    hasHeading: answer.sums.length > 1,
    columns,
    groups: [],
    rows: own.map((one): Row => {
      const other = otherParty(one, company);
      return {
        cells: {
          ...Object.fromEntries(
            extra.map((name) => [name, valueOfColumn(name, one.columns?.[name], area, asked)]),
          ),
          note: one.number ?? one.key,
          day: one.issued_at?.slice(0, 10),
          entered_on: one.entered_on?.slice(0, 10),
          status: one.status && speak(({ tell }) => tell(`status.${one.status}` as 'status.authorized', {})),
          total: one.totals?.total,
          key: one.key,
        },
        ...(other !== undefined && { details: { note: other } }),
        opens: callForDocument(one, area, company.includes(',') ? undefined : company),
        ...((one.status === 'cancelled' || one.status === 'denied') && { tone: 'bad' as const }),
      };
    }),
    total: {
      cells: {
        note: speak((voice) =>
          voice.page(own.length < count ? 'row.total_shown' : 'row.total_of', {
            counted: counted(area, count, voice),
            shown: own.length,
          }),
        ),
        total: sums.total,
      },
    },
    sorted:
      order === ''
        ? { by: 'day', descending: true }
        : { by: order.includes('total') ? 'total' : 'day', descending: order.startsWith('-') },
  };
}
