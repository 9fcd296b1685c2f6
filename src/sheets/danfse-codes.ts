import { elementAt, textAt, type XmlElement } from '../documents/xml/tree.ts';
import { type Codes, DASH, money } from './printed.ts';

/** Meanings of a national NFS-e's codes, in its layout's words (NFS-e 1.01; DANFSe: NT SE/CGNFS-e 008 v1.02). */
export const emitters: Codes = { 1: 'Prestador', 2: 'Tomador', 3: 'Intermediário' };

export const generators: Codes = { 1: 'Sistema Próprio do Município', 2: 'Sefin Nacional NFS-e' };

export const environments: Codes = { 1: 'Produção', 2: 'Homologação' };

export const situations: Codes = {
  100: 'NFS-e Gerada',
  101: 'NFS-e de Substituição Gerada',
  102: 'NFS-e de Decisão Judicial ou Administrativa',
  103: 'NFS-e Avulsa',
  107: 'NFS-e MEI',
};

export const purposes: Codes = { 0: 'NFS-e regular', 1: 'NFS-e de crédito', 2: 'NFS-e de débito' };

export const issTaxations: Codes = {
  1: 'Operação Tributável',
  2: 'Imunidade',
  3: 'Exportação de Serviço',
  4: 'Não Incidência',
};

export const immunities: Codes = {
  0: 'Imunidade (tipo não informado na nota de origem)',
  1: 'Patrimônio, renda ou serviços, uns dos outros (CF88, Art 150, VI, a)',
  2: 'Templos de qualquer culto (CF88, Art 150, VI, b)',
  3: 'Partidos políticos, entidades sindicais, instituições de educação e de assistência social (CF88, Art 150, VI, c)',
  4: 'Livros, jornais, periódicos e o papel destinado a sua impressão (CF88, Art 150, VI, d)',
  5: 'Fonogramas e videofonogramas musicais (CF88, Art 150, VI, e)',
};

export const suspensions: Codes = {
  1: 'Exigibilidade Suspensa por Decisão Judicial',
  2: 'Exigibilidade Suspensa por Processo Administrativo',
};

export const issWithholdings: Codes = {
  1: 'Não Retido',
  2: 'Retido pelo Tomador',
  3: 'Retido pelo Intermediário',
};

export const contributions: Codes = {
  0: 'PIS/COFINS/CSLL Não Retidos',
  1: 'PIS/COFINS Retidos',
  2: 'PIS/COFINS Não Retidos',
  3: 'PIS/COFINS/CSLL Retidos',
  4: 'PIS/COFINS Retidos, CSLL Não Retido',
  5: 'PIS Retido, COFINS/CSLL Não Retido',
  6: 'COFINS Retido, PIS/CSLL Não Retido',
  7: 'PIS Não Retido, COFINS/CSLL Retidos',
  8: 'PIS/COFINS Não Retidos, CSLL Retido',
  9: 'COFINS Não Retido, PIS/CSLL Retidos',
};

export const simplesOptions: Codes = {
  1: 'Não Optante',
  2: 'Optante - Microempreendedor Individual (MEI)',
  3: 'Optante - Microempresa ou Empresa de Pequeno Porte (ME/EPP)',
};

export const simplesRegimes: Codes = {
  1: 'Tributos federais e municipal pelo Simples Nacional',
  2: 'Tributos federais pelo SN e o ISSQN pela NFS-e conforme a legislação municipal',
  3: 'Tributos federais e municipal pela NFS-e conforme a legislação de cada tributo',
};

export const specialRegimes: Codes = {
  0: 'Nenhum',
  1: 'Ato Cooperado (Cooperativa)',
  2: 'Estimativa',
  3: 'Microempresa Municipal',
  4: 'Notário ou Registrador',
  5: 'Profissional Autônomo',
  6: 'Sociedade de Profissionais',
  9: 'Outros',
};

/** Path of the declaration (DPS) inside the note. */
export const DPS = 'DPS/infDPS';

/** An amount with its currency; empty if absent. */
export function reais(text: string | undefined): string {
  return text === undefined ? '' : `R$ ${money(text)}`;
}

/** A rate; empty if absent. */
export function percent(text: string | undefined): string {
  return text === undefined ? '' : `${money(text)}%`;
}

/** Labels of additional information on the form. Source: NT SE/CGNFS-e 008 v1.02, section 2.1.12. */
const complementLabels: readonly (readonly [label: string, paths: string])[] = [
  ['Inf. Cont.:', `${DPS}/serv/infoCompl/xInfComp`],
  ['NFS-e Subst.:', `${DPS}/subst/chSubstda`],
  ['Doc. Ref.:', `${DPS}/serv/infoCompl/docRef`],
  ['Cod. Obra:', `${DPS}/serv/obra/cObra`],
  ['Insc. Imob.:', `${DPS}/serv/obra/inscImobFisc|${DPS}/IBSCBS/imovel/inscImobFisc`],
  ['Cod. Evt.:', `${DPS}/serv/atvEvento/idAtvEvt`],
  ['Doc. Tec.:', `${DPS}/serv/infoCompl/idDocTec`],
  ['Núm. Ped.:', `${DPS}/serv/infoCompl/xPed`],
  ['Item Ped.:', `${DPS}/serv/infoCompl/gItemPed/xItemPed`],
  ['Inf. A. T. Mun.:', 'xOutInf'],
];

/** The note's additional information, labelled. */
export function complements(note: XmlElement): string[] {
  return complementLabels.flatMap(([label, paths]) => {
    const text = textAt(note, ...paths.split('|'));
    return text === undefined ? [] : [`${label} ${text}`];
  });
}

/** The line required by Lei 12.741/2012, always present. */
export function approximateTaxes(note: XmlElement): string {
  const taxes = elementAt(note, `${DPS}/valores/trib/totTrib`);
  const simples = textAt(taxes, 'pTotTribSN');
  const levels = [
    ['Federais', 'Fed'],
    ['Estaduais', 'Est'],
    ['Municipais', 'Mun'],
  ] as const;
  const rates = levels.map(([, level]) => textAt(taxes, `pTotTrib/pTotTrib${level}`));
  const hasRates = rates.some((rate) => rate !== undefined);
  const shown = levels.map(([name, level], i) => {
    const value = hasRates ? percent(rates[i]) : reais(textAt(taxes, `vTotTrib/vTotTrib${level}`));
    return `${name}: ${value || DASH}`;
  });
  const text = simples === undefined ? shown.join('; ') : `Simples Nacional: ${percent(simples)}`;
  return `Totais Aproximados dos Tributos cfe. Lei nº 12.741/2012: ${text}`;
}
