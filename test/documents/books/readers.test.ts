import { describe, expect, it } from 'vitest';
import { type Book, BookError } from '../../../src/documents/books/book.ts';
import { readSharedStrings, readSheet, readTable } from '../../../src/documents/books/table.ts';
import { bookKey, c100, efd, readBook } from '../../support/books.ts';
import { ourCompany } from '../../support/filed-documents.ts';

const codes = ({ notes }: Book) => notes.map(({ code }) => code);
const letters = '12ABC34501DE35';

function problemOf(content: string | Uint8Array): string {
  try {
    readBook(content);
    return 'none';
  } catch (error) {
    return error instanceof BookError ? error.problem : String(error);
  }
}

describe('the kind of a file, by its content', () => {
  it.each([
    ['empty', ''],
    ['empty', '\u00EF\u00BB\u00BF\r\n'],
    ['ecd_or_ecf', '|0000|LECD|01012026|31122026|EMPRESA|\r\n'],
    ['ecd_or_ecf', '|0000|LECF|0010|48152036000117|\r\n'],
    ['efd_without_opening', '|C100|0|1|F1|55|00|\r\n'],
    ['not_a_book', '|0000|020|0|janeiro|fevereiro|\r\n'],
    ['not_a_book', '%PDF-1.7\n'],
    ['not_a_book', 'bom dia\n'],
    ['not_a_book', '{"a":1}'],
    ['page', '<html></html>'],
    ['status_answer', '{"estado":"CONCLUIDA","urlAssinada":"https://x"}'],
    ['json_broken', '{"ni":"48152036","apuracao":[{"pa":'],
    ['both_shapes', '{"apuracao":[],"apuracaoCorrente":null}'],
    ['no_columns', 'Produto;Cor\nParafuso;Azul\n'],
  ])('%s: %j', (problem, content) => {
    expect(problemOf(content)).toBe(problem);
  });

  it.each([
    ['spreadsheet_too_old', [0xd0, 0xcf, 0x11, 0xe0, 0xa1]],
    ['signed_or_packed', [0x1f, 0x8b, 8, 0]],
    ['signed_or_packed', [0x30, 0x80, 6, 9]],
    ['not_a_book', [0x89, 0x50, 0x4e, 0x47, 0]],
  ])('%s: %j', (problem, bytes) => {
    expect(problemOf(Uint8Array.from(bytes))).toBe(problem);
  });

  it('encoding: SPED in UTF-16', () => {
    expect(problemOf(Buffer.from(`\ufeff${efd([])}`, 'utf16le'))).toBe('encoding');
  });
});

describe('a SPED file', () => {
  const text = efd([c100({ number: 1 }), c100({ number: 2, issuer: letters, participant: 'F9' })]);

  it('is the same in pieces of every size, with line feeds alone and with a mark', () => {
    const whole = readBook(text);
    expect(whole).toMatchObject({ kind: 'efd_icms_ipi', layout: '020', company: ourCompany, isWhole: true });
    expect(whole.entries).toHaveLength(2);
    for (const piece of [1, 2, 7, 64, 1000]) expect(readBook(text, piece)).toEqual(whole);
    expect(readBook(text.replaceAll('\r', ''), 5)).toEqual(whole);
    expect(readBook(`\u00EF\u00BB\u00BF${text}`, 3)).toEqual(whole);
  });

  it('gives keys of letters, amounts as decimals and days', () => {
    expect(readBook(text).entries[1]).toMatchObject({
      key: bookKey({ number: 2, issuer: letters }),
      direction: 'inbound',
      day: '2026-10-05',
      total: '100.00',
      cfops: ['1102', '100.00'],
    });
    const odd = readBook(efd([c100({ number: 1, total: '10000', icms: '0,5' })]));
    expect(odd.entries[0]).toMatchObject({ total: '10000.00', icms: '0.50' });
  });

  it.each([
    ['windows-1252', Buffer.from('A\u00C7O \u0096 LTDA', 'latin1'), 'AÇO – LTDA'],
    ['UTF-8', Buffer.from('AÇO – LTDA'), 'AÇO – LTDA'],
  ])('has names in %s', (_, name, expected) => {
    const [before = '', after = ''] = efd([c100({ number: 2, issuer: letters })]).split('FORNECEDOR');
    const bytes = Buffer.concat([Buffer.from(before), name, Buffer.from(after)]);
    expect(readBook(bytes).entries[0]?.issuer_name).toBe(expected);
  });

  it('ends at its closing record, whatever a signature holds', () => {
    const signed = `${text}SBRCAAEPDR0\x80\x06\x09|C100|1|0|X|55|00|1|9|\r\n`;
    for (const piece of [1, 50, 10_000]) {
      const book = readBook(signed, piece);
      expect([book.entries.length, book.isWhole, codes(book)]).toEqual([2, true, ['no_real_file', 'signed']]);
    }
  });

  it('is not whole where it is cut, has other lines than it says, or lines that are none', () => {
    const cut = readBook(text.slice(0, text.lastIndexOf('|C190|') + 20));
    expect([cut.isWhole, codes(cut).includes('truncated')]).toEqual([false, true]);
    const less = readBook(text.replace(/\|C190.*\r\n/, ''));
    expect([less.isWhole, codes(less).includes('lines_differ')]).toEqual([false, true]);
    const broken = readBook(
      efd([c100({ number: 1 }), '# comment', '|C100|0|0|55|00|1|', c100({ number: 2, total: '1.000,00' })]),
    );
    expect([broken.isWhole, broken.entries.length]).toEqual([false, 1]);
    expect(broken.notes.find(({ code }) => code === 'unread_lines')?.values).toEqual({
      count: 3,
      lines: '6, 7, 8',
    });
    expect([...broken.notCompared]).toEqual([['unread_line', 3]]);
  });

  it.each([
    ['012', []],
    ['020', ['no_real_file']],
    ['022', ['unknown_layout']],
    ['x', ['unknown_layout']],
  ])('says how well layout %s is known', (layout, expected) => {
    expect(codes(readBook(efd([], { layout })))).toEqual(expected);
  });

  it('of layout 021 is only partly verified', () => {
    expect(codes(readBook(efd([], { layout: '021' })))).toEqual(['no_real_file', 'partly_verified']);
  });
});

describe('an assessment', () => {
  const key = bookKey({ number: 1 });
  const file = (group: string, more = '') => readBook(`{"ni":"48.152.036",${more}"apuracao":[${group}]}`);
  const record = `{"origem":0,"documento":55,"chave":"${key}","cbs":{"apurado":40.15}}`;

  it('keeps the digits of keys and amounts that are written as numbers', () => {
    const { entries, company } = file(
      `{"pa":"10/2026","debitos":[{"origem":"0","chave":${key},"cbs":{"apurado":0.1}}]}`,
    );
    expect([company, entries[0]?.key, entries[0]?.cbs]).toEqual(['48152036', key, '0.10']);
  });

  it('names unknown fields and leaves them out of sums', () => {
    const book = file(
      `{"debitos":[{"origem":99,"novo":1,"chave":"${key}","cbs":{"apurado":1}}],"pa":"10/2026"},{"pa":"2026-10","debitos":[${record}]},{"pa":"13/2026","debitos":[${record},${record}]}`,
      '"campo":{},',
    );
    expect(book.entries).toHaveLength(1);
    expect(book.notes.filter(({ values }) => values).map(({ code, values }) => [code, values])).toEqual([
      ['unread_periods', { count: 2 }],
      ['unknown_fields', { names: 'campo, novo' }],
      ['unknown_origins', { names: '99' }],
    ]);
    expect([...book.notCompared]).toEqual([['unread_period', 3]]);
  });

  it('takes moments for those of Brasília', () => {
    const day = (emissao: string) =>
      file(`{"pa":"10/2026","debitos":[{"chave":"${key}","emissao":"${emissao}","cbs":{}}]}`).entries[0]?.day;
    expect(day('2026-11-01T02:30:00Z')).toBe('2026-10-31');
    expect(day('2026-11-01T00:30:00')).toBe('2026-11-01');
    expect(day('2026-10-31T23:30:00.123456789-03:00')).toBe('2026-10-31');
    expect(day('')).toBeUndefined();
  });

  it('of v1 distinguishes debits from credits by the issuer', () => {
    const item = (issuer: string, buyer: string) =>
      `{"chaveDfe":"${key}","dataApuracao":"202604","niEmitente":"${issuer}","niAdquirente":"${buyer}","valorCBSTotal":90.0,"valorCBSNaoExtinto":50.0}`;
    const items = [item(ourCompany, '66777888000100'), item('11222333000181', ourCompany)];
    const book = readBook(`{"apuracaoCorrente":{"debitos":[${items}]},"apuracaoAjuste":null}`);
    expect([book.layout, book.company]).toEqual(['v1', '48152036']);
    expect(
      book.entries.map(({ record: list, month, cbs, credit }) => [list, month, cbs, credit?.open]),
    ).toEqual([
      ['debitos', '2026-04', '90.00', undefined],
      ['creditos', '2026-04', '90.00', '50.00'],
    ]);
  });
});

describe('a table', () => {
  const table = (text: string) => readBook(text).entries[0];

  it.each([
    ['N\u00BA NF;CNPJ;Valor Total\n7;11.222.333/0001-81;R$ 1.234,56', '1234.56'],
    ['numero,issuer,total\n7,11222333000181,1234.56', '1234.56'],
    ['numero\tcnpj\tvalor\n7\t11222333000181\t"1.234,5"', '1234.50'],
    ['Relat\u00F3rio;;\n\nNumero;CNPJ;Valor\n000.007;11222333000181;1.234', '1234.00'],
    ['Numero;CNPJ;Valor\n7;11222333000181;(1.234,56)', '-1234.56'],
    ['Numero;CNPJ;Valor\n7;11222333000181;R$ 1.234,56-', '-1234.56'],
    ['numero;issuer;total\n7;11222333000181;"1,234"\n8;11222333000181;5.10', '1234.00'],
  ])('%j', (text, total) => {
    expect(table(text)).toMatchObject({ number: '7', issuer: '11222333000181', total });
  });

  it.each([
    ['"Aço ""Forte""; Ltda"', 'Aço "Forte"; Ltda', true],
    ['="Aço ""Forte"" 007"', 'Aço "Forte" 007', true],
    ['"Aço ""Forte; Ltda', 'Aço "Forte; Ltda', false],
    [`"${'""'.repeat(2_000_000)}`, `${'"'.repeat(119)}…`, false],
  ])('unquotes cells, and is cut if a quotation mark is missing: %.40s', (cell, name, isWhole) => {
    const book = readBook(`numero;fornecedor\n7;${cell}`);
    expect([book.entries[0]?.issuer_name, book.isWhole]).toEqual([name, isWhole]);
  });

  it('says which values it could not read, not only that nothing differs', () => {
    const rows = [
      ['Numero', 'Valor', 'Emissão', 'ICMS'],
      ['7', '1.234,56 C', '2026-10-05', '-'],
      ['8', '10,00', 'outubro', ''],
      ['9', '11,00', '05/10/2026', '#REF!'],
    ];
    const book = readTable(rows, { layout: 'csv', company: ourCompany, columns: {}, isCut: false });
    expect(book.notes).toContainEqual({ code: 'unread_values', values: { count: 3, lines: '2, 3, 4' } });
    expect([...book.notCompared]).toEqual([['unread_value', 3]]);
  });

  it('gives zeros back to tax ids and keeps letters', () => {
    expect(table('numero;cnpj\n1;191')?.issuer).toBe('00000000000191');
    expect(table('numero;cnpj\n1;12.ABC.345/01DE-35')?.issuer).toBe(letters);
  });

  it('is read as the call says where headings do not', () => {
    const rows = [
      ['A', 'B', 'C'],
      ['7', '10,00', 'x'],
      ['Total', '10,00', ''],
    ];
    const read = (columns: Readonly<Record<string, string>>) =>
      readTable(rows, { layout: 'csv', company: ourCompany, columns, isCut: false });
    const book = read({ A: 'number', B: 'total' });
    expect(book.entries).toMatchObject([{ number: '7', total: '10.00', line: 2 }]);
    expect(book.columns).toEqual({ number: 'A', total: 'B' });
    expect(codes(book)).toEqual(['columns', 'dropped_rows']);
    expect(() => read({})).toThrow(BookError);
  });

  it('of a spreadsheet has cells in place, shared texts, numbers and days', () => {
    const shared = readSharedStrings(
      '<sst><si><t>Chave</t></si><si><r><t>Núme</t></r><r><t>ro</t></r></si><si><t>Emissão</t></si><si><t>Valor</t><rPh><t>x</t></rPh></si></sst>',
    );
    const cell = (at: string, value: string, type = '') =>
      `<c r="${at}"${type && ` t="${type}"`}><v>${value}</v></c>`;
    const heading = [0, 1, 2, 3].map((text, at) => cell(`${'ABCE'[at]}1`, String(text), 's')).join('');
    const row = `${cell('A3', '3.5261048152036E+43')}${cell('B3', '7')}${cell('C3', '46300')}${cell('E3', '581.54999999999995')}`;
    const rows = readSheet(
      `<worksheet><sheetData><row r="1">${heading}</row><row r="3">${row}</row></sheetData></worksheet>`,
      shared,
    );
    const book = readTable(rows, { layout: 'xlsx', company: ourCompany, columns: {}, isCut: false });
    expect(book.entries).toMatchObject([{ line: 3, number: '7', day: '2026-10-05', total: '581.55' }]);
    expect(book.entries[0]?.key).toBeUndefined();
    expect(codes(book)).toEqual(['columns', 'ruined_keys', 'dropped_rows']);
  });
});
