/** The issuer's view: who receives what a supplier sells (5102) has bought it. */
export const natures = ['sale', 'purchase', 'return', 'transfer', 'remittance', 'other'] as const;

export type Nature = (typeof natures)[number];

/**
 * Every code of the table by its nature: first digits, and what may follow each of them.
 *
 * `sale` and `purchase` are of goods, services, electricity, fuel and fixed assets, with what goes to a trading company
 * for export. `return` is what takes a sale, a purchase or a transfer back, annulled amounts too. `remittance` is what
 * comes back or was never sold: consignment, repair, storage, loan, packaging, gifts and samples, on their way there and
 * back. `other` is everything that moves no goods or whose goods are in another note as well: billing ahead of delivery
 * (5922), notes of what a till receipt covers (5929), ICMS credits, losses, the unspecified codes (5949). Which nature a
 * code has is ours to say: the table gives its words and marks returns. Source: docs/fiscal/checks.md.
 */
const suffixes: Readonly<Record<Nature, Readonly<Record<string, string>>>> = {
  sale: {
    5: '405',
    56: '103 104 109 110 111 112 113 114 115 116 117 118 119 120 122 123 124 125 132 252 253 254 255 256 257 258 302 303 304 305 306 307 351 352 353 354 355 356 357 359 360 401 402 403 502 652 653 655 656 932 933',
    567: '101 102 105 106 129 251 301 501 551 651 654 667',
    6: '107 108 404',
    7: '127 358 504 552',
  },
  purchase: {
    1: '360',
    12: '111 113 116 117 118 120 121 122 124 125 132 135 252 253 254 255 256 257 302 303 304 305 306 401 403 406 407 501 932 933',
    123: '101 102 126 128 251 301 351 352 353 354 355 356 551 556 651 652 653',
    3: '127 129',
  },
  return: {
    12: '203 204 504 505 506',
    12356: '503',
    123567: '201 202 205 206 207 553',
    1237: '212',
    1256: '208 209 213 214 215 216 410 411 660 661 662',
    37: '211',
    56: '412 413',
    567: '210 556',
  },
  transfer: {
    12: '154',
    1256: '151 152 153 408 409 552 557 658 659',
    56: '155 156',
  },
  remittance: {
    1256: '131 414 415 451 452 453 454 455 554 555 657 663 664 901 902 903 904 905 906 907 908 909 910 911 912 913 914 915 916 917 918 919 920 921 923 924 925 934',
    3: '552 667',
    37: '930',
    56: '504 505 665 666',
  },
  other: {
    1: '604',
    123567: '949',
    1256: '159 456 603 922 931',
    15: '601 602 605 926',
    5: '606 927 928',
    56: '160 929',
  },
};

let byCode: ReadonlyMap<string, Nature> | undefined;

function natureByCode(): ReadonlyMap<string, Nature> {
  byCode ??= new Map(
    natures.flatMap((nature) =>
      Object.entries(suffixes[nature]).flatMap(([digits, list]) =>
        list.split(' ').flatMap((suffix) => [...digits].map((digit) => [digit + suffix, nature] as const)),
      ),
    ),
  );
  return byCode;
}

/** The nature of an operation by its CFOP, four digits; undefined for a code that the table doesn't have. */
export function natureOf(cfop: string): Nature | undefined {
  return natureByCode().get(cfop);
}

/** The codes of a nature, in order. */
export function codesOf(nature: Nature): readonly string[] {
  return [...natureByCode()].flatMap(([code, own]) => (own === nature ? code : [])).sort();
}
