import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { RepliedWithUrl } from '../../../src/clients/documents/replies/index.ts';
import { NotUnderstood, Refused } from '../../../src/clients/errors.ts';
import { zipOf } from '../../support/zip.ts';
import { misunderstood, readNfse, readPdf, replyOf } from './reply.ts';

const PDF = Buffer.concat([
  Buffer.from('%PDF-1.4\n%'),
  Buffer.from([0xe2, 0xe3, 0xcf, 0xd3]),
  Buffer.from('\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n'),
]);

const URL_WITH_SIGNATURE =
  'https://conta.blob.core.windows.net/danfe/nota.pdf?sv=2020-08-04&sig=segredo%2Babc%3D';

const base64 = PDF.toString('base64');
const zipped = zipOf([{ name: 'danfe.pdf', bytes: PDF }]);

function envelope(content: string): string {
  return `<ret><cStat>100</cStat><xMotivo>OK</xMotivo><retorno>${content}</retorno></ret>`;
}

describe('forms of a PDF', () => {
  it.each<[string, string | Buffer]>([
    ['bytes', PDF],
    ['base64', base64],
    ['base64 with line breaks', base64.replace(/(.{20})/g, '$1\r\n')],
    ['base64 in a JSON string', JSON.stringify(base64)],
    ['base64 in a JSON string with escaped slashes', `"${base64.replaceAll('/', '\\/')}"`],
    ['a data URI', `data:application/pdf;base64,${base64}`],
    ['hexadecimal', PDF.toString('hex')],
    ['hexadecimal in upper case with 0x', JSON.stringify(`0x${PDF.toString('hex').toUpperCase()}`)],
    ['gzip', gzipSync(PDF)],
    ['gzip in base64', gzipSync(PDF).toString('base64')],
    ['base64 in gzip', gzipSync(base64)],
    ['zip', zipped],
    ['zip without compression', zipOf([{ name: 'a.pdf', bytes: PDF, stored: true }])],
    [
      'zip with a folder in it',
      zipOf([
        { name: 'pasta/', bytes: Buffer.alloc(0), stored: true },
        { name: 'pasta/a.pdf', bytes: PDF },
      ]),
    ],
    ['zip in base64', JSON.stringify(zipped.toString('base64'))],
    ['a JSON byte array', JSON.stringify([...PDF])],
    ['an element of an envelope', envelope(`<Pdf>${base64}</Pdf>`)],
    ['an envelope in a JSON string', JSON.stringify(envelope(`<Pdf><![CDATA[${base64}]]></Pdf>`))],
    ['the base64Binary wrapper', `<base64Binary xmlns="x">${base64}</base64Binary>`],
    ['a member of a JSON object', JSON.stringify({ Nome: 'danfe', Pdf: base64 })],
  ])('%s', async (_, content) => {
    const pdf = await readPdf(replyOf(content));
    expect(Buffer.from(pdf).equals(PDF)).toBe(true);
  });

  it.each([
    ['bare', URL_WITH_SIGNATURE],
    ['in a JSON string', JSON.stringify(URL_WITH_SIGNATURE)],
    ['in an element', envelope(`<Url>${URL_WITH_SIGNATURE.replaceAll('&', '&amp;')}</Url>`)],
  ])('an address, %s, is given unchanged', async (_, text) => {
    const error = await readPdf(replyOf(text)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RepliedWithUrl);
    expect(error).toHaveProperty('url', URL_WITH_SIGNATURE);
  });
});

describe('what is not a whole PDF is never passed on', () => {
  it.each<[string, string | Buffer, string]>([
    ['nothing', '', 'empty'],
    ['an empty string', '""', 'empty'],
    ['bytes cut', PDF.subarray(0, -10), 'truncated'],
    ['base64 cut', base64.slice(0, -3), 'truncated'],
    ['base64 of a PDF that was cut', PDF.subarray(0, 60).toString('base64'), 'truncated'],
    ['base64 with other signs', `${base64.slice(0, 20)}*${base64.slice(21)}`, 'malformed base64'],
    ['hexadecimal cut', PDF.toString('hex').slice(0, -1), 'truncated'],
    ['gzip cut', gzipSync(PDF).subarray(0, -9), 'truncated'],
    ['zip cut', zipped.subarray(0, -1), 'truncated'],
    [
      'zip with two files',
      zipOf([
        { name: 'a', bytes: PDF },
        { name: 'b', bytes: PDF },
      ]),
      'several pdfs',
    ],
    ['gzip in base64 of something else', gzipSync('texto').toString('base64'), 'not a pdf'],
    ['gzip of something else', gzipSync('texto qualquer'), 'not a pdf'],
    ['a byte array of something else', '[1,2,3]', 'not a pdf'],
    ['an address of another kind', 'ftp://servidor/nota.pdf', 'not a pdf'],
    ['a path', 'file:///etc/passwd', 'not a pdf'],
    ['a document', '<nfeProc><NFe><infNFe><ide/></infNFe></NFe></nfeProc>', 'nothing recognised'],
    ['words', 'nota não encontrada', 'not a pdf'],
    ['two PDFs', envelope(`<Pdf>${base64}</Pdf><Pdf>${base64}</Pdf>`), 'several pdfs'],
  ])('%s', async (_, content, reason) => {
    expect(await misunderstood(readPdf(replyOf(content)))).toBe(reason);
  });

  it('a broken byte anywhere in a zip is an error or no harm', async () => {
    for (let at = 0; at < zipped.length; at++) {
      const broken = Buffer.from(zipped);
      broken[at] = (broken[at] ?? 0) ^ 0xff;
      const result = await readPdf(replyOf(broken)).catch((thrown: unknown) => thrown);
      if (result instanceof Error) expect(result).toBeInstanceOf(NotUnderstood);
      else expect(Buffer.from(result as Uint8Array).equals(PDF)).toBe(true);
    }
  });

  it('keeps the signature of an address out of errors', async () => {
    const text = `veja ${URL_WITH_SIGNATURE}`;
    const error = await readPdf(replyOf(text)).catch((thrown: unknown) => thrown);
    expect(JSON.stringify(error)).not.toContain('segredo');
  });

  it('a refusal is told apart', async () => {
    const text = '<ret><cStat>217</cStat><xMotivo>Nota inexistente</xMotivo></ret>';
    const error = await readPdf(replyOf(text)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Refused);
    expect(error).toMatchObject({ refusal: { code: '217', message: 'Nota inexistente' } });
  });
});

describe('download of an NFS-e', () => {
  const nfse =
    '<CompNfse><Nfse><InfNfse><Numero>7</Numero><ValoresNfse><ValorLiquidoNfse>5.00</ValorLiquidoNfse>' +
    '</ValoresNfse></InfNfse></Nfse></CompNfse>';

  it('gives XML and PDF where both came', async () => {
    const reply = replyOf(
      JSON.stringify(envelope(`<NFSe><Conteudo>${nfse}</Conteudo><Pdf>${base64}</Pdf></NFSe>`)),
    );
    const { document, pdf } = await readNfse(reply);
    expect(document?.xml).toBe(nfse);
    expect(document?.summary).toMatchObject({ kind: 'nfse', number: '7' });
    expect(pdf instanceof Uint8Array && Buffer.from(pdf).equals(PDF)).toBe(true);
  });

  it('gives the one that came', async () => {
    expect(await readNfse(replyOf(nfse))).toMatchObject({ document: { xml: nfse } });
    expect(await readNfse(replyOf(nfse))).not.toHaveProperty('pdf');
    expect(await readNfse(replyOf(PDF))).toMatchObject({ pdf: PDF, forms: ['pdf'] });
    expect(await readNfse(replyOf(JSON.stringify(base64)))).not.toHaveProperty('document');
    const text = JSON.stringify({ Xml: nfse, Url: URL_WITH_SIGNATURE });
    expect(await readNfse(replyOf(text))).toMatchObject({
      document: { xml: nfse },
      pdf: { url: URL_WITH_SIGNATURE },
    });
  });

  it.each([
    ['neither', envelope('<Outro>1</Outro>'), 'nothing recognised'],
    ['two notes', nfse + nfse.replace('>7<', '>8<'), 'several documents'],
    [
      'a broken PDF beside the XML',
      envelope(`<Conteudo>${nfse}</Conteudo><Pdf>${base64.slice(0, -1)}</Pdf>`),
      'truncated',
    ],
  ])('%s is not understood', async (_, text, reason) => {
    expect(await misunderstood(readNfse(replyOf(text)))).toBe(reason);
  });
});
