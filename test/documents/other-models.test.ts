import { expect, it } from 'vitest';
import { createDocumentReader, type UnreadDocument } from '../../src/documents/summary/read-document.ts';
import { XmlSequence } from '../../src/documents/xml/sequence.ts';

function unreadIn(xml: string): UnreadDocument[] {
  const found: UnreadDocument[] = [];
  const reader = createDocumentReader(
    () => {
      throw new Error('should not be read as a document');
    },
    undefined,
    (unread) => found.push(unread),
  );
  const sequence = new XmlSequence(reader);
  sequence.write(xml);
  sequence.end();
  return found;
}

const keyOf = (model: string) => `35261011222333000181${model}001000000001100000000${'1'}`;
const note = (name: string, model: string, total: string) =>
  `<${name} xmlns="http://www.portalfiscal.inf.br/${name.toLowerCase()}"><inf${name} Id="${name}${keyOf(model)}" versao="1.00">` +
  `<ide><mod>${model}</mod><dhEmi>2026-10-10T10:00:00-03:00</dhEmi></ide><emit><CNPJ>11222333000181</CNPJ>` +
  `<xNome>COMPANHIA</xNome></emit>${total}</inf${name}></${name}>`;
const vNF = '<total><vNF>150.75</vNF></total>';

it.each([
  ['NFCom', '62', vNF, 'NFCom', '150.75'],
  ['NF3e', '66', vNF, 'NF3e', '150.75'],
  ['NFGas', '76', vNF, 'NFGas', '150.75'],
  ['NFAg', '75', vNF, 'NFAg', '150.75'],
  ['NFeABI', '77', vNF, 'NF-e ABI', '150.75'],
  ['BPe', '63', '<infValorBPe><vBP>90.00</vBP><vPgto>80.00</vPgto></infValorBPe>', 'BP-e', '80.00'],
  // A manifest has no total: the value of its cargo is not one.
  ['MDFe', '58', '<tot><vCarga>9000.00</vCarga></tot>', 'MDF-e', undefined],
])('%s (%s) has an outline, alone and processed', (name, model, total, kind, amount) => {
  const expected = {
    kind,
    key: keyOf(model),
    issuer: '11222333000181',
    issuer_name: 'COMPANHIA',
    date: '2026-10-10',
    total: amount,
  };
  const processed = name === 'NFeABI' ? 'NFeABIProc' : `${name.toLowerCase()}Proc`;
  const alone = note(name, model, total);
  expect(unreadIn(alone)).toEqual([
    { root: name, family: kind, reason: 'no known layout', outline: expected },
  ]);
  const [inEnvelope] = unreadIn(`<${processed} versao="1.00">${alone}<protX/></${processed}>`);
  expect(inEnvelope?.outline).toEqual(expected);
});

it('a CF-e SAT writes its day without dashes', () => {
  const key = '35261011222333000181590001234560000012345671';
  const [found] = unreadIn(
    `<CFe><infCFe Id="CFe${key}"><ide><dEmi>20261010</dEmi></ide><emit><CNPJ>11222333000181</CNPJ></emit>` +
      '<total><vCFe>77.70</vCFe></total></infCFe></CFe>',
  );
  expect(found?.outline).toEqual({
    kind: 'CF-e SAT',
    key,
    issuer: '11222333000181',
    date: '2026-10-10',
    total: '77.70',
  });
});

it.each([
  ['<procEventoNFCom><eventoNFCom/></procEventoNFCom>', 'NFCom event'],
  ['<nfseViaProc><NFSeVia/></nfseViaProc>', 'NFS-e Via'],
  ['<GTVeProc><GTVe/></GTVeProc>', 'GTV-e'],
  ['<mdfeProc><a><b>1</b></a></mdfeProc>', 'MDF-e'],
  ['<tbnfd><a><b>1</b></a></tbnfd>', 'NFS-e SmarAPD'],
  ['<NFS-e><NFe><infNFe/></NFe></NFS-e>', 'NFS-e Infisc'],
  // Its CNPJ is the recipient's, unlike in a standalone resNFe.
  ['<envDPEC><infDPEC><resNFe><chNFe>1</chNFe><CNPJ>1</CNPJ></resNFe></infDPEC></envDPEC>', 'NF-e DPEC'],
])('%s is named and no more', (xml, family) => {
  const [found] = unreadIn(xml);
  expect(found).toMatchObject({ family, reason: 'no known layout' });
  expect(found?.outline).toBeUndefined();
});

it('an event of a model that has none is not named', () => {
  expect(unreadIn('<procEventoCFe><a><b>1</b></a></procEventoCFe>').map(({ family }) => family)).toEqual([]);
});

it('broken fields are omitted, not guessed', () => {
  expect(unreadIn('<resNFe><vNF>1.00</vNF></resNFe>')).toMatchObject([{ reason: 'no identity' }]);
  const issuer = '<emit><CNPJ>11222333000181</CNPJ></emit>';
  const broken = (more: string) =>
    unreadIn(`<NFCom><infNFCom Id="NFCom12"><ide><dhEmi>ontem</dhEmi></ide>${more}</infNFCom></NFCom>`)[0];
  expect(broken(issuer)?.outline).toEqual({ kind: 'NFCom', issuer: '11222333000181' });
  expect(broken('')).toMatchObject({ family: 'NFCom' });
  expect(broken('')?.outline).toBeUndefined();
});
