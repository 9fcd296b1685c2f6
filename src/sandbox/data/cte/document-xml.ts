import { dayOf, IBS_CBS_FROM, isoMoment, type Moment, yearDigits } from '../calendar.ts';
import { cteCancellationElement, type RegisteredEvent } from '../event-xml.ts';
import { nfeContent } from '../nfe/content.ts';
import { stateCode } from '../parties/party.ts';
import { cteParty } from '../parties/party-xml.ts';
import { createRandom } from '../random.ts';
import { type Cents, formatCents, formatRate, type Rate, sumOf, taxOn } from '../taxes/cents.ts';
import { ibsCbsElement, ibsCbsOn } from '../taxes/ibs-cbs.ts';
import { icmsRate } from '../taxes/icms.ts';
import { element, group, leaves, XML_DECLARATION } from '../xml.ts';
import type { Cte } from './book.ts';

const NAMESPACE = { xmlns: 'http://www.portalfiscal.inf.br/cte' };
const INTERSTATE = '6';
const WITHIN_THE_STATE = '5';

interface CteAmounts {
  readonly cargo: Cents;
  readonly freight: Cents;
  readonly toll: Cents;
  /** `vTPrest` = freight + toll. */
  readonly total: Cents;
  /** In grams. */
  readonly weight: number;
  /** Undefined where the carrier pays within Simples Nacional. */
  readonly icms: { readonly rate: Rate; readonly amount: Cents } | undefined;
}

function cteAmounts(cte: Cte, seed: string): CteAmounts {
  const random = createRandom(seed, 'content', cte.key);
  const cargo = sumOf(cte.notes, (note) => nfeContent(note, seed).totals.total);
  const freight = 4_500 + taxOn(cargo, random.integer(150, 450));
  const toll = random.chance(60) ? random.integer(8, 90) * 110 : 0;
  const total = freight + toll;
  const rate = icmsRate(cte.sender.city.state, cte.recipient.city.state);
  const icms = cte.issuer.regime === '1' ? undefined : { rate, amount: taxOn(total, rate) };
  return { cargo, freight, toll, total, weight: random.integer(12_000, 2_400_000), icms };
}

function place(cte: Cte): string {
  return cte.sender.city.state === cte.recipient.city.state ? WITHIN_THE_STATE : INTERSTATE;
}

function identification(cte: Cte): string {
  const { issuer, sender, recipient } = cte;
  const fields = leaves({
    cUF: stateCode(issuer),
    cCT: cte.code,
    CFOP: `${place(cte)}353`,
    natOp: 'Prestação de serviço de transporte a estabelecimento comercial',
    mod: '57',
    serie: String(cte.series),
    nCT: String(cte.number),
    dhEmi: isoMoment(cte.issuedAt),
    tpImp: '1',
    tpEmis: '1',
    cDV: cte.key.slice(43),
    tpAmb: '1',
    tpCTe: '0',
    procEmi: '0',
    verProc: 'SANDBOX 1.0',
    cMunEnv: issuer.city.code,
    xMunEnv: issuer.city.name,
    UFEnv: issuer.city.state,
    modal: '01',
    tpServ: '0',
    cMunIni: sender.city.code,
    xMunIni: sender.city.name,
    UFIni: sender.city.state,
    cMunFim: recipient.city.code,
    xMunFim: recipient.city.name,
    UFFim: recipient.city.state,
    retira: '1',
    indIEToma: '1',
  });
  return group('ide', fields, group('toma3', leaves({ toma: cte.payer })));
}

function service({ freight, toll, total }: CteAmounts): string {
  const component = (name: string, amount: Cents) =>
    amount === 0 ? '' : group('Comp', leaves({ xNome: name, vComp: formatCents(amount) }));
  return group(
    'vPrest',
    leaves({ vTPrest: formatCents(total), vRec: formatCents(total) }),
    component('FRETE PESO', freight),
    component('PEDAGIO', toll),
  );
}

function taxes(cte: Cte, { total, icms }: CteAmounts): string {
  if (!icms) {
    return group('imp', group('ICMS', group('ICMSSN', leaves({ CST: '90', indSN: '1' }))));
  }
  const icmsFields = {
    CST: '00',
    vBC: formatCents(total),
    pICMS: formatRate(icms.rate),
    vICMS: formatCents(icms.amount),
  };
  const carriesIbsCbs = dayOf(cte.issuedAt) >= IBS_CBS_FROM;
  return group(
    'imp',
    group('ICMS', group('ICMS00', leaves(icmsFields))),
    carriesIbsCbs ? ibsCbsElement(ibsCbsOn(total - icms.amount, 'full', dayOf(cte.issuedAt))) : '',
    leaves({ vTotDFe: carriesIbsCbs ? formatCents(total) : undefined }),
  );
}

function cargo(cte: Cte, { cargo: value, weight }: CteAmounts): string {
  const kilograms = `${Math.floor(weight / 1000)}.${String(weight % 1000).padStart(3, '0')}0`;
  return group(
    'infCTeNorm',
    group(
      'infCarga',
      leaves({ vCarga: formatCents(value), proPred: 'MERCADORIAS DIVERSAS' }),
      group('infQ', leaves({ cUnid: '01', tpMed: 'PESO BRUTO', qCarga: kilograms })),
    ),
    group('infDoc', ...cte.notes.map((note) => group('infNFe', leaves({ chave: note.key })))),
    element(
      'infModal',
      { versaoModal: '4.00' },
      group('rodo', leaves({ RNTRC: cte.issuer.carrierRegistration })),
    ),
  );
}

function protocol(cte: Cte): string {
  const fields = leaves({
    tpAmb: '1',
    verAplic: 'SANDBOX_1.0',
    chCTe: cte.key,
    dhRecbto: isoMoment(cte.authorizedAt),
    nProt: cte.protocol,
    digVal: Buffer.from(createRandom('digest', cte.key).digits(20)).toString('base64'),
    cStat: '100',
    xMotivo: 'Autorizado o uso do CT-e',
  });
  return element('protCTe', { versao: '4.00' }, element('infProt', { Id: `CTe${cte.protocol}` }, fields));
}

function cancellation(cte: Cte, now: Moment): RegisteredEvent | undefined {
  if (cte.cancelledAt === undefined || cte.cancelledAt > now) return undefined;
  return {
    documentKey: cte.key,
    code: '110111',
    sequence: 1,
    author: cte.issuer.id,
    authority: stateCode(cte.issuer),
    at: cte.cancelledAt,
    protocol: `1${stateCode(cte.issuer)}${yearDigits(cte.cancelledAt)}${createRandom(cte.key, 'cancellation').digits(10)}`,
    text: 'Coleta cancelada pelo tomador do servico',
  };
}

/** `cteProc` 4.00 with its protocol and, where it was cancelled by then, the event beside it. */
export function cteXml(cte: Cte, now: Moment, seed: string): string {
  const amounts = cteAmounts(cte, seed);
  const cancelled = cancellation(cte, now);
  return (
    XML_DECLARATION +
    element(
      'cteProc',
      { ...NAMESPACE, versao: '4.00' },
      element(
        'CTe',
        NAMESPACE,
        element(
          'infCte',
          { Id: `CTe${cte.key}`, versao: '4.00' },
          identification(cte),
          cteParty('emit', 'enderEmit', cte.issuer, { CRT: cte.issuer.regime }),
          cteParty('rem', 'enderReme', cte.sender),
          cteParty('dest', 'enderDest', cte.recipient),
          service(amounts),
          taxes(cte, amounts),
          cargo(cte, amounts),
        ),
      ),
      protocol(cte),
      cancelled ? cteCancellationElement(cancelled, cte.protocol) : '',
    )
  );
}
