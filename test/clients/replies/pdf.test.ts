import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { RepliedWithUrl } from '../../../src/clients/documents/replies/index.ts';
import { NotUnderstood } from '../../../src/clients/errors.ts';
import { zipOf } from '../../support/zip.ts';
import { cdata, misunderstands, place, readNfse, readPdf, refuses, replyOf, understands } from './reply.ts';

const PDF = Buffer.concat([
  Buffer.from('%PDF-1.4\n%'),
  Buffer.from([0xe2, 0xe3, 0xcf, 0xd3]),
  Buffer.from('\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n'),
]);
const URL_WITH_SIGNATURE =
  'https://conta.blob.core.windows.net/danfe/nota.pdf?sv=2020-08-04&sig=segredo%2Babc%3D';

const base64 = PDF.toString('base64');
const hexadecimal = PDF.toString('hex');
const inFile = (name: string, stored = false) => ({ name, bytes: PDF, stored });
const zipped = zipOf([inFile('danfe.pdf')]);
const folder = { name: 'pasta/', bytes: Buffer.alloc(0), stored: true };
const envelope = (content: string) =>
  `<ret><cStat>100</cStat><xMotivo>OK</xMotivo><retorno>${content}</retorno></ret>`;

describe('a PDF', () => {
  const readHex = async (reply: Parameters<typeof readPdf>[0]) =>
    Buffer.from(await readPdf(reply)).toString('hex');
  understands(readHex, [
    [hexadecimal, PDF, gzipSync(PDF), gzipSync(base64), zipped],
    [hexadecimal, zipOf([inFile('a.pdf', true)]), zipOf([folder, inFile('pasta/a.pdf')])],
    [hexadecimal, base64, base64.replace(/(.{20})/g, '$1\r\n'), JSON.stringify(base64)],
    [hexadecimal, `"${base64.replaceAll('/', '\\/')}"`, `data:application/pdf;base64,${base64}`],
    [hexadecimal, hexadecimal, JSON.stringify(`0x${hexadecimal.toUpperCase()}`)],
    [hexadecimal, gzipSync(PDF).toString('base64'), JSON.stringify(zipped.toString('base64'))],
    [hexadecimal, JSON.stringify([...PDF]), JSON.stringify({ Nome: 'danfe', Pdf: base64 })],
    [hexadecimal, envelope(`<Pdf>${base64}</Pdf>`), JSON.stringify(envelope(`<Pdf>${cdata(base64)}</Pdf>`))],
    [hexadecimal, `<base64Binary xmlns="x">${base64}</base64Binary>`],
  ]);

  it.each([
    URL_WITH_SIGNATURE,
    JSON.stringify(URL_WITH_SIGNATURE),
    envelope(`<Url>${URL_WITH_SIGNATURE.replaceAll('&', '&amp;')}</Url>`),
  ])('may be an address, which is given unchanged: %s', async (text) => {
    const error = await readPdf(replyOf(text)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RepliedWithUrl);
    expect(error).toHaveProperty('url', URL_WITH_SIGNATURE);
  });

  misunderstands(readPdf, {
    empty: ['', '""'],
    truncated: [
      ...[PDF.subarray(0, -10), PDF.subarray(0, 60).toString('base64'), zipped.subarray(0, -1)],
      ...[base64.slice(0, -3), hexadecimal.slice(0, -1), gzipSync(PDF).subarray(0, -9)],
    ],
    'malformed base64': [`${base64.slice(0, 20)}*${base64.slice(21)}`],
    'empty zip': [zipOf([]), zipOf([folder])],
    'several pdfs': [zipOf([inFile('a'), inFile('b')]), envelope(`<Pdf>${base64}</Pdf><Pdf>${base64}</Pdf>`)],
    'not a pdf': [
      ...[gzipSync('texto').toString('base64'), gzipSync('texto qualquer'), '[1,2,3]', 'nota não encontrada'],
      ...['ftp://servidor/nota.pdf', 'file:///etc/passwd'],
    ],
    'nothing recognised': ['<nfeProc><NFe><infNFe><ide/></infNFe></NFe></nfeProc>'],
  });

  it('with a broken byte anywhere in its zip is an error or no harm', async () => {
    for (let at = 0; at < zipped.length; at++) {
      const broken = Buffer.from(zipped);
      broken[at] = (broken[at] ?? 0) ^ 0xff;
      const result = await readPdf(replyOf(broken)).catch((thrown: unknown) => thrown);
      if (result instanceof Error) expect(result).toBeInstanceOf(NotUnderstood);
      else expect(Buffer.from(result as Uint8Array).equals(PDF)).toBe(true);
    }
  });

  it('keeps the signature of an address out of errors', async () => {
    const error = await readPdf(replyOf(`veja ${URL_WITH_SIGNATURE}`)).catch((thrown: unknown) => thrown);
    expect(JSON.stringify(error)).not.toContain('segredo');
  });

  refuses(readPdf, [
    [{ code: '217', message: 'Inexistente' }, '<ret><cStat>217</cStat><xMotivo>Inexistente</xMotivo></ret>'],
  ]);
});

describe('download of an NFS-e', () => {
  const nfse =
    '<CompNfse><Nfse><InfNfse><Numero>7</Numero><ValoresNfse><ValorLiquidoNfse>5.00</ValorLiquidoNfse>' +
    '</ValoresNfse></InfNfse></Nfse></CompNfse>';
  const document = { xml: nfse, summary: { kind: 'nfse', number: '7' } };

  understands(readNfse, [
    [{ document, pdf: PDF }, JSON.stringify(envelope(`<NFSe>${place(nfse)}<Pdf>${base64}</Pdf></NFSe>`))],
    [{ document }, nfse],
    [{ pdf: PDF, forms: ['pdf'] }, PDF],
    [{ document, pdf: { url: URL_WITH_SIGNATURE } }, JSON.stringify({ Xml: nfse, Url: URL_WITH_SIGNATURE })],
  ]);
  misunderstands(readNfse, {
    'nothing recognised': [envelope('<Outro>1</Outro>')],
    'several documents': [nfse + nfse.replace('>7<', '>8<')],
    truncated: [envelope(`${place(nfse)}<Pdf>${base64.slice(0, -1)}</Pdf>`)],
  });

  it('has neither where only the other came', async () => {
    expect(await readNfse(replyOf(nfse))).toMatchObject({ pdf: undefined });
    expect(await readNfse(replyOf(JSON.stringify(base64)))).toMatchObject({ document: undefined });
  });
});
