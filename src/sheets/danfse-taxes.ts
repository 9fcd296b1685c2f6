import { addDecimals, sameDecimal } from '../documents/decimals.ts';
import { stateOfCity } from '../documents/identity/states.ts';
import { elementAt, textAt, type XmlElement } from '../documents/xml/tree.ts';
import {
  contributions,
  immunities,
  issTaxations,
  issWithholdings,
  specialRegimes,
  suspensions,
} from './danfse-codes.ts';
import { percent, reais, shown, word } from './danfse-fields.ts';
import { DASH } from './printed.ts';
import type { Block, Field } from './sheet.ts';

/** A row that may be left out, and is where none of its fields has a value. Source: NT 008 v1.02, note 5. */
function rowUnlessEmpty(fields: readonly Field[]): Field[][] {
  return fields.every(({ value }) => value === DASH || value === '0 - Nenhum') ? [] : [[...fields]];
}

/** ISSQN, or the sentence that there is none. */
export function cityTax(note: XmlElement): Block {
  const declaration = elementAt(note, 'DPS/infDPS');
  const values = elementAt(note, 'valores');
  const tax = elementAt(declaration, 'valores/trib/tribMun');
  const kind = textAt(tax, 'tribISSQN');
  if (kind === undefined || kind === '4') {
    return { kind: 'sentence', text: 'TRIBUTAÇÃO MUNICIPAL (ISSQN) - OPERAÇÃO NÃO SUJEITA AO ISSQN' };
  }
  const where = [
    textAt(note, 'xLocIncid') ?? textAt(note, 'cLocIncid'),
    stateOfCity(textAt(note, 'cLocIncid')),
    textAt(tax, 'cPaisResult'),
  ];
  const special = textAt(declaration, 'prest/regTrib/regEspTrib');
  return {
    kind: 'fields',
    title: 'TRIBUTAÇÃO MUNICIPAL (ISSQN)',
    rows: [
      [
        shown('Tipo de Tributação do ISSQN', word(kind, issTaxations), 25),
        shown('Município / Sigla UF / País da Incidência do ISSQN', where.filter(Boolean).join(' / '), 50),
      ],
      ...rowUnlessEmpty([
        shown(
          'Regime Especial de Tributação do ISSQN',
          special === '0' ? undefined : word(special, specialRegimes),
          25,
        ),
        shown('Tipo de Imunidade do ISSQN', word(textAt(tax, 'tpImunidade'), immunities), 25),
        shown('Suspensão da Exigibilidade do ISSQN', word(textAt(tax, 'exigSusp/tpSusp'), suspensions), 25),
        shown('Número Processo Suspensão', textAt(tax, 'exigSusp/nProcesso'), 25),
      ]),
      ...rowUnlessEmpty([
        shown('Benefício Municipal', textAt(tax, 'BM/nBM'), 25),
        shown('Cálculo do BM', reais(textAt(values, 'vCalcBM')), 25),
        shown(
          'Total Deduções/Reduções',
          reais(textAt(values, 'vCalcDR') ?? textAt(declaration, 'valores/vDedRed/vDR')),
          25,
        ),
        shown(
          'Desconto Incondicionado',
          reais(textAt(declaration, 'valores/vDescCondIncond/vDescIncond')),
          25,
        ),
      ]),
      [
        shown('BC ISSQN', reais(textAt(values, 'vBC')), 25),
        shown('Alíquota Aplicada', percent(textAt(values, 'pAliqAplic') ?? textAt(tax, 'pAliq')), 25),
        shown('Retenção do ISSQN', word(textAt(tax, 'tpRetISSQN'), issWithholdings), 25),
        shown('ISSQN Apurado', reais(textAt(values, 'vISSQN')), 25),
      ],
    ],
  };
}

/** Withheld and own federal taxes. */
export function federalTax(declaration: XmlElement | undefined): Block {
  const tax = elementAt(declaration, 'valores/trib/tribFed');
  const own = elementAt(tax, 'piscofins');
  return {
    kind: 'fields',
    title: 'TRIBUTAÇÃO FEDERAL (EXCETO CBS)',
    rows: [
      [
        shown('IRRF', reais(textAt(tax, 'vRetIRRF')), 25),
        shown('Contribuição Previdenciária - Retida', reais(textAt(tax, 'vRetCP')), 25),
        shown('Contribuições Sociais - Retidas', reais(textAt(tax, 'vRetCSLL')), 25),
      ],
      [
        shown('PIS - Débito Apuração Própria', reais(textAt(own, 'vPis')), 25),
        shown('COFINS - Débito Apuração Própria', reais(textAt(own, 'vCofins')), 25),
        shown('Descrição Contrib. Sociais - Retidas', word(textAt(own, 'tpRetPisCofins'), contributions), 50),
      ],
    ],
  };
}

/** What was taken off the value before IBS and CBS, where the parts the file names lead from the value to the base. */
function excludedFrom(note: XmlElement): string | undefined {
  const declared = elementAt(note, 'DPS/infDPS/valores');
  const base = textAt(note, 'IBSCBS/valores/vBC');
  const value = textAt(declared, 'vServPrest/vServ');
  const parts = [
    textAt(declared, 'vDescCondIncond/vDescIncond'),
    textAt(note, 'IBSCBS/valores/vCalcReeRepRes'),
    textAt(note, 'valores/vISSQN'),
    textAt(declared, 'trib/tribFed/piscofins/vPis'),
    textAt(declared, 'trib/tribFed/piscofins/vCofins'),
  ].filter((part) => part !== undefined);
  const sum = addDecimals(parts);
  const whole = sum === undefined || base === undefined ? undefined : addDecimals([sum, base]);
  return whole !== undefined && value !== undefined && sameDecimal(whole, value) ? sum : undefined;
}

/** IBS and CBS, as the note has them from the national system and the declaration from its issuer. */
export function newTaxes(note: XmlElement): Block {
  const declared = elementAt(note, 'DPS/infDPS/IBSCBS');
  const values = elementAt(note, 'IBSCBS/valores');
  const totals = elementAt(note, 'IBSCBS/totCIBS');
  const group = elementAt(declared, 'valores/trib/gIBSCBS');
  const city = textAt(note, 'IBSCBS/cLocalidadeIncid');
  const where = [
    textAt(declared, 'cIndOp'),
    city,
    textAt(note, 'IBSCBS/xLocalidadeIncid'),
    stateOfCity(city),
  ];
  const rates = (...paths: readonly string[]) =>
    paths.flatMap((path) => percent(textAt(values, path)) || []).join(' / ');
  return {
    kind: 'fields',
    title: 'TRIBUTAÇÃO IBS / CBS',
    rows: [
      [
        shown(
          'CST / cClassTrib',
          [textAt(group, 'CST'), textAt(group, 'cClassTrib')].filter(Boolean).join(' / '),
          25,
        ),
        shown(
          'Indicador Op. / IBGE Incidência / Município Incidência / UF',
          where.filter(Boolean).join(' / '),
          50,
        ),
      ],
      [
        shown('Exclusões e Reduções da Base de Cálculo', reais(excludedFrom(note)), 25),
        shown('Base de Cálculo Após Exclusões e Reduções', reais(textAt(values, 'vBC')), 25),
        shown(
          'Red. Alíquota IBS / Red. Alíquota CBS',
          rates('uf/pRedAliqUF', 'mun/pRedAliqMun', 'fed/pRedAliqCBS'),
          25,
        ),
        shown('Alíquota - IBS UF / IBS Mun', rates('uf/pIBSUF', 'mun/pIBSMun'), 25),
      ],
      [
        shown('Alíq. Efetiva Municipal - IBS', rates('mun/pAliqEfetMun'), 25),
        shown('Valor Apurado Municipal - IBS', reais(textAt(totals, 'gIBS/gIBSMunTot/vIBSMun')), 25),
        shown('Alíq. Efetiva Estadual - IBS', rates('uf/pAliqEfetUF'), 25),
        shown('Valor Apurado Estadual - IBS', reais(textAt(totals, 'gIBS/gIBSUFTot/vIBSUF')), 25),
      ],
      [
        shown('Valor Total Apurado - IBS', reais(textAt(totals, 'gIBS/vIBSTot')), 25),
        shown('Alíquota - CBS', rates('fed/pCBS'), 25),
        shown('Alíq. Efetiva - CBS', rates('fed/pAliqEfetCBS'), 25),
        shown('Valor Total Apurado - CBS', reais(textAt(totals, 'gCBS/vCBS')), 25),
      ],
    ],
  };
}

/** What the note is worth. */
export function totalsBlock(note: XmlElement): Block {
  const declared = elementAt(note, 'DPS/infDPS/valores');
  const totals = elementAt(note, 'IBSCBS/totCIBS');
  const taxes = [textAt(totals, 'gIBS/vIBSTot'), textAt(totals, 'gCBS/vCBS')].filter(
    (one) => one !== undefined,
  );
  return {
    kind: 'fields',
    title: 'VALOR TOTAL DA NFS-e',
    rows: [
      [
        shown('Valor da Operação / Serviço', reais(textAt(declared, 'vServPrest/vServ')), 25),
        shown('Desconto Incondicionado', reais(textAt(declared, 'vDescCondIncond/vDescIncond')), 25),
        shown('Desconto Condicionado', reais(textAt(declared, 'vDescCondIncond/vDescCond')), 25),
      ],
      [
        shown('Total das Retenções (ISSQN / Federais)', reais(textAt(note, 'valores/vTotalRet')), 25),
        shown('Valor Líquido da NFS-e', reais(textAt(note, 'valores/vLiq')), 25),
        shown('Total do IBS/CBS', reais(addDecimals(taxes)), 25),
        shown('Valor Líquido da NFS-e + IBS/CBS', reais(textAt(totals, 'vTotNF')), 25),
      ],
    ],
  };
}
