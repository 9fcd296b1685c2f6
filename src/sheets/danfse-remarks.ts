import { elementAt, textAt, type XmlElement } from '../documents/xml/tree.ts';
import { DASH, money } from './printed.ts';

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
