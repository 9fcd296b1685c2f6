import { describe, expect, it } from 'vitest';
import { completeAccessKey } from '../../src/documents/identity/keys.ts';
import { checkAgainstCompany } from '../../src/documents/summary/checks.ts';
import { readDocuments } from '../../src/documents/summary/read-document.ts';
import { differences } from './differences.ts';
import { item, type NoteParts, note, noteKey } from './inline-notes.ts';
import { one } from './one-document.ts';

const protocol = (code = '100', more = '') =>
  `<protNFe><infProt><cStat>${code}</cStat>${more}</infProt></protNFe>`;
const besideOf = (more: string): NoteParts => ({ beside: protocol() + more });
const abroad = (id: string): NoteParts => ({
  recipient: `<dest>${id}<xNome>ACME</xNome><enderDest><UF>EX</UF></enderDest></dest>`,
});
const headed = (more: string): NoteParts => ({ header: `<mod>55</mod><nNF>1</nNF>${more}` });
const original = completeAccessKey('3526101122233300018155001000000100110000000');
const formerCancellation = (status: string) =>
  `<retCancNFe><infCanc><cStat>${status}</cStat><chNFe>${noteKey}</chNFe></infCanc></retCancNFe>`;
const codeInRequest = (code: string) =>
  `<procEventoNFe><evento><infEvento><chNFe>${noteKey}</chNFe><tpEvento>${code}</tpEvento></infEvento></evento>` +
  `<retEvento><infEvento><cStat>135</cStat><chNFe>${noteKey}</chNFe></infEvento></retEvento></procEventoNFe>`;
/** Pairs in which the code may be missing, in file order. Source: NT 2026.002 v1.11. */
const alerts =
  '<cMsg>172</cMsg><xMsg>CNPJ do destinatario irregular</xMsg><xMsg>Segundo alerta</xMsg><cMsg>9</cMsg><xMsg>Terceiro</xMsg>';
const alert = (found: string) => ({ code: 'authorization_alert', values: { found } });
const reformed =
  '<IBSCBS><CST>000</CST><cClassTrib>000001</cClassTrib><gIBSCBS><vBC>10.00</vBC>' +
  '<gIBSUF><pIBSUF>0.1000</pIBSUF><vIBSUF>0.01</vIBSUF></gIBSUF><gIBSMun><pIBSMun>0.0000</pIBSMun><vIBSMun>0.00</vIBSMun></gIBSMun>' +
  '<gCBS><pCBS>0.9000</pCBS><vCBS>0.09</vCBS></gCBS></gIBSCBS></IBSCBS>';
const goesBack = (xml: string) =>
  xml.replace(
    '</det>',
    `<DFeReferenciado><chaveAcesso>${original}</chaveAcesso><nItem>1</nItem></DFeReferenciado></det>`,
  );
const links =
  '<gPgtoVinc><gPgto nPag="1" idTransacao="E1"><tpMeioPgto>17</tpMeioPgto><CNPJReceb>11222333000181</CNPJReceb>' +
  '<CNPJBasePSP>99888777</CNPJBasePSP></gPgto><gPgto nPag="2" idTransacao="E2"><tpMeioPgto>15</tpMeioPgto></gPgto></gPgtoVinc>';
const prefixed = note().replace(/<(\/?)(?=[a-zA-Z])/g, '<$1n:');

describe('an NF-e', () => {
  it.each<[given: NoteParts | string, expected: object]>([
    [{}, { number: '123', warnings: [] }],
    // Absent values are omitted and never zero.
    [
      { recipient: '' },
      { recipient: null, transport: null, totals: { icms: null }, notes: null, reach: null },
    ],
    [{}, { is_to_government: null, payment_links: null }],
    // With any prefix and envelope; the key comes from the Id or the protocol.
    [prefixed, { key: noteKey }],
    [`<s:Envelope><s:Body><xml><retorno>${note()}</retorno></xml></s:Body></s:Envelope>`, { key: noteKey }],
    [
      `<enviNFe>${note().replace(/<\/?nfeProc[^>]*>/g, '')}</enviNFe>`,
      { kind: 'nfe', status: 'no_protocol' },
    ],
    [{ id: noteKey }, { key: noteKey }],
    [note().replace(/ Id="[^"]*"/, ''), { key: noteKey }],

    ...Object.entries({
      authorized: ['100', '120', '150'],
      cancelled: ['101', '151', '155'],
      denied: ['110', '205', '301', '302', '303'],
      unknown: ['204'],
    }).flatMap(([status, codes]) =>
      codes.map((code): [NoteParts, object] => [{ beside: protocol(code) }, { status }]),
    ),
    [
      { beside: protocol('177', '<xMotivo>Autorizado de um modo novo</xMotivo>') },
      { warnings: [{ code: 'status_unknown', values: { found: '177 Autorizado de um modo novo' } }] },
    ],
    [
      { beside: protocol('120', alerts) },
      {
        status: 'authorized',
        warnings: [
          alert('172: CNPJ do destinatario irregular'),
          alert('Segundo alerta'),
          alert('9: Terceiro'),
        ],
      },
    ],
    // With 100, the same fields contain campaigns of the tax office.
    [{ beside: protocol('100', alerts) }, { warnings: [] }],
    // A receipt of layouts older than events names no event; a request alone cancels nothing.
    [besideOf(formerCancellation('101')), { status: 'cancelled' }],
    [besideOf(formerCancellation('218')), { status: 'cancelled' }],
    [besideOf(formerCancellation('220')), { status: 'authorized' }],
    [
      besideOf('<evento><infEvento><tpEvento>110111</tpEvento></infEvento></evento>'),
      { status: 'authorized' },
    ],
    [besideOf(codeInRequest('110110')), { status: 'authorized', events: [{ code: '110110' }] }],
    [besideOf(codeInRequest('110111')), { status: 'cancelled', events: [{ code: '110111' }] }],

    [abroad('<idEstrangeiro>X1</idEstrangeiro>'), { recipient: { id: 'X1', id_type: 'foreign' } }],
    [
      abroad('<idEstrangeiro/>'),
      { recipient: { id: null, id_type: 'foreign', name: 'ACME', state: 'EX' }, warnings: [] },
    ],
    // A CPF of twelve digits is kept, with a warning.
    [
      { recipient: '<dest><CPF>052998224725</CPF></dest>' },
      {
        recipient: { id: '052998224725', id_type: 'cpf' },
        warnings: [{ code: 'recipient_id', values: { found: '052998224725' } }],
      },
    ],
    [
      {
        ...headed(
          `<NFref><refNFe>${noteKey}</refNFe></NFref><NFref><refNF><CNPJ>11222333000181</CNPJ><mod>01</mod><serie>2</serie><nNF>77</nNF></refNF></NFref>`,
        ),
        items: item(1, '10.00', '', '<xPed>PC-9</xPed><nItemPed>3</nItemPed>'),
        totals:
          '<ICMSTot><vProd>10.00</vProd><vNF>10.00</vNF></ICMSTot><retTrib><vRetPIS>0.07</vRetPIS><vIRRF>0.15</vIRRF></retTrib>',
        rest: '<cobr><dup><nDup>001</nDup><dVenc>2026-12-05</dVenc><vDup>10.00</vDup></dup></cobr><pag><detPag><indPag>1</indPag><tPag>15</tPag><vPag>10.00</vPag></detPag></pag>',
      },
      {
        references: [{ key: noteKey }, { model: '01', series: '2', number: '77', issuer: '11222333000181' }],
        items: [{ order: 'PC-9', order_line: '3' }],
        installments: [{ number: '001', due: '2026-12-05', amount: '10.00' }],
        payments: [{ timing: '1', method: '15', amount: '10.00' }],
        totals: { withheld: '0.22' },
      },
    ],
    [headed('<tpNF>1</tpNF><idDest>2</idDest>'), { reach: '2' }],
    // Layout 2.00 has a date without a time, and payment in the group itself.
    [
      {
        ...headed('<dEmi>2013-05-02</dEmi><dSaiEnt>2013-05-03</dSaiEnt>'),
        rest: '<pag><tPag>01</tPag><vPag>10.00</vPag></pag>',
      },
      {
        issued_at: '2013-05-02',
        moved_at: '2013-05-03',
        payments: [{ method: '01', amount: '10.00', timing: null }],
      },
    ],

    // Fields added by the reform.
    [headed('<finNFe>5</finNFe><tpNFCredito>03</tpNFCredito>'), { purpose: '5', credit_type: '03' }],
    [headed('<finNFe>6</finNFe><tpNFDebito>06</tpNFDebito>'), { purpose: '6', debit_type: '06' }],
    [headed('<gCompraGov><tpEnteGov>1</tpEnteGov></gCompraGov>'), { is_to_government: true }],
    [
      note().replace('</infNFe>', `${links}</infNFe>`),
      {
        payment_links: [
          { number: '1', transaction: 'E1', method: '17', payee: '11222333000181', provider: '99888777' },
          { number: '2', transaction: 'E2', method: '15', payee: null, provider: null },
        ],
      },
    ],
    [
      {
        items:
          goesBack(item(1, '10.00', reformed, '<comb><cProdANP>820101034</cProdANP></comb>')) +
          goesBack(item(2, '10.00')),
      },
      {
        items: {
          0: {
            fuel: '820101034',
            reference: original,
            taxes: { ibs_state_rate: '0.1000', ibs_city_rate: '0.0000', cbs_rate: '0.9000' },
          },
        },
        references: [{ key: original }],
      },
    ],
    [
      {
        items:
          item(1, '10.00', '', '<indTot>1</indTot><veicProd><tpOp>2</tpOp></veicProd>') +
          item(
            2,
            '5.00',
            '<PISST><vPIS>0.10</vPIS></PISST><COFINSST><vCOFINS>0.40</vCOFINS></COFINSST>',
            '<indTot>0</indTot>',
          ),
      },
      {
        items: {
          0: { vehicle_operation: '2', in_total: null, pis_st: null },
          1: { vehicle_operation: null, in_total: '0', pis_st: '0.10', cofins_st: '0.40' },
        },
        warnings: [],
      },
    ],
  ])('%j', (given, expected) => {
    expect(differences(one(typeof given === 'string' ? given : note(given)), expected)).toEqual([]);
  });

  it.each([
    ['a registered cancellation', '110111', '135', noteKey, 'cancelled'],
    ['one by substitution', '110112', '136', noteKey, 'cancelled'],
    ['one out of time', '110111', '155', noteKey, 'cancelled'],
    ['a refused one', '110111', '573', noteKey, 'authorized'],
    ['one of another note', '110111', '135', '1'.repeat(44), 'authorized'],
    ['another event', '110110', '135', noteKey, 'authorized'],
  ])('with %s beside it, however that is wrapped', (_, code, status, key, expected) => {
    const receipt = `<infEvento><chNFe>${key}</chNFe><tpEvento>${code}</tpEvento><cStat>${status}</cStat></infEvento>`;
    const request = `<evento><infEvento><tpEvento>${code}</tpEvento><detEvento><xJust>erro no pedido</xJust></detEvento></infEvento></evento>`;
    for (const beside of [
      `<retEvento>${receipt}</retEvento>`,
      `<retEnvEvento><cStat>128</cStat><retEvento>${receipt}</retEvento></retEnvEvento>`,
      `<envEvento>${request}</envEvento><retEnvEvento><retEvento>${receipt}</retEvento></retEnvEvento>`,
      `<retConsSitNFe><cStat>101</cStat><procEventoNFe>${request}<retEvento>${receipt}</retEvento></procEventoNFe></retConsSitNFe>`,
      `<procEventoNFe>${request}<retEvento>${receipt}</retEvento></procEventoNFe>`,
    ]) {
      expect(one(note(besideOf(beside))).status).toBe(expected);
    }
  });

  it('is recognised by its first element, and several are read in order', () => {
    for (const xml of ['<NFe><other/></NFe>', '<NFSe><NumeroNFe>1</NumeroNFe></NFSe>', '<nfeProc/>'])
      expect(readDocuments(xml)).toEqual([]);
    const second = note({ header: '<mod>65</mod><nNF>2</nNF>' });
    for (const xml of [
      `<?xml version="1.0"?>${note()}\n<?xml version="1.0"?>${second}`,
      `<lote>${note()}${second}</lote>`,
    ]) {
      expect(readDocuments(xml).map(({ kind, number }) => `${kind} ${number}`)).toEqual([
        'nfe 123',
        'nfce 2',
      ]);
    }
  });
});

const nationalKey = '21113002200574753000100000000000146726037032711025';
const abridged = (situation: string) =>
  `<resNFe versao="1.01"><chNFe>${noteKey}</chNFe><CNPJ>11222333000181</CNPJ><xNome>X</xNome><vNF>10.00</vNF><nProt>1</nProt><cSitNFe>${situation}</cSitNFe></resNFe>`;

const simplified =
  '<cteSimpProc><CTeSimp versao="4.00"><infCte versao="4.00"><ide><mod>57</mod><nCT>9</nCT></ide>' +
  '<toma><toma>4</toma><CNPJ>58716523000119</CNPJ><xNome>TOMADORA</xNome></toma>' +
  `<det nItem="1"><vPrest>100.10</vPrest><vRec>100.10</vRec><infNFe><chNFe>${noteKey}</chNFe></infNFe></det>` +
  '<det nItem="2"><vPrest>50.20</vPrest><vRec>40.00</vRec><infNFe><chNFe>2</chNFe></infNFe><infNFe><chNFe>3</chNFe></infNFe></det>' +
  '</infCte></CTeSimp><protCTe><infProt><cStat>100</cStat></infProt></protCTe></cteSimpProc>';
const earlier = (key: string, notes: string) =>
  `<infDocAnt><chCTe>${key}</chCTe><tpPrest>${notes === '' ? 1 : 2}</tpPrest>${notes}</infDocAnt>`;
const partly = '<infNFeTranspParcial><chNFe>4</chNFe></infNFeTranspParcial>';
const party = (tag: string, letter: string) => `<${tag}><xNome>${letter}</xNome></${tag}>`;
const paidBy = (taker: string) =>
  `<CTe><infCte versao="4.00"><ide><nCT>1</nCT><toma3><toma>${taker}</toma></toma3></ide>` +
  `${party('rem', 'A')}${party('exped', 'B')}${party('receb', 'C')}${party('dest', 'D')}</infCte></CTe>`;
const ofCte = (status: string, code = '110111') =>
  `<procEventoCTe><eventoCTe><infEvento><tpEvento>${code}</tpEvento></infEvento></eventoCTe>` +
  `<retEventoCTe><infEvento><cStat>${status}</cStat><tpEvento>${code}</tpEvento></infEvento></retEventoCTe></procEventoCTe>`;
const cteWith = (event: string) =>
  `<cteProc><CTe><infCte><ide><nCT>1</nCT></ide></infCte></CTe><protCTe><infProt><cStat>100</cStat></infProt></protCTe>${event}</cteProc>`;
const cteKey = completeAccessKey('3526111122233300018157001000000123110000000');

it.each<[xml: string, expected: object]>([
  ...Object.entries({
    1: 'authorized',
    2: 'denied',
    3: 'cancelled',
    9: 'unknown',
    constructor: 'unknown',
  }).map(([situation, status]): [string, object] => [
    abridged(situation),
    {
      kind: 'summary',
      layout: 'nfe summary 1.01',
      key: noteKey,
      status,
      issuer: { id: '11222333000181' },
      totals: { total: '10.00' },
      protocol: { number: '1' },
    },
  ]),
  // An event of the national NFS-e has its code in the Id.
  [
    `<evento versao="1.01"><infEvento Id="EVT${nationalKey}101101001"><dhProc>2026-03-04T00:00:00-03:00</dhProc><pedRegEvento><infPedReg>` +
      `<tpAmb>1</tpAmb><dhEvento>2026-03-03T00:00:00-03:00</dhEvento><CNPJAutor>00574753000100</CNPJAutor><chNFSe>${nationalKey}</chNFSe>` +
      '<e101101><xDesc>Cancelamento de NFS-e</xDesc><cMotivo>1</cMotivo><xMotivo>Erro na emissao</xMotivo></e101101></infPedReg></pedRegEvento></infEvento></evento>',
    {
      kind: 'event',
      key: nationalKey,
      status: 'authorized',
      environment: 'production',
      event: {
        code: '101101',
        name: 'Cancelamento de NFS-e',
        text: 'Erro na emissao',
        author: '00574753000100',
      },
      warnings: [],
    },
  ],
  // A receipt alone is an answered event.
  [
    `<retEnvEvento><retEvento versao="1.00"><infEvento><tpAmb>1</tpAmb><cStat>573</cStat><chNFe>${noteKey}</chNFe><tpEvento>210200</tpEvento></infEvento></retEvento></retEnvEvento>`,
    { kind: 'event', status: 'unknown', protocol: { code: '573' }, event: { code: '210200' } },
  ],

  // A simplified CT-e: deliveries are summed if it has no total; it includes the payer whatever the role.
  [
    simplified,
    {
      kind: 'cte',
      layout: 'cte 4.00',
      status: 'authorized',
      payer: { id: '58716523000119', name: 'TOMADORA' },
      totals: { total: '150.30', receivable: '140.10' },
      linked_keys: [noteKey, '2', '3'],
    },
  ],
  ...['0', '1', '2', '3', '4'].map((role): [string, object] => [
    simplified.replace('<toma>4</toma>', `<toma>${role}</toma>`),
    { payer: { id: '58716523000119', id_type: 'cnpj', name: 'TOMADORA' } },
  ]),
  [
    simplified.replace('</infCte>', '<total><vTPrest>160.00</vTPrest></total></infCte>'),
    { totals: { total: '160.00' } },
  ],
  // The preceding CT-e, and the notes that it carries on in part.
  [
    simplified.replace('</det>', `${earlier('c1', partly)}${earlier('c2', '')}</det>`),
    {
      references: [{ key: 'c1' }, { key: 'c2' }],
      linked_keys: [noteKey, '4', '2', '3'],
      totals: { total: '150.30' },
    },
  ],
  ['<CTe><infCte><ide><nCT>1</nCT><toma3><toma>3</toma></toma3></ide></infCte></CTe>', { payer: null }],
  // The cargo's value had another name until layout 1.04.
  [
    '<CTe><infCte><ide><nCT>1</nCT></ide><infCTeNorm><infCarga><vMerc>921.90</vMerc></infCarga></infCTeNorm></infCte></CTe>',
    { totals: { cargo: '921.90' } },
  ],
  [paidBy('0'), { payer: { name: 'A' } }],
  [paidBy('1'), { payer: { name: 'B' } }],
  [paidBy('2'), { payer: { name: 'C' } }],
  [paidBy('3'), { payer: { name: 'D' } }],
  // IBS of state and city is added, and ICMS of another state counts.
  [
    '<CTe><infCte><ide><nCT>1</nCT></ide><imp><ICMS><ICMSOutraUF><CST>90</CST><vBCOutraUF>10.00</vBCOutraUF>' +
      '<vICMSOutraUF>1.20</vICMSOutraUF></ICMSOutraUF></ICMS><IBSCBS><CST>000</CST><cClassTrib>200001</cClassTrib><gIBSCBS>' +
      '<gIBSUF><vIBSUF>0.10</vIBSUF></gIBSUF><gIBSMun><vIBSMun>0.05</vIBSMun></gIBSMun></gIBSCBS></IBSCBS></imp></infCte></CTe>',
    {
      totals: { icms: '1.20', icms_base: '10.00', ibs: '0.15' },
      warnings: [
        { code: 'key_missing' },
        { code: 'class_trib_against_cst', values: { found: '200001', expected: '000' } },
      ],
    },
  ],
  [cteWith(ofCte('134')), { status: 'cancelled', events: { length: 1 } }],
  [cteWith(ofCte('134', '110110')), { status: 'authorized', events: { length: 1 } }],
  [cteWith(ofCte('631')), { status: 'authorized', events: null }],
  [
    `<cteProc><CTe><infCte Id="CTe${cteKey}"><ide><mod>57</mod></ide></infCte></CTe><retEnvEvento><retEventoCTe><infEvento>` +
      `<chCTe>${cteKey}</chCTe><tpEvento>110111</tpEvento><cStat>135</cStat></infEvento></retEventoCTe></retEnvEvento></cteProc>`,
    { key: cteKey, status: 'cancelled', event: { code: '110111' } },
  ],
  ...Object.entries({
    134: 'authorized',
    135: 'authorized',
    136: 'authorized',
    133: 'unknown',
    631: 'unknown',
  }).map(([code, status]): [string, object] => [ofCte(code), { status }]),
  // Its name is from the schemas if the file gives only the code.
  [ofCte('135', '610110'), { event: { name: 'Prestacao do Servico em Desacordo' } }],
  [ofCte('135'), { event: { name: 'Cancelamento' } }],
  [ofCte('135', '999999'), { event: { name: null } }],
  [ofCte('135', 'constructor'), { event: { name: null } }],
])('%s', (xml, expected) => {
  expect(differences(one(xml), expected)).toEqual([]);
});

it('the payer of a simplified CT-e is a party of it', () => {
  expect(checkAgainstCompany(one(simplified), '58716523000119')).toEqual([]);
  expect(checkAgainstCompany(one(simplified), '11222333000181')).toHaveLength(1);
});
