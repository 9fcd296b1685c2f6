import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  KEY as A,
  OTHER_KEY as B,
  byteByByte,
  cdata,
  escaped,
  misunderstands,
  note,
  readAccessKeys,
  readKeys,
  refuses,
  understands,
} from './reply.ts';

const CTE = '3526050X0J92JY000196570010000006041448679011';
const NATIONAL = '21113002200574753000100000000000146726037032711025';
const WRONG_DIGIT = '35170358716523000119550010000000301000000306';

function envelope(code: number, count: number, content: string): string {
  return (
    `<retChavesNfe versao="1.00"><cStat>${code}</cStat><xMotivo>Motivo</xMotivo>` +
    `<dhResp>2026-09-01T10:00:00</dhResp><Quantidade>${count}</Quantidade>${content}</retChavesNfe>`
  );
}

const found = (...keys: string[]) =>
  `<retorno>${keys.map((key) => `<ChaveNFe>${key}</ChaveNFe>`).join('')}</retorno>`;
const both = { keys: [A, B], identifiers: [], rejected: [], warnings: [] };
const inside = envelope(100, 1, found(A));
const identifier = (number: string, date: string, cnpj: string) =>
  `<NFSe><NumeroNFe>${number}</NumeroNFe><DataEmissaoNFe>${date}</DataEmissaoNFe><CNPJ>${cnpj}</CNPJ></NFSe>`;
const nfse = identifier('1021', '2026-08-30T00:00:00', '11222333000181');
const other = identifier('77', '1/9/2026', '12ABC34501DE35');

describe('a list of keys, in whatever form', () => {
  understands(readKeys, [
    [both, `${A},${B}`, `${A};\r\n${B};\r\n`, `${A}|${B}`, `  ${A}  ${B}\n`, `NFe${A} NFe${B}`],
    [both, `\ufeff${A},${B}`, gzipSync(`${A},${B}`)],
    [both, JSON.stringify(`${A};${B}`), JSON.stringify(JSON.stringify(`${A}\n${B}`)), `[ "${A}" , "${B}" ]`],
    [both, `[{"ChaveNFe":"${A}"},{"ChaveNFe":"${B}"}]`, `<string xmlns="x">${A},${B}</string>`],
    [both, `<ArrayOfstring><string>${A}</string><string>${B}</string></ArrayOfstring>`],
    [{ keys: [A] }, `<string>${escaped(inside)}</string>`, `<string>${cdata(inside)}</string>`],
    [{ keys: [A, CTE] }, envelope(100, 2, `<retorno><Item>${A}</Item><chCTe>${CTE}</chCTe></retorno>`)],
    [{ keys: [NATIONAL] }, `${NATIONAL}\n`],
    // Written as JSON numbers they keep every digit.
    [{ keys: [A], warnings: [{ code: 'duplicates' }] }, `[${A},${A}]`],
  ]);

  const identifiers = [
    { number: '1021', issue_date: '2026-08-30', issuer_cnpj: '11222333000181' },
    { number: '77', issue_date: '2026-09-01', issuer_cnpj: '12ABC34501DE35' },
  ];
  understands(readKeys, [
    [{ keys: [], identifiers, warnings: [] }, envelope(100, 2, `<retorno>${nfse}${other}</retorno>`)],
  ]);

  const remark = (code: string, values: object) => ({ warnings: [{ code, values }] });
  const rejected = (text: string, code: string) => ({ keys: [B], rejected: [{ text, problem: { code } }] });
  understands(readKeys, [
    [{ keys: [A, B], ...remark('duplicates', { count: '1' }) }, `${A},${B},${A}`],
    [{ keys: [A, B], ...remark('text_between_keys', { count: '2' }) }, `chave: ${A} e ${B}\n`],
    [{ keys: [A], ...remark('count_differs', { declared: '5', found: '1' }) }, envelope(100, 5, found(A))],
    [{ keys: [A], ...remark('odd_code', { code: '999', message: 'Motivo' }) }, envelope(999, 1, found(A))],
    [
      { ...rejected(WRONG_DIGIT, 'key_check_digit'), ...remark('keys_rejected', { count: '1' }) },
      envelope(100, 2, found(B, WRONG_DIGIT)),
    ],
    [
      { keys: [B], ...remark('keys_rejected', { count: '101' }) },
      envelope(100, 102, found(B, ...Array<string>(101).fill(WRONG_DIGIT))),
    ],
    [rejected(A.slice(0, 43), 'key_length'), `${A.slice(0, 43)},${B}`],
  ]);
});

describe('a list of keys of NF-e or CT-e', () => {
  understands(readAccessKeys, [
    [{ keys: [A, CTE] }, `${A};${CTE}`],
    [{ keys: [A] }, JSON.stringify({ value: [{ ChaveNFe: A }] })],
    [{ keys: [] }, '[]'],
  ]);
  const answersAnother = [
    envelope(100, 1, `<retorno>${nfse}</retorno>`),
    envelope(100, 2, `<retorno><ChaveNFe>${A}</ChaveNFe>${nfse}</retorno>`),
    `${A};${NATIONAL}`,
  ];
  misunderstands(readAccessKeys, { 'NFS-e instead of keys': answersAnother });
  understands(readKeys, [[{ rejected: [] }, ...answersAnother]]);
});

describe('a list of quoted texts is no list without those that are cut', () => {
  const [whole, cut] = [`<r><ChaveNFe>${A}</ChaveNFe></r>`, `<r><ChaveNFe>${B}`];
  const inEach = (name: string) => [whole, cut].map((text) => `<${name}>${escaped(text)}</${name}>`).join('');
  misunderstands(readKeys, {
    truncated: [
      ...[JSON.stringify([whole, cut]), JSON.stringify([{ Xml: whole }, { Xml: cut }])],
      ...[
        `<ArrayOfstring>${inEach('string')}</ArrayOfstring>`,
        `<ret><retorno>${inEach('Xml')}</retorno></ret>`,
      ],
    ],
  });
});

describe('an empty list comes only from an understood empty reply', () => {
  const nothing = { keys: [], identifiers: [], rejected: [] };
  understands(readKeys, [
    [{ ...nothing, warnings: [] }, '[]', '<ArrayOfstring/>', envelope(137, 0, '')],
    [{ ...nothing, warnings: [] }, envelope(100, 0, '<retorno/>'), JSON.stringify(envelope(137, 0, ''))],
    [{ ...nothing, warnings: [] }, '<ret><tpAmb>1</tpAmb><cStat>137</cStat><pagina>1</pagina></ret>'],
    [{ ...nothing, warnings: [{ code: 'empty_reply', values: {} }] }, '""', '"  "', '<string/>'],
  ]);

  misunderstands(readKeys, {
    empty: ['', ' \r\n'],
    'no key in the text': ['null', 'Nenhum documento localizado', '"Nenhum documento"', '%PDF-1.4 etc etc'],
    'nothing recognised': [
      ...['{}', '[1e43,0.35]', '<ret><cStat>100</cStat></ret>', envelope(100, 3, ''), envelope(137, 3, '')],
      envelope(100, 0, '<retorno>algo</retorno>'),
    ],
    'html page': [
      '<!DOCTYPE html><html><body>Erro</body></html>',
      ...['"<html><head></head></html>"', '<h2>Service Unavailable</h2>'],
    ],
    doctype: [
      '<?xml version="1.0"?><!DOCTYPE html PUBLIC "x" "y"><html></html>',
      '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
    ],
    truncated: [
      '<!-- c -->',
      '<?xml version="1.0"?>',
      inside.slice(0, -20),
      `"${A},`,
      `["${A}"`,
      `${A},${B.slice(0, 20)}`,
    ],
    'content after the end': [`"${A}" x`],
    malformed: [`${envelope(137, 0, '')}x`],
    'mixed json array': [`["${A}",{}]`],
    'mixed content': ['<ret>palavra<a/></ret>'],
    'no key is valid': [
      envelope(100, 1, found(WRONG_DIGIT)),
      '<ret><retorno><Capa><Chave>1</Chave></Capa><Capa><Chave>2</Chave></Capa></retorno></ret>',
    ],
    'documents instead of keys': [note(A)],
    'incomplete NFS-e identifier': [
      `<ret><retorno>${nfse.replace(/<DataEmissaoNFe>.*<\/DataEmissaoNFe>/, '')}</retorno></ret>`,
      // Neither of two in one element may be lost.
      `<ret><retorno>${(nfse + other).replace(/<\/?NFSe>/g, '')}</retorno></ret>`,
    ],
    'oversized NFS-e identifier': [
      `<ret><retorno>${identifier('9'.repeat(80), '2026-08-30', '11222333000181')}</retorno></ret>`,
    ],
  });

  it.each([
    ['', 'empty'],
    ['{}', 'json object'],
    ['[1e43]', 'json array'],
    [`"${A},`, 'text'],
    ['%PDF-1.4 etc etc', 'pdf'],
    ['"<html><head></head></html>"', 'html'],
    [envelope(100, 3, ''), 'xml <retChavesNfe>'],
  ])('%s is sketched as %s', async (text, kind) => {
    const reply = { kind, bytes: Buffer.byteLength(text) };
    await expect(readKeys(byteByByte(text))).rejects.toMatchObject({ name: 'NotUnderstood', reply });
  });
});

describe('the service says no', () => {
  refuses(readKeys, [
    [{ code: '999', message: 'Motivo' }, envelope(999, 0, '')],
    [{ code: '999', message: 'Motivo' }, envelope(999, 1, found(WRONG_DIGIT))],
    [
      { message: 'An error has occurred. Usuário inválido' },
      '{"Message":"An error has occurred.","ExceptionMessage":"Usuário inválido","StackTrace":"at X.Y()"}',
    ],
    [
      { message: 'Falha Detalhe' },
      '<Error><Message>Falha</Message><MessageDetail>Detalhe</MessageDetail></Error>',
    ],
    [{ message: 'No action was found on the controller.' }, '"No action was found on the controller."'],
    [
      { message: 'Falha' },
      '<s:Envelope xmlns:s="x"><s:Body><s:Fault><faultstring>Falha</faultstring></s:Fault></s:Body></s:Envelope>',
    ],
  ]);
});
