import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { NotUnderstood, Refused } from '../../../src/clients/errors.ts';
import { readAccessKeys, readKeys, replyOf } from './reply.ts';

const A = '35170458716523000119550010000000121000123458';
const B = '35260712ABC34501DE35550010000001231102030403';
const CTE = '3526050X0J92JY000196570010000006041448679011';
const NATIONAL = '21113002200574753000100000000000146726037032711025';
const WRONG_DIGIT = '35170358716523000119550010000000301000000306';

function envelope(code: string, count: string, content: string): string {
  return (
    `<retChavesNfe versao="1.00"><cStat>${code}</cStat><xMotivo>Motivo</xMotivo>` +
    `<dhResp>2026-09-01T10:00:00</dhResp><Quantidade>${count}</Quantidade>${content}</retChavesNfe>`
  );
}

describe('forms of a key list', () => {
  it.each([
    ['commas', `${A},${B}`],
    ['semicolons and line breaks', `${A};\r\n${B};\r\n`],
    ['pipes', `${A}|${B}`],
    ['blanks', `  ${A}  ${B}\n`],
    ['the prefix of an XML Id', `NFe${A} NFe${B}`],
  ])('bare text with %s', async (_, text) => {
    const list = await readKeys(replyOf(text));
    expect(list.keys).toEqual([A, B]);
    expect(list.warnings).toEqual([]);
  });

  it('a JSON string, and one quoted twice', async () => {
    expect(await readKeys(replyOf(JSON.stringify(`${A};${B}`)))).toMatchObject({
      keys: [A, B],
    });
    expect((await readKeys(replyOf(JSON.stringify(JSON.stringify(`${A}\n${B}`))))).keys).toEqual([A, B]);
  });

  it('a JSON array of strings, and one of records', async () => {
    expect(await readKeys(replyOf(`[ "${A}" , "${B}" ]`))).toMatchObject({
      keys: [A, B],
    });
    expect((await readKeys(replyOf(`[{"ChaveNFe":"${A}"},{"ChaveNFe":"${B}"}]`))).keys).toEqual([A, B]);
  });

  it('the string wrapper, escaped and with CDATA', async () => {
    const open = '<string xmlns="http://schemas.microsoft.com/2003/10/Serialization/">';
    const inner = envelope('100', '1', `<retorno><ChaveNFe>${A}</ChaveNFe></retorno>`);
    const escaped = inner.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    expect(await readKeys(replyOf(`${open}${escaped}</string>`))).toMatchObject({
      keys: [A],
    });
    expect((await readKeys(replyOf(`${open}<![CDATA[${inner}]]></string>`))).keys).toEqual([A]);
    expect((await readKeys(replyOf(`${open}${A},${B}</string>`))).keys).toEqual([A, B]);
  });

  it('an array of strings in XML', async () => {
    const text = `<ArrayOfstring><string>${A}</string><string>${B}</string></ArrayOfstring>`;
    expect((await readKeys(replyOf(text))).keys).toEqual([A, B]);
    expect((await readKeys(replyOf('<ArrayOfstring/>'))).keys).toEqual([]);
  });

  it('elements of any name whose whole text is a key', async () => {
    const content = `<retorno><Item>${A}</Item><chCTe>${CTE}</chCTe></retorno>`;
    expect((await readKeys(replyOf(envelope('100', '2', content)))).keys).toEqual([A, CTE]);
  });

  it('national NFS-e keys of 50 positions', async () => {
    expect((await readKeys(replyOf(`${NATIONAL}\n`))).keys).toEqual([NATIONAL]);
  });

  it('gzip and UTF-8 with a byte-order mark', async () => {
    expect(await readKeys(replyOf(gzipSync(`${A},${B}`)))).toMatchObject({
      keys: [A, B],
    });
    expect((await readKeys(replyOf(`\ufeff${A}`))).keys).toEqual([A]);
  });

  it('the identifiers of NFS-e, dates in either form', async () => {
    const entry = (number: string, date: string, cnpj: string) =>
      `<NFSe><NumeroNFe>${number}</NumeroNFe><DataEmissaoNFe>${date}</DataEmissaoNFe><CNPJ>${cnpj}</CNPJ></NFSe>`;
    const content =
      entry('1021', '2026-08-30T00:00:00', '11222333000181') + entry('77', '1/9/2026', '12ABC34501DE35');
    const list = await readKeys(replyOf(envelope('100', '2', `<retorno>${content}</retorno>`)));
    expect(list.keys).toEqual([]);
    expect(list.identifiers).toEqual([
      { number: '1021', issue_date: '2026-08-30', issuer_cnpj: '11222333000181' },
      { number: '77', issue_date: '2026-09-01', issuer_cnpj: '12ABC34501DE35' },
    ]);
    expect(list.warnings).toEqual([]);
  });
});

describe('what a key list says about itself', () => {
  it('keeps a repeated key once and says so', async () => {
    const list = await readKeys(replyOf(`${A},${B},${A}`));
    expect(list.keys).toEqual([A, B]);
    expect(list.warnings).toEqual([{ code: 'duplicates', values: { count: '1' } }]);
  });

  it('gives back a key with a wrong check digit, with the reason', async () => {
    const content = `<retorno><ChaveNFe>${A}</ChaveNFe><ChaveNFe>${WRONG_DIGIT}</ChaveNFe></retorno>`;
    const list = await readKeys(replyOf(envelope('100', '2', content)));
    expect(list.keys).toEqual([A]);
    expect(list.rejected).toEqual([
      { text: WRONG_DIGIT, problem: { code: 'key_check_digit', values: { found: '6', expected: '0' } } },
    ]);
    expect(list.warnings).toEqual([{ code: 'keys_rejected', values: { count: '1' } }]);
  });

  it('gives back a key that is too short, also in bare text', async () => {
    const list = await readKeys(replyOf(`${A.slice(0, 43)},${B}`));
    expect(list.keys).toEqual([B]);
    expect(list.rejected).toEqual([
      { text: A.slice(0, 43), problem: { code: 'key_length', values: { length: '43' } } },
    ]);
  });

  it('says when the count differs', async () => {
    const list = await readKeys(
      replyOf(envelope('100', '5', `<retorno><ChaveNFe>${A}</ChaveNFe></retorno>`)),
    );
    expect(list.warnings).toEqual([{ code: 'count_differs', values: { declared: '5', found: '1' } }]);
  });

  it('says when there is content under a code that is no success', async () => {
    const list = await readKeys(
      replyOf(envelope('999', '1', `<retorno><ChaveNFe>${A}</ChaveNFe></retorno>`)),
    );
    expect(list.keys).toEqual([A]);
    expect(list.warnings).toEqual([{ code: 'odd_code', values: { code: '999', message: 'Motivo' } }]);
  });

  it('says when there was text between the keys', async () => {
    const list = await readKeys(replyOf(`chave: ${A} e ${B}\n`));
    expect(list.keys).toEqual([A, B]);
    expect(list.warnings).toEqual([{ code: 'text_between_keys', values: { count: '2' } }]);
  });
});

describe('a list of keys of NF-e or CT-e', () => {
  const nfse =
    '<NFSe><NumeroNFe>7</NumeroNFe><DataEmissaoNFe>2026-08-30</DataEmissaoNFe><CNPJ>11222333000181</CNPJ></NFSe>';

  it('has keys only', async () => {
    expect((await readAccessKeys(replyOf(`${A};${CTE}`))).keys).toEqual([A, CTE]);
    expect((await readAccessKeys(replyOf(JSON.stringify({ value: [{ ChaveNFe: A }] })))).keys).toEqual([A]);
    expect((await readAccessKeys(replyOf('[]'))).keys).toEqual([]);
  });

  it.each([
    ['identifiers', envelope('100', '1', `<retorno>${nfse}</retorno>`)],
    ['identifiers beside keys', envelope('100', '2', `<retorno><ChaveNFe>${A}</ChaveNFe>${nfse}</retorno>`)],
    ['keys of national NFS-e', `${A};${NATIONAL}`],
  ])('that names NFS-e by %s is the answer to another question', async (_, text) => {
    const error = await readAccessKeys(replyOf(text)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotUnderstood);
    expect(error).toMatchObject({ reason: 'NFS-e instead of keys' });
    expect(await readKeys(replyOf(text))).toMatchObject({ rejected: [] });
  });
});

describe('an empty list comes only from an understood empty reply', () => {
  it.each([
    ['an empty array', '[]'],
    ['code 137 without retorno', envelope('137', '0', '')],
    ['a count of 0', envelope('100', '0', '<retorno/>')],
    ['code 137 beside other headers', '<ret><tpAmb>1</tpAmb><cStat>137</cStat><pagina>1</pagina></ret>'],
    ['code 137 without a count', '<retChavesNfe><cStat>137</cStat></retChavesNfe>'],
    ['all that in a JSON string', JSON.stringify(envelope('137', '0', ''))],
  ])('%s', async (_, text) => {
    const list = await readKeys(replyOf(text));
    expect(list.keys).toEqual([]);
    expect(list.warnings).toEqual([]);
  });

  it.each([['""'], ['"  "'], ['<string/>']])('the empty string %s, with a warning', async (text) => {
    const list = await readKeys(replyOf(text));
    expect(list.keys).toEqual([]);
    expect(list.warnings).toEqual([{ code: 'empty_reply', values: {} }]);
  });

  it.each([
    ['nothing at all', '', 'empty', 'empty'],
    ['blanks', ' \r\n', 'empty', 'empty'],
    ['null', 'null', 'no key in the text', 'text'],
    ['an empty object', '{}', 'nothing recognised', 'json object'],
    ['words', 'Nenhum documento localizado', 'no key in the text', 'text'],
    ['words in JSON', '"Nenhum documento"', 'no key in the text', 'text'],
    ['a count without content', envelope('100', '3', ''), 'nothing recognised', 'xml <retChavesNfe>'],
    ['code 137 with a count', envelope('137', '3', ''), 'nothing recognised', 'xml <retChavesNfe>'],
    ['a success without a count', '<ret><cStat>100</cStat></ret>', 'nothing recognised', 'xml <ret>'],
    [
      'unknown content',
      envelope('100', '0', '<retorno>algo</retorno>'),
      'nothing recognised',
      'xml <retChavesNfe>',
    ],
    ['an HTML page', '<!DOCTYPE html><html><body>Erro</body></html>', 'html page', 'html'],
    ['an HTML page in JSON', '"<html><head></head></html>"', 'html page', 'html'],
    ['a fragment of HTML', '<h2>Service Unavailable</h2>', 'html page', 'html'],
    ['XHTML', '<?xml version="1.0"?><!DOCTYPE html PUBLIC "x" "y"><html></html>', 'doctype', 'html'],
    ['a DOCTYPE', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 'doctype', 'xml'],
    ['numbers that no double holds', '[1e43,0.35]', 'nothing recognised', 'json array'],
    ['a PDF', '%PDF-1.4 etc etc etc', 'no key in the text', 'pdf'],
    ['XML cut', envelope('100', '1', '<retorno>').slice(0, -20), 'truncated', 'xml <retChavesNfe>'],
    ['a JSON string cut', `"${A},`, 'truncated', 'text'],
    ['a JSON array cut', `["${A}"`, 'truncated', 'text'],
    ['bare text cut', `${A},${B.slice(0, 20)}`, 'truncated', 'text'],
    ['text after the JSON string', `"${A}" x`, 'content after the end', 'text'],
    ['text after the XML', `${envelope('137', '0', '')}x`, 'malformed', 'xml <retChavesNfe>'],
    ['a mixed array', `["${A}",{}]`, 'mixed json array', 'text'],
    ['text beside elements', '<ret>palavra<a/></ret>', 'mixed content', 'xml <ret>'],
    [
      'a list of which nothing is a key',
      envelope('100', '1', `<retorno><ChaveNFe>${WRONG_DIGIT}</ChaveNFe></retorno>`),
      'no key is valid',
      'xml <retChavesNfe>',
    ],
    [
      'a list of something else',
      '<ret><retorno><Capa><Chave>1</Chave></Capa><Capa><Chave>2</Chave></Capa></retorno></ret>',
      'no key is valid',
      'xml <ret>',
    ],
    ['documents', `<nfeProc><NFe><infNFe/></NFe></nfeProc>`, 'documents instead of keys', 'xml <nfeProc>'],
    [
      'an identifier without its date',
      '<ret><retorno><NFSe><NumeroNFe>1</NumeroNFe><CNPJ>11222333000181</CNPJ></NFSe></retorno></ret>',
      'incomplete NFS-e identifier',
      'xml <ret>',
    ],
  ])('%s is not understood', async (_, text, reason, kind) => {
    const error = await readKeys(replyOf(text)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotUnderstood);
    expect(error).toMatchObject({ reason, reply: { kind, bytes: Buffer.byteLength(text) } });
  });
});

it('a refusal is one, although what stands beside it is no key', async () => {
  const text = envelope('999', '1', `<retorno><ChaveNFe>${WRONG_DIGIT}</ChaveNFe></retorno>`);
  await expect(readKeys(replyOf(text))).rejects.toBeInstanceOf(Refused);
});

it('keys that a service writes as JSON numbers keep every digit', async () => {
  const digits = /^[1-9]\d{43}$/;
  expect(A).toMatch(digits);
  expect((await readKeys(replyOf(`[${A},${A}]`))).keys).toEqual([A]);
});

describe('the service says no', () => {
  it.each([
    ['an envelope without content', envelope('999', '0', ''), { code: '999', message: 'Motivo' }],
    [
      'an error of ASP.NET',
      '{"Message":"An error has occurred.","ExceptionMessage":"Usuário inválido","StackTrace":"at X.Y()"}',
      { message: 'An error has occurred. Usuário inválido' },
    ],
    [
      'an error of ASP.NET in XML',
      '<Error><Message>Falha</Message><MessageDetail>Detalhe</MessageDetail></Error>',
      { message: 'Falha Detalhe' },
    ],
    [
      'wrong parameters',
      '"No action was found on the controller that matches the request."',
      { message: 'No action was found on the controller that matches the request.' },
    ],
    [
      'a SOAP fault',
      '<s:Envelope xmlns:s="x"><s:Body><s:Fault><faultstring>Falha</faultstring></s:Fault></s:Body></s:Envelope>',
      { message: 'Falha' },
    ],
  ])('%s', async (_, text, refusal) => {
    const error = await readKeys(replyOf(text)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Refused);
    expect(error).toMatchObject({ refusal });
  });
});
