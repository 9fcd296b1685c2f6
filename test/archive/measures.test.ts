import { beforeEach, describe, expect, it } from 'vitest';
import type { Question } from '../../src/archive/archive.ts';
import { readDocuments } from '../../src/documents/summary/read-document.ts';
import { buyer, seller } from './inline-documents.ts';
import { archiveOfEachTest, describeIn, placeKinds } from './places.ts';

/** Expected amounts are worked out by hand from the text of the documents. */
interface Goods {
  readonly cfop?: string;
  readonly ncm?: string;
  readonly name?: string;
  readonly prod: string;
  readonly tax?: string;
}

const sell = ({ cfop = '6102', ncm = '73181500', name = 'Parafuso', prod, tax = '' }: Goods, i: number) =>
  `<det nItem="${i + 1}"><prod><xProd>${name}</xProd><NCM>${ncm}</NCM><CFOP>${cfop}</CFOP>${prod}</prod><imposto>${tax}</imposto></det>`;

/** An NF-e from the seller to the buyer, of this value; `totals` stands in ICMSTot, `more` beside it. */
const nfe = (number: number, goods: readonly Goods[], value: string, totals = '', more = '') =>
  `<nfeProc><NFe><infNFe Id="NFe3526${String(number).padStart(40, '0')}" versao="4.00"><ide><nNF>${number}</nNF>
    <dhEmi>2026-11-05T10:00:00-03:00</dhEmi><finNFe>1</finNFe></ide><emit><CNPJ>${seller}</CNPJ><CRT>1</CRT></emit>
    <dest><CNPJ>${buyer}</CNPJ></dest>${goods.map(sell).join('')}<total><ICMSTot>${totals}<vNF>${value}</vNF></ICMSTot>
    ${more}</total></infNFe></NFe><protNFe><infProt><cStat>100</cStat></infProt></protNFe></nfeProc>`;

/** A national NFS-e of 1,000.00 whose federal taxes are these. */
const nfse = (number: number, federal: string, withheld = '') =>
  `<NFSe versao="1.01"><infNFSe Id="NFS${String(number).padStart(50, '0')}"><nNFSe>${number}</nNFSe><cStat>100</cStat>
    <dhProc>2026-11-05T10:00:00-03:00</dhProc><emit><CNPJ>${seller}</CNPJ></emit><valores>${withheld}<vLiq>900.00</vLiq></valores>
    <DPS><infDPS><toma><CNPJ>${buyer}</CNPJ></toma><valores><vServPrest><vServ>1000.00</vServ></vServPrest>
    <trib><tribFed>${federal}</tribFed></trib></valores></infDPS></DPS></infNFSe></NFSe>`;

const of100 = '<vProd>100.00</vProd><indTot>1</indTot>';
const days = { company: buyer, by: 'issue', from: '2026-11-01', to: '2027-12-31' } as const;
describeIn(placeKinds)('in $name', ({ open }) => {
  const archive = archiveOfEachTest(open, false);

  async function store(...texts: readonly string[]): Promise<void> {
    const area = texts[0]?.startsWith('<NFSe') ? 'nfse' : 'nfe';
    const arrivals = texts.flatMap(readDocuments).map((summary) => ({ summary }));
    await archive.store({ ...days, area, fetchedAt: new Date() }, arrivals);
  }

  const ask = (question: Pick<Question, 'measures'> & Partial<Question>) =>
    archive.ask({ ...days, area: 'nfe', groupBy: [], limit: 50, ...question });
  const measured = async (question: Parameters<typeof ask>[0]) => {
    const { rows } = await ask(question);
    return rows.map(({ group, measures, quantities }) => ({
      ...{ ...group, ...measures },
      ...(quantities && { quantities }),
    }));
  };

  describe('amounts of items', () => {
    it('of layout 2.00 that are relieved of ICMS have it there, and none that is due', async () => {
      const old = '<ICMS><ICMS40><CST>40</CST><vICMS>18.00</vICMS><motDesICMS>9</motDesICMS></ICMS40></ICMS>';
      const due = '<ICMS><ICMS00><CST>00</CST><vICMS>18.00</vICMS></ICMS00></ICMS>';
      const both = [old, due].map((tax) => ({ prod: of100, tax }));
      await store(nfe(1, both, '200.00', '<vICMS>18.00</vICMS>').replace('versao="4.00"', 'versao="2.00"'));
      const measures = ['icms', 'icms_relieved'] as const;
      expect(await measured({ measures })).toEqual([{ icms: '18.00', icms_relieved: '18.00' }]);
      expect(await measured({ groupBy: ['cst'], measures })).toEqual([
        { cst: '00', icms: '18.00', icms_relieved: null },
        { cst: '40', icms: null, icms_relieved: '18.00' },
      ]);
    });

    it('of goods that don’t count in the total stay gross and are taken off again in that row', async () => {
      const gift = { cfop: '6910', prod: '<vProd>40.00</vProd><indTot>0</indTot>' };
      await store(nfe(1, [{ prod: of100 }, gift], '100.00', '<vProd>100.00</vProd>'));
      expect(await measured({ groupBy: ['cfop'], measures: ['total', 'products'] })).toEqual([
        { total: null, products: '-40.00' },
        { cfop: '6102', total: '100.00', products: '100.00' },
        { cfop: '6910', total: '0.00', products: '40.00' },
      ]);
    });

    it('of services in a note of goods are services where the note counts them so', async () => {
      const tax = '<ISSQN><vBC>50.00</vBC><vISSQN>2.50</vISSQN></ISSQN>';
      const repair = { cfop: '5933', prod: '<vProd>50.00</vProd><indTot>1</indTot>', tax };
      const services = '<ISSQNtot><vServ>50.00</vServ><vISS>2.50</vISS></ISSQNtot>';
      await store(nfe(1, [{ prod: of100 }, repair], '150.00', '<vProd>100.00</vProd>', services));
      const measures = ['total', 'products', 'services', 'iss'] as const;
      expect(await measured({ groupBy: ['cfop'], measures })).toEqual([
        { cfop: '5933', total: '50.00', products: null, services: '50.00', iss: '2.50' },
        { cfop: '6102', total: '100.00', products: '100.00', services: null, iss: null },
      ]);
      expect(await measured({ measures })).toEqual([
        { total: '150.00', products: '100.00', services: '50.00', iss: '2.50' },
      ]);
    });
  });

  describe('quantities and prices', () => {
    const sold = (name: string, quantity: string, unit: string, price: string, total: string): Goods => ({
      ...{ name, ncm: name === 'Parafuso' ? '73181500' : '73182200' },
      prod: `<uCom>${unit}</uCom><qCom>${quantity}</qCom><vUnCom>${price}</vUnCom><vProd>${total}</vProd><indTot>1</indTot>`,
    });
    const measures = ['quantity', 'average_price', 'min_price', 'max_price'] as const;

    beforeEach(() => {
      const goods = [
        sold('Parafuso', '3.0000', 'cx', '0.3333333333', '1.00'),
        sold('Parafuso', '1.5000', 'CX ', '1.00004999999', '1.50'),
        sold('Arruela', '10.0000', 'KG', '2.0000000000', '20.00'),
        sold('Arruela', '4.0000', 'PC', '5.0000000000', '20.00'),
      ];
      return store(nfe(1, goods, '42.50', '<vProd>42.50</vProd>'));
    });

    it('are told by unit where it has several', async () => {
      const none = { quantity: null, average_price: null, min_price: null, max_price: null };
      const same = (price: string) => ({ average_price: price, min_price: price, max_price: price });
      const [arruela, parafuso] = await measured({ groupBy: ['item'], measures });
      const byUnit = [
        { unit: 'KG', quantity: '10.00', ...same('2.0000') },
        { unit: 'PC', quantity: '4.00', ...same('5.0000') },
      ];
      expect(arruela).toEqual({ item: 'Arruela', ...none, quantities: byUnit });
      expect(parafuso).not.toHaveProperty('quantities');
      const byTwo = await measured({ groupBy: ['month', 'item'], measures: ['quantity'] });
      expect(byTwo.map(({ quantities }) => quantities?.length)).toEqual([2, undefined]);
      const [all] = await measured({ measures: ['quantity'] });
      expect(all).toEqual({
        quantity: null,
        quantities: [
          { unit: 'CX', quantity: '4.50', average_price: '0.5556' },
          { unit: 'KG', quantity: '10.00', average_price: '2.0000' },
          { unit: 'PC', quantity: '4.00', average_price: '5.0000' },
        ],
      });
      const { sums } = await ask({ groupBy: ['item'], measures: ['quantity'] });
      expect({ ...sums.measures, quantities: sums.quantities }).toEqual(all);
    });

    it('belong to items, also where documents are grouped', async () => {
      const answer = await ask({ groupBy: ['issuer'], measures: ['total', 'max_price'] });
      expect(answer).toMatchObject({ basis: 'items', meanings: { total: 'items', max_price: 'items' } });
      expect(answer.rows[0]?.measures.total).toBe('42.50');
    });

    it('that can’t be held keep their note out, which is told', async () => {
      await store(
        nfe(2, [sold('Parafuso', '99999999999999999999', 'CX', '1.00', '1.00')], '1.00'),
        nfe(3, [sold('Parafuso', '1e5', 'CX', '1.00', '1.00')], '1.00'),
      );
      const { rows, left_out } = await ask({ measures: ['total'] });
      expect(rows[0]?.measures).toEqual({ total: '42.50' });
      expect(left_out).toEqual([{ reason: 'inexact', count: 2 }]);
    });

    it('order groups, those without one price at the end', async () => {
      await store(nfe(2, [sold('Bucha', '1', 'UN', '7', '7.00')], '7.00', '<vProd>7.00</vProd>'));
      const orderBy = { by: 'average_price', descending: true } as const;
      const rows = await measured({ groupBy: ['item'], measures: ['average_price'], orderBy });
      expect(rows.map(({ item }) => item)).toEqual(['Bucha', 'Parafuso', 'Arruela']);
    });
  });

  it('an answer about ICMS says what Simples credit it leaves out, where there is any', async () => {
    const group = '<CSOSN>101</CSOSN><pCredSN>2.56</pCredSN><vCredICMSSN>2.56</vCredICMSSN>';
    const credited = { prod: of100, tax: `<ICMS><ICMSSN101>${group}</ICMSSN101></ICMS>` };
    await store(nfe(1, [{ prod: of100 }], '100.00', '<vICMS>0.00</vICMS>'));
    expect((await ask({ groupBy: ['cfop'], measures: ['icms'] })).beside).toEqual({});
    await store(nfe(2, [credited, credited], '200.00', '<vICMS>0.00</vICMS>'));
    for (const groupBy of [['cfop'], ['month'], ['day']] as const) {
      expect((await ask({ groupBy, measures: ['icms'] })).beside).toEqual({ icms_credit: '5.12' });
      const both = await ask({ groupBy, measures: ['icms', 'icms_credit'] });
      expect(both).toMatchObject({ beside: {}, rows: [{ measures: { icms_credit: '5.12' } }] });
      expect((await ask({ groupBy, measures: ['total'] })).beside).toEqual({});
    }
  });

  describe('taxes withheld on services', () => {
    const own = (code: string) =>
      `<piscofins><vPis>6.50</vPis><vCofins>30.00</vCofins><tpRetPisCofins>${code}</tpRetPisCofins></piscofins>
          <vRetCP>110.00</vRetCP><vRetIRRF>15.00</vRetIRRF><vRetCSLL>46.50</vRetCSLL>`;
    const measures = ['services', 'irrf', 'inss', 'csll', 'pis_withheld', 'cofins_withheld'] as const;
    const known = { services: '1000.00', irrf: '15.00', inss: '110.00' };
    const none = { csll: null, pis_withheld: null, cofins_withheld: null };

    it.each([
      ['2', { csll: '46.50' }],
      ['5', { pis_withheld: '46.50' }],
      ['6', { cofins_withheld: '46.50' }],
      ['8', { csll: '46.50' }],
    ])('with tpRetPisCofins %s vRetCSLL is of one of them', async (code, one) => {
      await store(nfse(1, own(code)));
      expect(await measured({ area: 'nfse', measures })).toEqual([{ ...known, ...none, ...one }]);
      expect((await ask({ area: 'nfse', measures })).beside).toEqual({});
    });

    it.each(['3', '4', '7', '9', '0'])(
      'with tpRetPisCofins %s it is reported as one amount',
      async (code) => {
        await store(nfse(1, own(code)), nfse(2, own('8')));
        const expected = { ...none, services: '2000.00', irrf: '30.00', inss: '220.00', csll: '46.50' };
        for (const groupBy of [[], ['class_trib']] as const) {
          expect(await measured({ area: 'nfse', groupBy, measures })).toEqual([expected]);
          const { beside } = await ask({ area: 'nfse', groupBy, measures });
          expect(beside).toEqual({ contributions_withheld: '46.50' });
        }
        expect((await ask({ area: 'nfse', measures: ['irrf'] })).beside).toEqual({});
      },
    );

    it('of the old form are apart where the note’s own sum has all three in it', async () => {
      // 110.00 + 15.00 + 46.50 + 6.50 + 30.00
      await store(nfse(1, own('1'), '<vTotalRet>208.00</vTotalRet>'));
      expect(await measured({ area: 'nfse', measures })).toEqual([
        { ...known, csll: '46.50', pis_withheld: '6.50', cofins_withheld: '30.00' },
      ]);
      await store(nfse(2, own('1'), '<vTotalRet>171.50</vTotalRet>'));
      expect((await ask({ area: 'nfse', measures })).beside).toEqual({ contributions_withheld: '46.50' });
    });

    it('of an NF-e are the whole note’s, and no item’s', async () => {
      const names = { PIS: '0.65', COFINS: '3.00', CSLL: '1.00' };
      const retained = Object.entries(names).map(([name, text]) => `<vRet${name}>${text}</vRet${name}>`);
      const others = '<vIRRF>1.50</vIRRF><vRetPrev>11.00</vRetPrev>';
      const withheld = `<retTrib>${retained.join('')}${others}</retTrib>`;
      await store(nfe(1, [{ prod: of100 }], '100.00', '<vProd>100.00</vProd>', withheld));
      const contributions = { csll: '1.00', pis_withheld: '0.65', cofins_withheld: '3.00' };
      expect(await measured({ measures })).toEqual([
        { services: null, irrf: '1.50', inss: '11.00', ...contributions },
      ]);
      const { rows, unavailable } = await ask({ groupBy: ['cfop'], measures });
      expect(unavailable).toEqual(['irrf', 'inss', 'csll', 'pis_withheld', 'cofins_withheld']);
      expect(rows[0]?.measures).toEqual({ services: null, irrf: null, inss: null, ...none });
    });
  });

  it.each([
    ['without their taxes', '2027-01-01', '6102', '', '89.00'],
    ['as they are the day before', '2026-12-31', '6102', '', '100.00'],
    ['as they are on imports', '2027-01-01', '3102', '', '100.00'],
    ['as the file says (vProdLiq)', '2027-01-01', '6102', '<vProdLiq>89.01</vProdLiq>', '89.01'],
    ['as the file says already before', '2026-12-31', '6102', '<vProdLiq>89.01</vProdLiq>', '89.01'],
  ])('goods from 2027 on are net %s', async (_, day, cfop, more, products_net) => {
    const tax =
      '<IBSCBS><gIBSCBS><vIBS>1.00</vIBS><gCBS><vCBS>8.00</vCBS></gCBS></gIBSCBS></IBSCBS><IS><vIS>2.00</vIS></IS>';
    const goods = [{ cfop, prod: of100.replace('<indTot>', `${more}<indTot>`), tax }];
    await store(nfe(1, goods, '100.00', '<vProd>100.00</vProd>').replace('2026-11-05', day));
    for (const groupBy of [['cfop'], ['month']] as const) {
      const { rows } = await ask({ groupBy, measures: ['total', 'products', 'products_net'] });
      expect(rows[0]?.measures).toEqual({ total: '100.00', products: '100.00', products_net });
    }
  });
});
