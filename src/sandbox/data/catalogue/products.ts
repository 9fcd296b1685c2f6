import type { Cents, Rate } from '../taxes/cents.ts';

/** What a party deals in. */
export type ProductFamily =
  | 'electrical'
  | 'tools'
  | 'packaging'
  | 'office'
  | 'food'
  | 'steel'
  | 'chemicals'
  | 'parts'
  | 'fuel'
  | 'refined';

export interface Product {
  readonly code: string;
  readonly description: string;
  /** 8 digits. */
  readonly ncm: string;
  readonly unit: string;
  readonly price: Cents;
  /** IPI of the manufacturer. */
  readonly ipi: Rate;
  /** `CEST`: present where ICMS is collected ahead by substitution. */
  readonly cest?: string;
  /** IBS and CBS are reduced by 60 %. */
  readonly reduced?: boolean;
  readonly fuel?: Fuel;
  /** Sold by weight or volume: quantities have decimals. */
  readonly fractional?: boolean;
}

/** What is taxed once, by quantity. */
export interface Fuel {
  /** Single-phase ICMS: 02 the issuer's own, 15 that and what it retains, 53 deferred, 61 charged before. */
  readonly cst: '02' | '15' | '53' | '61';
  /** `cProdANP` and `descANP`. */
  readonly anp: string;
  readonly name: string;
  /** Of 2026, in ten-thousandths of a real by unit. Source: Convênio ICMS 113/25. */
  readonly adRem: number;
}

function product(
  code: string,
  description: string,
  ncm: string,
  unit: string,
  price: Cents,
  ipi: Rate,
  more: Partial<Product> = {},
): Product {
  return { code, description, ncm, unit, price, ipi, ...more };
}

export const products: Readonly<Record<ProductFamily, readonly Product[]>> = {
  electrical: [
    product('EL-1025', 'Cabo flexível 2,5 mm² 750 V azul rolo 100 m', '85444900', 'RL', 18_990, 500),
    product('EL-1040', 'Cabo flexível 4,0 mm² 750 V preto rolo 100 m', '85444900', 'RL', 29_850, 500),
    product('EL-2210', 'Disjuntor monopolar curva C 20 A', '85362000', 'UN', 1_185, 650, { cest: '1200100' }),
    product('EL-2225', 'Disjuntor tripolar curva C 50 A', '85362000', 'UN', 6_420, 650, { cest: '1200100' }),
    product('EL-3009', 'Lâmpada LED bulbo 9 W 6500 K', '85395200', 'UN', 745, 975, { cest: '0900500' }),
    product('EL-3118', 'Luminária painel LED 18 W embutir', '94051190', 'UN', 2_390, 975),
    product('EL-4001', 'Tomada dupla 2P+T 10 A "Linha Plena" branca', '85366910', 'UN', 1_120, 650),
  ],
  tools: [
    product('FR-0110', 'Furadeira de impacto 1/2" 750 W 220 V', '84672100', 'UN', 28_900, 520),
    product('FR-0221', 'Jogo de chaves combinadas 6 a 22 mm 12 peças', '82041100', 'JG', 15_480, 520),
    product('FR-0305', 'Alicate universal isolado 8"', '82032010', 'UN', 4_275, 520),
    product('FR-0412', 'Disco de corte inox 115 x 1,0 mm', '68042211', 'UN', 389, 325),
    product('FR-0500', 'Trena emborrachada 5 m', '90178010', 'UN', 2_150, 975),
  ],
  packaging: [
    product('EM-0300', 'Caixa de papelão ondulado 40x30x25 cm', '48191000', 'UN', 412, 975),
    product('EM-0410', 'Fita adesiva transparente 48 mm x 100 m', '39191010', 'RL', 689, 975),
    product('EM-0525', 'Filme stretch 500 mm 25 micra', '39201099', 'KG', 1_395, 975, { fractional: true }),
    product('EM-0600', 'Palete de madeira PBR 1,00 x 1,20 m', '44152000', 'UN', 5_890, 0),
  ],
  office: [
    product('ES-0075', 'Papel sulfite A4 75 g resma 500 folhas', '48025610', 'PC', 2_349, 0),
    product('ES-0140', 'Toner preto compatível 2.600 páginas', '84439933', 'UN', 11_900, 975),
    product('ES-0222', 'Monitor LED 24" Full HD', '85285220', 'UN', 64_900, 975),
    product('ES-0305', 'Cadeira giratória com braços', '94013100', 'UN', 48_700, 325),
    product('ES-0411', 'Caneta esferográfica azul caixa 50 un', '96081000', 'CX', 3_980, 0),
  ],
  food: [
    product('AL-0101', 'Café torrado e moído tradicional 500 g', '09012100', 'PC', 1_649, 0),
    product('AL-0202', 'Suco de uva integral 1,5 L', '20096100', 'UN', 1_485, 0, { reduced: true }),
    product('AL-0303', 'Biscoito amanteigado 330 g', '19053100', 'PC', 879, 0, { cest: '1705300' }),
    product('AL-0404', 'Queijo prato peça', '04069020', 'KG', 4_290, 0, { reduced: true, fractional: true }),
    product('AL-0505', 'Refrigerante guaraná 2 L fardo 6 un', '22021000', 'FD', 3_870, 260, {
      cest: '0301100',
    }),
    product('AL-0606', 'Azeite de oliva extravirgem 500 mL', '15092000', 'UN', 3_190, 0),
  ],
  steel: [
    product('AC-0120', 'Chapa de aço laminada a quente 3,00 mm', '72085300', 'KG', 689, 325, {
      fractional: true,
    }),
    product('AC-0250', 'Barra redonda SAE 1045 2"', '72149910', 'KG', 945, 325, { fractional: true }),
    product('AC-0333', 'Tubo industrial quadrado 50x50x2,00 mm', '73066100', 'BR', 21_480, 325),
    product('AC-0410', 'Perfil U enrijecido 100x50x17 mm', '72166110', 'BR', 18_760, 325),
  ],
  chemicals: [
    product('QM-0015', 'Óleo lubrificante 15W40 balde 20 L', '27101932', 'BD', 32_900, 0, {
      cest: '0600600',
    }),
    product('QM-0108', 'Desengraxante alcalino bombona 50 L', '34029039', 'BB', 28_750, 325),
    product('QM-0210', 'Fluido de corte sintético', '34039900', 'L', 2_480, 325, { fractional: true }),
    product('QM-0330', 'Tinta esmalte sintético cinza 3,6 L', '32081010', 'GL', 9_870, 325, {
      cest: '2400100',
    }),
  ],
  parts: [
    product('PC-0601', 'Rolamento rígido de esferas 6205 2RS', '84821010', 'UN', 2_890, 520),
    product('PC-0725', 'Filtro de óleo para motor diesel', '84212300', 'UN', 4_560, 520, { cest: '0103100' }),
    product('PC-0810', 'Lona de freio traseira jogo', '68138110', 'JG', 21_300, 520, { cest: '0100600' }),
    product('PC-0918', 'Correia em V B-68', '40103900', 'UN', 3_740, 520),
    product('PC-1022', 'Pneu radial 295/80 R22.5 carga', '40112090', 'UN', 189_000, 195, { cest: '1600200' }),
  ],
  fuel: [
    product('CB-0010', 'Óleo diesel B S10', '27101921', 'L', 589, 0, {
      fuel: { cst: '61', anp: '820101034', name: 'OLEO DIESEL B S10 - COMUM', adRem: 11_700 },
    }),
  ],
  refined: [
    product('RF-0100', 'GLP a granel para empilhadeira', '27111910', 'KG', 745, 0, {
      fuel: { cst: '02', anp: '210203001', name: 'GLP', adRem: 14_700 },
    }),
    product('RF-0200', 'Óleo diesel A S10', '27101921', 'L', 471, 0, {
      fuel: { cst: '15', anp: '820101033', name: 'OLEO DIESEL A S10', adRem: 11_700 },
    }),
    product('RF-0300', 'Biodiesel B100', '38260000', 'L', 598, 0, {
      fuel: { cst: '53', anp: '820101001', name: 'BIODIESEL B100', adRem: 11_700 },
    }),
  ],
};
