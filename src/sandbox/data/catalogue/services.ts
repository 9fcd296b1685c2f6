import type { Cents, Rate } from '../taxes/cents.ts';

export interface ServiceDescription {
  /** Six digits: item, subitem and split of the national list (`cTribNac`); `01.07` of it is `010700`. */
  readonly nationalCode: string;
  /** `cNBS`, nine digits. */
  readonly nbs: string;
  /** The list's words for it (`xTribNac`). */
  readonly listName: string;
  /** What the provider writes; `{month}` becomes the month of the service. */
  readonly text: string;
  readonly iss: Rate;
  readonly lowest: Cents;
  readonly highest: Cents;
  /** The taker withholds ISS and federal taxes. */
  readonly withheld: boolean;
}

function service(
  code: readonly [nationalCode: string, nbs: string],
  words: readonly [listName: string, text: string],
  iss: Rate,
  range: readonly [lowest: Cents, highest: Cents],
  withheld: boolean,
): ServiceDescription {
  const [nationalCode, nbs] = code;
  const [listName, text] = words;
  const [lowest, highest] = range;
  return { nationalCode, nbs, listName, text, iss, lowest, highest, withheld };
}

export const services = {
  softwareLicence: service(
    ['010501', '111032200'],
    [
      'Licenciamento ou cessão de direito de uso de programas de computação.',
      'Licença de uso do sistema de gestão, {month}',
    ],
    290,
    [45_000, 890_000],
    true,
  ),
  softwareSupport: service(
    ['010701', '115023000'],
    ['Suporte técnico em informática.', 'Suporte técnico e configuração de sistemas, {month}'],
    200,
    [30_000, 420_000],
    false,
  ),
  technicalTraining: service(
    ['080201', '122051900'],
    [
      'Instrução, treinamento, orientação pedagógica e educacional.',
      'Treinamento técnico NR-10 & segurança em instalações elétricas, {month}',
    ],
    300,
    [90_000, 680_000],
    false,
  ),
  industrialMaintenance: service(
    ['140101', '120013100'],
    [
      'Lubrificação, limpeza, revisão, conserto e manutenção de máquinas.',
      'Manutenção preventiva de máquinas, {month}',
    ],
    300,
    [80_000, 1_450_000],
    true,
  ),
  cleaning: service(
    ['071001', '118061000'],
    [
      'Limpeza, manutenção e conservação de vias e logradouros, imóveis e congêneres.',
      'Limpeza e conservação predial, {month}',
    ],
    500,
    [220_000, 980_000],
    true,
  ),
  securityGuards: service(
    ['110201', '118025000'],
    [
      'Vigilância, segurança ou monitoramento de bens, pessoas e semoventes.',
      'Vigilância patrimonial, {month}',
    ],
    300,
    [540_000, 2_300_000],
    true,
  ),
  accounting: service(
    ['171901', '113022100'],
    ['Contabilidade, inclusive serviços técnicos e auxiliares.', 'Honorários contábeis, {month}'],
    200,
    [120_000, 520_000],
    false,
  ),
  warehousing: service(
    ['110401', '106022000'],
    [
      'Armazenamento, depósito, carga, descarga, arrumação e guarda de bens de qualquer espécie.',
      'Armazenagem e movimentação de cargas, {month}',
    ],
    300,
    [150_000, 1_100_000],
    false,
  ),
} as const satisfies Record<string, ServiceDescription>;

export type ServiceName = keyof typeof services;
