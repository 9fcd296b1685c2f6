/** From the issuer's view: the recipient of a supplier's sale (5102) has a purchase. */
export const natures = ['sale', 'purchase', 'return', 'transfer', 'remittance', 'other'] as const;

export type Nature = (typeof natures)[number];

/**
 * All codes of the table by nature: first digits, and the suffixes of each.
 *
 * `sale` and `purchase` cover goods, services, electricity, fuel and fixed assets, including deliveries to a trading
 * company for export. `return` reverses a sale, a purchase or a transfer, annulled amounts included. `remittance`
 * covers goods that come back or were never sold: consignment, repair, storage, loan, packaging, gifts and samples, in
 * both directions. `other` moves no goods, or goods that another note covers too: billing ahead of delivery (5922),
 * notes for a till receipt (5929), ICMS credits, losses, the unspecified codes (5949). The classification is ours: the
 * table only has texts and marks returns. Source: docs/fiscal/checks.md.
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

/** The nature of an operation by its CFOP, four digits; undefined for a code not in the table. */
export function natureOf(cfop: string): Nature | undefined {
  return natureByCode().get(cfop);
}

/** The codes of a nature, sorted. */
export function codesOf(nature: Nature): readonly string[] {
  return [...natureByCode()].flatMap(([code, own]) => (own === nature ? code : [])).sort();
}

type Pair = readonly [portuguese: string, english: string];

/** Inbound codes by their suffix after 1, 2 or 3, worded shorter than in the table. */
const inbound: Readonly<Record<string, Pair>> = {
  101: ['Compra para industrialização', 'Purchase for production'],
  102: ['Compra para comercialização', 'Purchase for resale'],
  111: ['Compra para industrialização, de consignação', 'Purchase for production, out of consignment'],
  113: ['Compra para comercialização, de consignação', 'Purchase for resale, out of consignment'],
  116: ['Compra para industrialização, entrega futura', 'Purchase for production, later delivery'],
  117: ['Compra para comercialização, entrega futura', 'Purchase for resale, later delivery'],
  124: ['Industrialização por outra empresa', 'Processing by another company'],
  126: ['Compra para prestação de serviço com ICMS', 'Purchase for services with ICMS'],
  128: ['Compra para prestação de serviço com ISS', 'Purchase for services with ISS'],
  151: ['Transferência para industrialização', 'Transfer for production'],
  152: ['Transferência para comercialização', 'Transfer for resale'],
  201: ['Devolução de venda de produção', 'Return of goods produced'],
  202: ['Devolução de venda de mercadoria de terceiros', 'Return of goods resold'],
  252: ['Compra de energia por indústria', 'Electricity, industry'],
  253: ['Compra de energia por comércio', 'Electricity, commerce'],
  302: ['Serviço de comunicação, indústria', 'Communication service, industry'],
  303: ['Serviço de comunicação, comércio', 'Communication service, commerce'],
  352: ['Serviço de transporte, indústria', 'Transport service, industry'],
  353: ['Serviço de transporte, comércio', 'Transport service, commerce'],
  401: ['Compra para industrialização com ST', 'Purchase for production with ST'],
  403: ['Compra para comercialização com ST', 'Purchase for resale with ST'],
  406: ['Compra de ativo imobilizado com ST', 'Purchase of fixed assets with ST'],
  407: ['Compra de uso e consumo com ST', 'Purchase for own use with ST'],
  410: ['Devolução de venda de produção com ST', 'Return of goods produced, with ST'],
  411: ['Devolução de venda de mercadoria com ST', 'Return of goods resold, with ST'],
  551: ['Compra de ativo imobilizado', 'Purchase of fixed assets'],
  556: ['Compra de uso e consumo', 'Purchase for own use'],
  653: ['Compra de combustível para consumo', 'Fuel for own use'],
  901: ['Entrada para industrialização por encomenda', 'Received for processing'],
  902: ['Retorno de industrialização por encomenda', 'Back from processing'],
  908: ['Entrada em comodato', 'Received on loan'],
  910: ['Entrada de bonificação, doação ou brinde', 'Bonus, donation or gift received'],
  911: ['Entrada de amostra grátis', 'Free sample received'],
  912: ['Entrada para demonstração', 'Received for demonstration'],
  915: ['Entrada para conserto', 'Received for repair'],
  916: ['Retorno de conserto', 'Back from repair'],
  917: ['Entrada em consignação', 'Received on consignment'],
  922: ['Faturamento de compra, entrega futura', 'Billing ahead of delivery'],
  933: ['Serviço com ISS', 'Service with ISS'],
  949: ['Outra entrada', 'Other inbound'],
};

/** Outbound codes by their suffix after 5, 6 or 7. */
const outbound: Readonly<Record<string, Pair>> = {
  101: ['Venda de produção', 'Sale of own production'],
  102: ['Venda de mercadoria de terceiros', 'Resale of goods'],
  103: ['Venda de produção fora do estabelecimento', 'Sale of own production, off the premises'],
  104: ['Venda de mercadoria fora do estabelecimento', 'Resale, off the premises'],
  107: ['Venda de produção a não contribuinte', 'Sale of own production to a non-taxpayer'],
  108: ['Venda de mercadoria a não contribuinte', 'Resale to a non-taxpayer'],
  116: ['Venda de produção, entrega futura', 'Sale of own production, later delivery'],
  117: ['Venda de mercadoria, entrega futura', 'Resale, later delivery'],
  118: ['Venda de produção à ordem', 'Sale of own production, delivered to a third party'],
  119: ['Venda de mercadoria à ordem', 'Resale, delivered to a third party'],
  124: ['Industrialização para outra empresa', 'Processing for another company'],
  151: ['Transferência de produção', 'Transfer of own production'],
  152: ['Transferência de mercadoria de terceiros', 'Transfer of goods'],
  201: ['Devolução de compra para industrialização', 'Return of a purchase for production'],
  202: ['Devolução de compra para comercialização', 'Return of a purchase for resale'],
  352: ['Serviço de transporte a indústria', 'Transport service to industry'],
  353: ['Serviço de transporte a comércio', 'Transport service to commerce'],
  357: ['Serviço de transporte a não contribuinte', 'Transport service to a non-taxpayer'],
  401: ['Venda de produção com ST', 'Sale of own production with ST'],
  403: ['Venda de mercadoria com ST, como substituto', 'Resale with ST, as substitute'],
  404: ['Venda com ST já retida', 'Resale with ST already withheld'],
  405: ['Venda com ST já retida', 'Resale with ST already withheld'],
  410: ['Devolução de compra para industrialização com ST', 'Return of a purchase for production with ST'],
  411: ['Devolução de compra para comercialização com ST', 'Return of a purchase for resale with ST'],
  551: ['Venda de ativo imobilizado', 'Sale of fixed assets'],
  553: ['Devolução de compra de ativo', 'Return of fixed assets'],
  556: ['Devolução de compra de uso e consumo', 'Return of goods for own use'],
  656: ['Venda de combustível ao consumidor', 'Fuel to the consumer'],
  901: ['Remessa para industrialização por encomenda', 'Sent for processing'],
  902: ['Retorno de industrialização por encomenda', 'Sent back from processing'],
  904: ['Remessa para venda fora', 'Sent for sale off the premises'],
  905: ['Remessa para depósito', 'Sent to storage'],
  908: ['Remessa em comodato', 'Sent on loan'],
  910: ['Bonificação, doação ou brinde', 'Bonus, donation or gift'],
  911: ['Amostra grátis', 'Free sample'],
  912: ['Remessa para demonstração', 'Sent for demonstration'],
  915: ['Remessa para conserto', 'Sent for repair'],
  916: ['Retorno de conserto', 'Sent back from repair'],
  917: ['Remessa em consignação', 'Sent on consignment'],
  922: ['Faturamento de venda, entrega futura', 'Billing ahead of delivery'],
  929: ['Nota de cupom fiscal', 'Note of a till receipt'],
  932: ['Transporte iniciado em outro estado', 'Transport begun in another state'],
  933: ['Serviço com ISS', 'Service with ISS'],
  949: ['Outra saída', 'Other outbound'],
};

/** Fallback texts by nature. */
const ofNature: Readonly<Record<Nature, Pair>> = {
  sale: ['Venda', 'Sale'],
  purchase: ['Compra', 'Purchase'],
  return: ['Devolução', 'Return'],
  transfer: ['Transferência', 'Transfer'],
  remittance: ['Remessa ou retorno', 'Remittance or its return'],
  other: ['Outra operação', 'Other operation'],
};

/** By first digit: 1 or 5, 2 or 6, 3 or 7. */
const places: readonly Pair[] = [
  ['no estado', 'within the state'],
  ['outro estado', 'other state'],
  ['exterior', 'abroad'],
];

/** Short meaning of a CFOP from its issuer's view; undefined for an unknown code. */
export function cfopWords(code: string): Pair | undefined {
  const nature = natureOf(code);
  const place = places[(Number(code.charAt(0)) - 1) % 4];
  if (nature === undefined || place === undefined) return undefined;
  const words = (code < '4' ? inbound : outbound)[code.slice(1)] ?? ofNature[nature];
  return [`${words[0]}, ${place[0]}`, `${words[1]}, ${place[1]}`];
}
