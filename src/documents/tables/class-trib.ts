import type { DocumentKind } from '../summary/summary.ts';

/** All CSTs of IBS and CBS by the amounts they require: by a rate (gIBSCBS), single-phase (gIBSCBSMono), or none. */
const cstByGroup = {
  rate: '000 010 011 200 220 221 222 510 515 550 830',
  single_phase: '620',
  none: '400 410 800 810 811 820',
} as const;

export type TaxGroup = keyof typeof cstByGroup;

const groupByCst = new Map(
  (Object.entries(cstByGroup) as [TaxGroup, string][]).flatMap(([group, list]) =>
    list.split(' ').map((cst) => [cst, group] as const),
  ),
);

/** Letters for document kinds in the lists below. */
const documentLetters: Readonly<Partial<Record<DocumentKind, string>>> = {
  ...{ nfe: 'n', nfce: 'c', cte: 't', cteos: 'o', nfse: 's' },
};

/** By CST: suffixes of its codes, each with the documents that allow it. */
const codesByCst: Readonly<Record<string, string>> = {
  '000': '001nctos 002 003n 004n 005n 006s',
  '010': '001s 002s',
  '011': '001 002 003s 004 005',
  200:
    '001ts 002nc 003nc 004ncs 005ns 006ncs 007ncs 008ns 009nc 010nc 011n 012nc 013nc 014nc 015nc 016s 017s 018 ' +
    '019s 020ncts 021s 022n 023n 024n 025s 026s 027s 028s 029s 030ncs 031ncs 032nc 033nc 034nc 035nc 036nc 037s ' +
    '038ncs 039ns 040s 041s 042s 043ns 044s 045s 046s 047nc 048s 049 050to 051s 052s 053nc 054ncs 055s 056s',
  220: '001 002 003',
  221: '001s 002 003 004',
  222: '001o',
  400: '001s 002o 003 004',
  410:
    '001nctos 002n 003nctos 004ntos 005ncs 006ncs 007ncs 008ncs 009ncs 010s 011 012ncs 013n 014ncs 015ts 016n ' +
    '017n 018 019nc 020nc 021 022n 023n 024n 025n 026nctos 027ntos 028 029nc 030n 031n 032 033s 034 035nctos ' +
    '036 037 999nctos',
  510: '001n',
  515: '001ns',
  550:
    '001n 002 003n 004n 005n 006n 007n 008n 009n 010n 011n 012n 013n 014n 015n 016ns 017n 018n 019n 020n 021n ' +
    '022ns 023n 024 025 026n 027n 028n 029n',
  620: '001n 002n 003n 004n 005n 006nc 007n',
  800: '001ns 002ns',
  810: '001n',
  811: '001ns 002ns 003ns',
  820: '001s 002s 003s 004s 005 006s 007s 008 009os',
  830: '001n',
};

/** First day of the earliest codes. */
const FIRST_DAY = '2025-05-05';

/** Codes with a later first day. */
const laterBeginnings: Readonly<Record<string, string>> = {
  '2025-09-30': '010002 410022 410023 410024 410025 410026 515001 550021 811001 811002 811003 820006',
  '2025-11-19': '410027 410028 410029 410030 410031 820007 820008',
  '2026-01-01':
    '000005 000006 200053 200054 200055 200056 221002 221003 221004 400002 400003 400004 410032 410033 410034 ' +
    '410035 410036 410037 550022 550023 550024 550025 550026 550027 550028 550029 620007 820009',
};

/** Expired codes by their last day. */
const endings: Readonly<Record<string, string>> = { '2026-01-01': '220001 220002 220003' };

/** Codes with zero rates in addition to all of CST 550, since the tax otherwise due is in gTribRegular. */
const zeroRated = new Set(['200022', '200024']);

/** A row of the table for a classification (cClassTrib). Days are `YYYY-MM-DD`. */
export interface Classification {
  readonly from: string;
  readonly to?: string;
  readonly documents: ReadonlySet<DocumentKind>;
  /** The stated rates are zero (ind_gTribRegular). */
  readonly isZeroRated: boolean;
}

function daysByCode(codesByDay: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(codesByDay).flatMap(([day, codes]) =>
      codes.split(' ').map((code) => [code, day] as const),
    ),
  );
}

function documentsFrom(letters: string): ReadonlySet<DocumentKind> {
  const kinds = Object.entries(documentLetters) as [DocumentKind, string][];
  return new Set(kinds.flatMap(([kind, letter]) => (letters.includes(letter) ? kind : [])));
}

function readTable(): ReadonlyMap<string, Classification> {
  const beginnings = daysByCode(laterBeginnings);
  const ends = daysByCode(endings);
  return new Map(
    Object.entries(codesByCst).flatMap(([cst, list]) =>
      list.split(' ').map((entry): [string, Classification] => {
        const code = cst + entry.slice(0, 3);
        const to = ends.get(code);
        return [
          code,
          {
            from: beginnings.get(code) ?? FIRST_DAY,
            ...(to === undefined ? {} : { to }),
            documents: documentsFrom(entry.slice(3)),
            isZeroRated: cst === '550' || zeroRated.has(code),
          },
        ];
      }),
    ),
  );
}

let classifications: ReadonlyMap<string, Classification> | undefined;

/** The row of a classification, six digits; undefined for an unknown code. */
export function classificationOf(code: string): Classification | undefined {
  classifications ??= readTable();
  return classifications.get(code);
}

/** The group that a CST of IBS and CBS, three digits, requires in an item; undefined for an unknown CST. */
export function taxGroupOf(cst: string): TaxGroup | undefined {
  return groupByCst.get(cst);
}
