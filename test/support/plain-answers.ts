import type { PlainDocument, PlainLine } from './independent-documents.ts';

/** A question as it is put to the tool, as far as this calculation knows it. */
export interface PlainQuestion {
  readonly group_by: readonly string[];
  readonly direction?: 'inbound' | 'outbound';
  readonly issuer?: string;
  readonly recipient?: string;
  readonly counterparty?: string;
  readonly state?: string;
  readonly cfop?: string;
  readonly ncm?: string;
  readonly cst?: string;
  readonly class_trib?: string;
  readonly status?: string;
  readonly min_total?: string;
  readonly max_total?: string;
  readonly text?: string;
}

export interface PlainRow {
  readonly group: Readonly<Record<string, string>>;
  readonly measures: Readonly<Record<string, string>>;
}

export interface PlainAnswer {
  readonly rows: readonly PlainRow[];
  readonly documents: number;
  readonly cancelled: number;
}

const documentMeasures = ['iss_withheld', 'irrf', 'csll', 'inss', 'pis_withheld', 'cofins_withheld'];
const itemNames = ['cfop', 'ncm', 'cst', 'class_trib', 'item'];
const itemFilters = ['cfop', 'ncm', 'cst', 'class_trib'];

interface Line {
  readonly document: PlainDocument;
  /** Undefined where whole documents are added up. */
  readonly line: PlainLine | undefined;
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  const sinceMonday = (date.getUTCDay() + 6) % 7;
  return new Date(date.getTime() - sinceMonday * 86_400_000).toISOString().slice(0, 10);
}

/** The same question answered by a loop over the documents, in whole cents. */
export function answerPlainly(
  company: string,
  documents: readonly PlainDocument[],
  question: PlainQuestion,
  measures: readonly string[],
): PlainAnswer {
  const isByItem =
    question.group_by.some((name) => itemNames.includes(name)) ||
    itemFilters.some((name) => name in question);

  const isOwn = ({ issuer }: PlainDocument) => issuer.id === company;
  const isOutbound = (document: PlainDocument) => isOwn(document) && !document.isEntry;
  const otherParty = (document: PlainDocument) => (isOwn(document) ? document.recipient : document.issuer);
  const otherState = (document: PlainDocument) => otherParty(document).state;

  const groupOf = (name: string, { document, line }: Line): string | undefined => {
    const { day, issuer, recipient, kind, status } = document;
    const values: Readonly<Record<string, string | undefined>> = {
      issuer: issuer.id,
      recipient: recipient.id,
      counterparty: otherParty(document).id,
      state: otherState(document),
      month: day.slice(0, 7),
      week: mondayOf(day),
      day,
      kind,
      status,
      cfop: line?.cfop,
      ncm: line?.ncm,
      cst: line?.cst,
      class_trib: line?.class_trib,
      item: line?.description,
    };
    return values[name];
  };

  const units = (text: string) => BigInt(text.replace('.', ''));
  const isIn = ({ document, line }: Line): boolean => {
    const { direction, issuer, recipient, counterparty, state, min_total, max_total, text } = question;
    const total = document.amounts.total ?? 0n;
    const said = line === undefined ? document.lines : [line];
    const words = [...document.words, ...said.map(({ description }) => description ?? '')].map(plain);
    return (
      (direction === undefined || (direction === 'outbound') === isOutbound(document)) &&
      (issuer === undefined || document.issuer.id === issuer) &&
      (recipient === undefined || document.recipient.id === recipient) &&
      (counterparty === undefined || otherParty(document).id === counterparty) &&
      (state === undefined || otherState(document) === state) &&
      (min_total === undefined || total >= units(min_total)) &&
      (max_total === undefined || total <= units(max_total)) &&
      (text === undefined || words.some((word) => word.includes(plain(text)))) &&
      (question.cfop === undefined || line?.cfop?.startsWith(question.cfop) === true) &&
      (question.ncm === undefined || line?.ncm?.startsWith(question.ncm) === true) &&
      (question.cst === undefined || line?.cst === question.cst) &&
      (question.class_trib === undefined || line?.class_trib === question.class_trib)
    );
  };

  const candidates = documents
    .flatMap((document): Line[] =>
      isByItem ? document.lines.map((line) => ({ document, line })) : [{ document, line: undefined }],
    )
    .filter(isIn);
  const wanted = (status: string) =>
    question.status === undefined
      ? status !== 'cancelled' || question.group_by.includes('status')
      : status === question.status;
  const lines = candidates.filter(({ document }) => wanted(document.status));
  const cancelled = candidates.filter(
    ({ document }) =>
      question.status === undefined &&
      !question.group_by.includes('status') &&
      document.status === 'cancelled',
  );

  const groups = new Map<string, Line[]>();
  for (const line of lines) {
    const name = JSON.stringify(question.group_by.map((one) => groupOf(one, line) ?? null));
    groups.set(name, [...(groups.get(name) ?? []), line]);
  }

  const measured = (measure: string, members: readonly Line[]): string | undefined => {
    if (measure === 'count') return String(new Set(members.map(({ document }) => document)).size);
    if (measure === 'items') {
      if (members.some(({ document }) => document.kind !== 'nfe')) return undefined;
      const goods = members.flatMap(({ document, line }) => (line === undefined ? document.lines : [line]));
      return String(goods.filter(({ isWhole }) => !isWhole).length);
    }
    const isOfDocuments = documentMeasures.includes(measure);
    const amounts = members.flatMap(({ document, line }) => {
      if (line !== undefined && isOfDocuments && !line.isWhole) return [];
      const amount = (line ?? document).amounts[measure];
      return amount === undefined ? [] : [amount];
    });
    if (amounts.length === 0) return undefined;
    const sum = String(amounts.reduce((all, amount) => all + amount, 0n)).padStart(3, '0');
    return `${sum.slice(0, -2)}.${sum.slice(-2)}`;
  };

  const rows = [...groups.values()].map((members): PlainRow => {
    const [first] = members;
    const group = question.group_by.flatMap((name) => {
      const value = first === undefined ? undefined : groupOf(name, first);
      return value === undefined ? [] : [[name, value]];
    });
    const values = measures.flatMap((measure) => {
      const value = measured(measure, members);
      return value === undefined ? [] : [[measure, value]];
    });
    return { group: Object.fromEntries(group), measures: Object.fromEntries(values) };
  });
  const countOf = (members: readonly Line[]) => new Set(members.map(({ document }) => document)).size;
  return { rows, documents: countOf(lines), cancelled: countOf(cancelled) };
}

/** Rows in an order of their own, so that two answers can be compared whatever theirs is. */
export function inOrder(rows: readonly PlainRow[]): PlainRow[] {
  const text = ({ group }: PlainRow) => JSON.stringify(Object.entries(group).sort());
  return rows.toSorted((one, other) => (text(one) < text(other) ? -1 : 1));
}
