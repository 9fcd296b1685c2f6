import { elementAt, textAt, type XmlElement } from '../documents/xml/tree.ts';
import { DASH, money } from './printed.ts';
import { type Field, field } from './sheet.ts';

type Codes = Readonly<Record<string, string>>;

/** What the codes of a national NFS-e mean, in the words of its layout (NFS-e 1.01; DANFSe: NT SE/CGNFS-e 008 v1.02). */
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

/** An empty field is a dash on this form. */
export function shown(label: string, value: string | undefined, width: number): Field {
  return field(label, value || DASH, width);
}

/** What a code means; a code that no table has stays. */
export function word(code: string | undefined, table: Readonly<Record<string, string>>): string | undefined {
  return code !== undefined && Object.hasOwn(table, code) ? table[code] : code;
}

/** An amount with its currency; absent is empty. */
export function reais(text: string | undefined): string {
  return text === undefined ? '' : `R$ ${money(text)}`;
}

/** A rate; absent is empty. */
export function percent(text: string | undefined): string {
  return text === undefined ? '' : `${money(text)}%`;
}

/** Additional information with the form's words. Source: NT SE/CGNFS-e 008 v1.02, section 2.1.12. */
export function complements(note: XmlElement): string[] {
  const declaration = elementAt(note, 'DPS/infDPS');
  const service = elementAt(declaration, 'serv');
  const texts: readonly (readonly [label: string, text: string | undefined])[] = [
    ['Inf. Cont.:', textAt(service, 'infoCompl/xInfComp')],
    ['NFS-e Subst.:', textAt(declaration, 'subst/chSubstda')],
    ['Doc. Ref.:', textAt(service, 'infoCompl/docRef')],
    ['Cod. Obra:', textAt(service, 'obra/cObra')],
    [
      'Insc. Imob.:',
      textAt(service, 'obra/inscImobFisc') ?? textAt(declaration, 'IBSCBS/imovel/inscImobFisc'),
    ],
    ['Cod. Evt.:', textAt(service, 'atvEvento/idAtvEvt')],
    ['Doc. Tec.:', textAt(service, 'infoCompl/idDocTec')],
    ['Núm. Ped.:', textAt(service, 'infoCompl/xPed')],
    ['Item Ped.:', textAt(service, 'infoCompl/gItemPed/xItemPed')],
    ['Inf. A. T. Mun.:', textAt(note, 'xOutInf')],
  ];
  return texts.flatMap(([label, text]) => (text === undefined ? [] : [`${label} ${text}`]));
}

function threeLevels(values: readonly (string | undefined)[], write: (value: string) => string): string {
  return ['Federais', 'Estaduais', 'Municipais']
    .map((level, i) => `${level}: ${values[i] === undefined ? DASH : write(values[i])}`)
    .join('; ');
}

/** The line of Lei 12.741/2012, which stands there always. */
export function approximateTaxes(declaration: XmlElement | undefined): string {
  const taxes = elementAt(declaration, 'valores/trib/totTrib');
  const levels = ['Fed', 'Est', 'Mun'];
  const amounts = levels.map((level) => textAt(taxes, `vTotTrib/vTotTrib${level}`));
  const rates = levels.map((level) => textAt(taxes, `pTotTrib/pTotTrib${level}`));
  const simples = textAt(taxes, 'pTotTribSN');
  const text =
    simples !== undefined
      ? `Simples Nacional: ${money(simples)}%`
      : rates.some((rate) => rate !== undefined)
        ? threeLevels(rates, (rate) => `${money(rate)}%`)
        : threeLevels(amounts, (amount) => `R$ ${money(amount)}`);
  return `Totais Aproximados dos Tributos cfe. Lei nº 12.741/2012: ${text}`;
}
