import { isoDate, isoMoment, SECONDS_IN_HOUR } from '../calendar.ts';
import { nfeEventElement, type RegisteredEvent } from '../event-xml.ts';
import { isPerson, stateCode } from '../parties/party.ts';
import { nfeIssuer, nfeRecipient } from '../parties/party-xml.ts';
import { createRandom } from '../random.ts';
import { formatCents, formatQuantity, formatRate, sumOf } from '../taxes/cents.ts';
import { ibsCbsElement } from '../taxes/ibs-cbs.ts';
import { differenceElement, icmsElement, isToFinalConsumer } from '../taxes/icms.ts';
import { element, group, leaves, XML_DECLARATION } from '../xml.ts';
import type { Nfe } from './book.ts';
import { type NfeContent, nfeContent } from './content.ts';
import { declarationElement, dutyElement } from './import-xml.ts';
import { type Contributions, type NfeItem, shareOf } from './item.ts';

const NAMESPACE = { xmlns: 'http://www.portalfiscal.inf.br/nfe' };

function positive(cents: number): string | undefined {
  return cents === 0 ? undefined : formatCents(cents);
}

function reachOf({ issuer, recipient }: Nfe): '1' | '2' | '3' {
  if (recipient.country) return '3';
  return issuer.city.state === recipient.city.state ? '1' : '2';
}

function identification(note: Nfe, content: NfeContent): string {
  const consumer = isPerson(note.recipient);
  const isFinal = (consumer && !note.isEntry) || isToFinalConsumer(note);
  const fields = leaves({
    cUF: stateCode(note.issuer),
    cNF: note.code,
    natOp: content.operation,
    mod: '55',
    serie: String(note.series),
    nNF: String(note.number),
    dhEmi: isoMoment(note.issuedAt),
    dhSaiEnt: isoMoment(note.issuedAt + SECONDS_IN_HOUR),
    tpNF: note.isEntry ? '0' : '1',
    idDest: reachOf(note),
    cMunFG: note.issuer.city.code,
    tpImp: '1',
    tpEmis: '1',
    cDV: note.key.slice(43),
    tpAmb: '1',
    finNFe: note.returned ? '4' : '1',
    indFinal: isFinal ? '1' : '0',
    indPres: consumer ? '1' : '9',
    indIntermed: consumer ? undefined : '0',
    procEmi: '0',
    verProc: 'SANDBOX 1.0',
  });
  const isWhole = note.returned !== undefined && !namesOriginalPerItem(note);
  const reference = isWhole ? group('NFref', leaves({ refNFe: note.returned?.key })) : '';
  return group('ide', fields, reference);
}

/** From this day a return names its original in each item and in no other place. Source: docs/fiscal/reform.md. */
const RETURNS_PER_ITEM_FROM = '2026-11-03';

function namesOriginalPerItem({ returned, issuedAt }: Nfe): boolean {
  return returned !== undefined && isoMoment(issuedAt) >= RETURNS_PER_ITEM_FROM;
}

function originalOf(note: Nfe, number: number): string {
  if (note.returned === undefined || !namesOriginalPerItem(note)) return '';
  return group('DFeReferenciado', leaves({ chaveAcesso: note.returned.key, nItem: String(number) }));
}

function fuelElement({ product: { fuel } }: NfeItem, { recipient }: Nfe): string {
  if (fuel === undefined) return '';
  const fields = { cProdANP: fuel.anp, descANP: fuel.name, UFCons: recipient.city.state };
  return group('comb', leaves(fields));
}

function goods(note: Nfe, item: NfeItem, content: NfeContent, number: number): string {
  const { product } = item;
  const quantity = formatQuantity(item.quantity);
  const netPrice = `${formatCents(item.unitPrice)}00000000`;
  // With taxes in it a price is what it comes to, to as many places as the layout has.
  const isTaxed = item.gross !== item.net;
  const unitPrice = isTaxed ? ((item.gross * 100) / item.quantity).toFixed(10) : netPrice;
  return group(
    'prod',
    leaves({
      cProd: product.code,
      cEAN: 'SEM GTIN',
      xProd: product.description,
      NCM: product.ncm,
      CEST: product.cest,
      CFOP: item.cfop,
      uCom: product.unit,
      qCom: quantity,
      vUnCom: unitPrice,
      vUnComLiq: isTaxed ? netPrice : undefined,
      vProd: formatCents(item.gross),
      vProdLiq: isTaxed ? formatCents(item.net) : undefined,
      cEANTrib: 'SEM GTIN',
      uTrib: product.unit,
      qTrib: quantity,
      vUnTrib: unitPrice,
      vFrete: positive(item.freight),
      vDesc: positive(item.discount),
      vOutro: positive(item.other),
      indTot: '1',
    }),
    declarationElement(note, number),
    leaves({
      xPed: content.purchaseOrder,
      nItemPed: content.purchaseOrder && String(number),
    }),
    fuelElement(item, note),
  );
}

function ipiElement(item: NfeItem): string {
  const { ipi } = item.taxes;
  if (ipi === undefined) return '';
  if (ipi.rate === 0 && item.taxes.duty === undefined)
    return group('IPI', leaves({ cEnq: '999' }), group('IPINT', leaves({ CST: '51' })));
  const fields = {
    CST: item.taxes.duty === undefined ? '50' : '00',
    vBC: formatCents(ipi.base),
    pIPI: formatRate(ipi.rate, 4),
    vIPI: formatCents(ipi.amount),
  };
  return group('IPI', leaves({ cEnq: '999' }), group('IPITrib', leaves(fields)));
}

function contributionElement(tax: 'PIS' | 'COFINS', given: Contributions): string {
  const { cst: CST, base } = given;
  if (CST === '04' || CST === '06') return group(tax, group(`${tax}NT`, leaves({ CST })));
  const [rate, amount] = tax === 'PIS' ? [given.pisRate, given.pis] : [given.cofinsRate, given.cofins];
  const fields = {
    CST,
    vBC: formatCents(base),
    [`p${tax}`]: formatRate(rate, 4),
    [`v${tax}`]: formatCents(amount),
  };
  return group(tax, group(tax + (CST < '04' ? 'Aliq' : 'Outr'), leaves(fields)));
}

function contributionElements(given: Contributions): string {
  return contributionElement('PIS', given) + contributionElement('COFINS', given);
}

function detail(note: Nfe, item: NfeItem, content: NfeContent, number: number): string {
  const { icms, difference, contributions, ibsCbs } = item.taxes;
  const charged = item.net - item.discount + item.freight;
  return element(
    'det',
    { nItem: String(number) },
    goods(note, item, content, number),
    group(
      'imposto',
      group('ICMS', icmsElement(icms, charged)),
      ipiElement(item),
      item.taxes.duty === undefined ? '' : dutyElement(item.net, item.taxes.duty),
      contributionElements(contributions),
      difference === undefined ? '' : differenceElement(difference),
      ibsCbs ? ibsCbsElement(ibsCbs) : '',
    ),
    item.gross === item.net ? '' : leaves({ vItem: formatCents(shareOf(item)) }),
    originalOf(note, number),
  );
}

function ibsCbsTotal(items: readonly NfeItem[]): string {
  const taxes = items.map((item) => item.taxes.ibsCbs).filter((tax) => tax !== undefined);
  if (taxes.length === 0) return '';
  const [state, city] = [sumOf(taxes, (tax) => tax.ibsState), sumOf(taxes, (tax) => tax.ibsCity)];
  const none = { vDif: '0.00', vDevTrib: '0.00' };
  const credit = { vCredPres: '0.00', vCredPresCondSus: '0.00' };
  return group(
    'IBSCBSTot',
    leaves({ vBCIBSCBS: formatCents(sumOf(taxes, (tax) => tax.base)) }),
    group(
      'gIBS',
      group('gIBSUF', leaves({ ...none, vIBSUF: formatCents(state) })),
      group('gIBSMun', leaves({ ...none, vIBSMun: formatCents(city) })),
      leaves({ vIBS: formatCents(state + city), ...credit }),
    ),
    group('gCBS', leaves({ ...none, vCBS: formatCents(sumOf(taxes, (tax) => tax.cbs)), ...credit })),
  );
}

/** Single-phase ICMS in the totals; nothing where no item has it. */
function monophaseTotals(items: readonly NfeItem[]): Record<string, string> {
  const taxes = items.map(({ taxes: { icms } }) => icms.monophase).filter((tax) => tax !== undefined);
  if (taxes.length === 0) return {};
  const quantity = (name: 'own' | 'retained' | 'before') =>
    formatCents(Math.round(sumOf(taxes, (tax) => tax.quantities[name]) / 100));
  return {
    qBCMono: quantity('own'),
    vICMSMono: formatCents(sumOf(taxes, (tax) => tax.own)),
    qBCMonoReten: quantity('retained'),
    vICMSMonoReten: formatCents(sumOf(taxes, (tax) => tax.retained)),
    qBCMonoRet: quantity('before'),
    vICMSMonoRet: formatCents(sumOf(taxes, (tax) => tax.before)),
  };
}

function totalElement({ totals, items }: NfeContent): string {
  const ibsCbs = ibsCbsTotal(items);
  const isTaxed = items.some(({ gross, net }) => gross !== net);
  return group(
    'total',
    isTaxed ? leaves({ vProdLiqTot: formatCents(sumOf(items, ({ net }) => net)) }) : '',
    group(
      'ICMSTot',
      leaves({
        vBC: formatCents(totals.icmsBase),
        vICMS: formatCents(totals.icms),
        vICMSDeson: formatCents(totals.relief),
        vICMSUFDest: positive(totals.difference),
        vICMSUFRemet: totals.difference === 0 ? undefined : '0.00',
        vFCP: '0.00',
        vBCST: formatCents(totals.substitutionBase),
        vST: formatCents(totals.substitution),
        vFCPST: '0.00',
        vFCPSTRet: '0.00',
        ...monophaseTotals(items),
        vProd: formatCents(totals.products),
        vFrete: formatCents(totals.freight),
        vSeg: '0.00',
        vDesc: formatCents(totals.discount),
        vII: formatCents(totals.duty),
        vIPI: formatCents(totals.ipi),
        vIPIDevol: '0.00',
        vPIS: formatCents(totals.pis),
        vCOFINS: formatCents(totals.cofins),
        vOutro: formatCents(totals.other),
        vNF: formatCents(totals.total),
      }),
    ),
    ibsCbs,
    // By the rules of either year the total has no more in it than vNF: not yet in 2026, and since 2027 the goods have it.
    ibsCbs === '' ? '' : leaves({ vNFTot: formatCents(totals.total) }),
  );
}

function transport(note: Nfe, items: readonly NfeItem[]): string {
  if (note.freight === '9') return group('transp', leaves({ modFrete: '9' }));
  const grams = sumOf(items, (item) => Math.ceil(item.quantity / 10));
  const weight = `${Math.floor(grams / 1000)}.${String(grams % 1000).padStart(3, '0')}`;
  const volume = { qVol: String(items.length), esp: 'VOLUME', pesoL: weight, pesoB: weight };
  return group('transp', leaves({ modFrete: note.freight }), group('vol', leaves(volume)));
}

function billing(note: Nfe, { totals, installments }: NfeContent): string {
  if (installments.length === 0) return '';
  const amount = formatCents(totals.total);
  return group(
    'cobr',
    group('fat', leaves({ nFat: String(note.number), vOrig: amount, vDesc: '0.00', vLiq: amount })),
    ...installments.map((part, i) =>
      group(
        'dup',
        leaves({
          nDup: String(i + 1).padStart(3, '0'),
          dVenc: isoDate(part.due),
          vDup: formatCents(part.amount),
        }),
      ),
    ),
  );
}

function payment(note: Nfe, { totals, installments }: NfeContent): string {
  const credit = installments.length > 0;
  const fields =
    note.returned || note.rarity === 'import'
      ? { tPag: '90', vPag: '0.00' }
      : { indPag: credit ? '1' : '0', tPag: credit ? '15' : '17', vPag: formatCents(totals.total) };
  return group('pag', group('detPag', leaves(fields)));
}

function protocol(note: Nfe): string {
  const fields = leaves({
    tpAmb: '1',
    verAplic: 'SANDBOX_1.0',
    chNFe: note.key,
    dhRecbto: isoMoment(note.authorizedAt),
    nProt: note.protocol,
    digVal: Buffer.from(createRandom('digest', note.key).digits(20)).toString('base64'),
    cStat: '100',
    xMotivo: 'Autorizado o uso da NF-e',
  });
  return element('protNFe', { versao: '4.00' }, element('infProt', { Id: `ID${note.protocol}` }, fields));
}

/** `nfeProc` 4.00 with its protocol and, as siblings of it, the events. */
export function nfeXml(note: Nfe, events: readonly RegisteredEvent[], seed: string): string {
  const content = nfeContent(note, seed);
  return (
    XML_DECLARATION +
    element(
      'nfeProc',
      { ...NAMESPACE, versao: '4.00' },
      element(
        'NFe',
        NAMESPACE,
        element(
          'infNFe',
          { Id: `NFe${note.key}`, versao: '4.00' },
          identification(note, content),
          nfeIssuer(note.issuer),
          nfeRecipient(note.recipient),
          ...content.items.map((item, i) => detail(note, item, content, i + 1)),
          totalElement(content),
          transport(note, content.items),
          billing(note, content),
          payment(note, content),
          group('infAdic', leaves({ infCpl: content.notes })),
        ),
      ),
      protocol(note),
      ...events.map((event) => nfeEventElement(event, note.protocol)),
    )
  );
}
