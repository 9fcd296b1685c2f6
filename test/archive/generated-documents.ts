import type { DocumentSummary, Item } from '../../src/documents/summary/summary.ts';
import { summaryOf } from '../support/summaries.ts';

/** The company that all generated documents are of: it issues every third one and receives the others. */
export const company = '11222333000181';

const states = ['SP', 'MG', 'PR', 'SC', 'RS', 'RJ', 'BA'];
const salesCodes = ['5101', '5102', '5405', '5910', '6101', '6102', '6108'];
const purchaseCodes = ['1101', '1102', '1403', '2101', '2102', '2556', '5102', '6202'];
const situations = ['00', '20', '40', '60', '101'];
const classifications = ['000001', '200003', '410001', undefined];

function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function amount(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

export interface GeneratorOptions {
  readonly count: number;
  readonly seed?: number;
  /** Items of a document, on the average. */
  readonly items?: number;
  readonly partners?: number;
  readonly products?: number;
  /** Codes of goods among them. */
  readonly classes?: number;
  /** First number, so that several runs do not make the same keys. */
  readonly first?: number;
}

function pick<T>(values: readonly T[], random: () => number): T {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined && values.length === 0) throw new Error('nothing to pick from');
  return value as T;
}

function generateItem(
  index: number,
  codes: readonly string[],
  options: GeneratorOptions,
  random: () => number,
) {
  const cents = 100 + Math.floor(random() * 500_000);
  const product = Math.floor(random() * (options.products ?? 40));
  const share = (rate: number) => Math.round(cents * rate);
  const classification = pick(classifications, random);
  const hasIcms = random() < 0.8;
  const freight = random() < 0.3 ? 1 + Math.floor(random() * 900) : 0;
  const discount = random() < 0.2 ? share(0.01) : 0;
  const sums = {
    cents,
    freight,
    discount,
    share: cents + freight - discount + share(0.05),
    icms: hasIcms ? share(0.18) : 0,
    ipi: share(0.05),
    pis: share(0.0165),
    cofins: share(0.076),
  };
  const item: Item = {
    number: String(index + 1),
    code: `P${product}`,
    description: `Peça de aço nº ${product}`,
    ncm: String(73_000_000 + (product % (options.classes ?? 12)) * 1_111),
    cfop: pick(codes, random),
    cst: pick(situations, random),
    quantity: '1.0000',
    unit: ['UN', 'kg', 'CX'][product % 3] ?? 'UN',
    total: amount(cents),
    share: amount(sums.share),
    ...(discount > 0 ? { discount: amount(discount) } : {}),
    ...(freight > 0 ? { freight: amount(freight) } : {}),
    taxes: {
      ...(hasIcms ? { icms: amount(sums.icms), icms_base: amount(cents) } : {}),
      ipi: amount(sums.ipi),
      pis: amount(sums.pis),
      cofins: amount(sums.cofins),
      ...(classification === undefined
        ? {}
        : { class_trib: classification, ibs: `${amount(share(0.001))}25`, cbs: amount(share(0.009)) }),
    },
  };
  return { item, sums };
}

/** One NF-e of 2026; its number makes its key, which is only as long as a key. */
function generateDocument(number: number, options: GeneratorOptions, random: () => number): DocumentSummary {
  const isSale = number % 3 === 0;
  const partner = Math.floor(random() * (options.partners ?? 15));
  const other = {
    id: String(20_000_000_000_000 + partner),
    id_type: 'cnpj' as const,
    name: `Açougue São João ${partner}`,
  };
  const own = {
    id: company,
    id_type: 'cnpj' as const,
    name: 'Metalúrgica Exemplo',
    state: 'SP',
    tax_regime: '3',
  };
  const city = ['3509502', '3550308', '3106200'][partner % 3] ?? '';
  const tax_regime = String(1 + (partner % 3));
  const there = { ...other, state: states[partner % states.length] ?? 'SP', city_code: city, tax_regime };
  const size = 1 + Math.floor(random() * 2 * ((options.items ?? 5) - 0.5));
  const all = isSale ? salesCodes : purchaseCodes;
  // With one partner one does two kinds of business.
  const codes = all.filter((_, index) => [partner % all.length, (partner + 1) % all.length].includes(index));
  const lines = Array.from({ length: size }, (_, index) => generateItem(index, codes, options, random));
  const cents = (name: keyof (typeof lines)[number]['sums']) =>
    lines.reduce((sum, { sums }) => sum + sums[name], 0);
  const total = (name: Parameters<typeof cents>[0]) => amount(cents(name));
  // Some notes name a freight that their items don't: no item's.
  const unshared = random() < 0.1 ? 1 + Math.floor(random() * 10_000) : 0;
  const passed = (number - (options.first ?? 1)) / options.count;
  const day = new Date(Date.UTC(2026, 0, 1 + Math.floor(passed * 334))).toISOString().slice(0, 10);
  const chance = random();
  const status = chance < 0.03 ? 'cancelled' : chance < 0.04 ? 'denied' : 'authorized';
  const eventCodes = [
    ...(number % 4 === 0 ? ['210210'] : []),
    ...(number % 6 === 0 ? ['110110'] : []),
    ...(number % 8 === 0 ? ['210200'] : []),
    ...(number % 17 === 0 ? ['211128'] : []),
  ];
  return summaryOf({
    key: `3526${String(number).padStart(40, '0')}`,
    model: '55',
    series: '1',
    number: String(number),
    issued_at: `${day}T10:00:00-03:00`,
    environment: 'production',
    flow: '1',
    purpose: number % 7 === 0 ? '4' : '1',
    ...(number % 11 === 0 && { credit_type: number % 2 === 0 ? '03' : '06' }),
    ...(number % 13 === 0 && { debit_type: '06' }),
    status,
    ...(eventCodes.length > 0 && { events: eventCodes.map((code) => ({ code, sequence: '1' })) }),
    issuer: isSale ? own : there,
    recipient: isSale ? there : own,
    totals: {
      total: amount(cents('share') + unshared),
      products: total('cents'),
      discount: total('discount'),
      icms: total('icms'),
      ipi: total('ipi'),
      pis: total('pis'),
      cofins: total('cofins'),
      freight: amount(cents('freight') + unshared),
    },
    items: lines.map(({ item }) => item),
  });
}

/** Documents of one company and eleven months, in the order of their issue, always the same for the same options. */
export function* generateDocuments(options: GeneratorOptions): Generator<DocumentSummary> {
  const random = pseudoRandom(options.seed ?? 1);
  const first = options.first ?? 1;
  for (let number = first; number < first + options.count; number++)
    yield generateDocument(number, options, random);
}
