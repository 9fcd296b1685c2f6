import { completeAccessKey } from '../../../src/documents/identity/keys.ts';

/**
 * How a generated list is wrapped: a JSON string, the XML string wrapper, not at all; or its documents side by side, with
 * nothing around them.
 */
export type Wrapping = 'json' | 'wrapper' | 'bare' | 'side-by-side';

const ITEMS = 12;
const NAMESPACE = 'xmlns="http://www.portalfiscal.inf.br/nfe"';

function item(number: number): string {
  return (
    `<det nItem="${number}"><prod><cProd>P${number}</cProd><cEAN>SEM GTIN</cEAN><xProd>Parafuso nº ${number} &amp; porca</xProd>` +
    '<NCM>73181500</NCM><CFOP>5102</CFOP><uCom>UN</uCom><qCom>1.0000</qCom><vUnCom>10.0000000000</vUnCom>' +
    '<vProd>10.00</vProd><cEANTrib>SEM GTIN</cEANTrib><uTrib>UN</uTrib><qTrib>1.0000</qTrib>' +
    '<vUnTrib>10.0000000000</vUnTrib><indTot>1</indTot></prod><imposto><ICMS><ICMS00><orig>0</orig><CST>00</CST>' +
    '<modBC>3</modBC><vBC>10.00</vBC><pICMS>18.00</pICMS><vICMS>1.80</vICMS></ICMS00></ICMS><PIS><PISAliq>' +
    '<CST>01</CST><vBC>10.00</vBC><pPIS>1.65</pPIS><vPIS>0.17</vPIS></PISAliq></PIS><COFINS><COFINSAliq>' +
    '<CST>01</CST><vBC>10.00</vBC><pCOFINS>7.60</pCOFINS><vCOFINS>0.76</vCOFINS></COFINSAliq></COFINS></imposto></det>'
  );
}

/** An NF-e of 12 items, about 11 KB with its filler for a signature; the number makes its key. */
export function sampleNfe(number: number, count = ITEMS): string {
  const padded = String(number).padStart(9, '0');
  const key = completeAccessKey(`3526095871652300011955001${padded}1${padded.slice(1)}`);
  const items = Array.from({ length: count }, (_, i) => item(i + 1)).join('');
  return (
    `<nfeProc ${NAMESPACE} versao="4.00"><NFe ${NAMESPACE}><infNFe Id="NFe${key}" versao="4.00"><ide><cUF>35</cUF>` +
    `<natOp>Venda</natOp><mod>55</mod><serie>1</serie><nNF>${number}</nNF><dhEmi>2026-09-01T10:00:00-03:00</dhEmi>` +
    '<tpNF>1</tpNF><tpAmb>1</tpAmb></ide><emit><CNPJ>58716523000119</CNPJ><xNome>Indústria Ação Ltda</xNome>' +
    '<enderEmit><UF>SP</UF></enderEmit></emit><dest><CNPJ>11222333000181</CNPJ><xNome>Comércio Ltda</xNome></dest>' +
    `${items}<total><ICMSTot><vProd>120.00</vProd><vNF>120.00</vNF></ICMSTot></total></infNFe>` +
    `<Signature><SignatureValue>${'kYz0'.repeat(700)}</SignatureValue></Signature></NFe>` +
    `<protNFe versao="4.00"><infProt><chNFe>${key}</chNFe><dhRecbto>2026-09-01T10:00:05-03:00</dhRecbto>` +
    '<nProt>135260000000001</nProt><cStat>100</cStat></infProt></protNFe></nfeProc>'
  );
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const wrap: Record<Wrapping, { before: string; after: string; each: (text: string) => string }> = {
  json: { before: '"', after: '"', each: (text) => JSON.stringify(text).slice(1, -1) },
  wrapper: {
    before: '<string xmlns="http://schemas.microsoft.com/2003/10/Serialization/">',
    after: '</string>',
    each: (text) => text.replace(/[&<>]/g, (character) => escapes[character] ?? character),
  },
  bare: { before: '', after: '', each: (text) => text },
  'side-by-side': { before: '', after: '', each: (text) => text },
};

function entryOf(document: string): string {
  const text = `<![CDATA[<?xml version="1.0" encoding="utf-8"?>${document}]]>`;
  return `<vIntegridade>1</vIntegridade><Conteudo>${text}</Conteudo>`;
}

const CHUNK = 64 * 1024;
const DIFFERENT_DOCUMENTS = 16;

/**
 * A list reply of about so many bytes that is made as it is read, in chunks of 64 KB that cut anywhere: an envelope with
 * CDATA documents, or these alone.
 */
export function listReply(
  wrapping: Wrapping,
  bytes: number,
): { body: AsyncGenerator<Uint8Array>; sent: () => number; documents: () => number } {
  const { before, after, each } = wrap[wrapping];
  const isAlone = wrapping === 'side-by-side';
  const head = isAlone ? '' : '<retListaXml versao="1.00"><cStat>100</cStat><xMotivo>OK</xMotivo><retorno>';
  const tail = isAlone ? '' : '</retorno></retListaXml>';
  const entries = Array.from({ length: DIFFERENT_DOCUMENTS }, (_, i) =>
    Buffer.from(each(isAlone ? sampleNfe(i + 1) : entryOf(sampleNfe(i + 1)))),
  );
  let sent = 0;
  let documents = 0;

  function* pieces(): Generator<Buffer> {
    yield Buffer.from(before + each(head));
    while (sent < bytes) {
      const entry = entries[documents++ % DIFFERENT_DOCUMENTS];
      if (entry !== undefined) yield entry;
    }
    yield Buffer.from(each(tail) + after);
  }

  async function* body(): AsyncGenerator<Uint8Array> {
    let held: Buffer[] = [];
    let length = 0;
    for (const piece of pieces()) {
      held.push(piece);
      length += piece.length;
      if (length < CHUNK) continue;
      const whole = Buffer.concat(held);
      sent += CHUNK;
      yield whole.subarray(0, CHUNK);
      held = [whole.subarray(CHUNK)];
      length = whole.length - CHUNK;
    }
    sent += length;
    yield Buffer.concat(held);
  }

  return { body: body(), sent: () => sent, documents: () => documents };
}

/** So many items that 20,000 documents are 441 MB. */
const LONG_ITEMS = 27;

/** A list reply of so many different documents, numbered from the first on, as a JSON string; made while it is read. */
export function* longListReply(documents: number, first = 1): Generator<string> {
  const { each } = wrap.json;
  yield `"${each('<retListaXml versao="1.00"><cStat>100</cStat><xMotivo>OK</xMotivo><retorno>')}`;
  const end = first + documents;
  for (let number = first; number < end; number++) yield each(entryOf(sampleNfe(number, LONG_ITEMS)));
  yield `${each('</retorno></retListaXml>')}"`;
}
