import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkAccessKey,
  checkNationalNfseKey,
  completeAccessKey,
  isNumbered,
  normalizeKey,
} from '../../src/documents/identity/keys.ts';
import { checkCnpj, checkCpf, checkTaxId, modulo11 } from '../../src/documents/identity/tax-ids.ts';
import { keyFromId } from '../../src/documents/layouts/common-parts.ts';

// Source of the vectors: docs/fiscal/keys.md.
const letters = '35260712ABC34501DE35550010000001231102030403';
const sound = { warnings: [] };
const issuer = (found?: string) => ({
  warnings: [{ code: 'key_issuer', ...(found && { values: { found } }) }],
});

describe('access keys', () => {
  it.each<[key: string, more?: object]>([
    ['35170458716523000119550010000000121000123458'],
    ['52060433009911002506550120000007800267301615'],
    ['52060412ABC34501DE35550120000007801267301610'],
    [letters],
    [
      '3526050X0J92JY000196570010000006041448679011',
      {
        value: {
          state: 'SP',
          month: '2026-05',
          issuer: { type: 'cnpj', id: '0X0J92JY000196' },
          model: '57',
          kind: 'cte',
          series: '1',
          number: '604',
        },
      },
    ],
    ['35210258716523000119550000000573661346317847', { value: { series: '0', number: '57366' } }],
    ['31260655555555555555558900999999991888888880', issuer('55555555555555')],
    [
      '35170400099999999999550010000000121000123459',
      { value: { issuer: { type: 'cpf', id: '99999999999' } }, ...issuer() },
    ],
    ['35260812ABC34501DE35570020000045671876543212'],
    ['432611ZZZZZZZZZZZZ62558909999999991135724683'],
  ])('%s is one, completed by its check digit', (key, more = {}) => {
    expect(checkAccessKey(key)).toMatchObject({ ok: true, value: { key } });
    expect(checkAccessKey(key)).toMatchObject(more);
    expect(completeAccessKey(key.slice(0, 43))).toBe(key);
  });

  it.each([
    [
      '35170358716523000119550010000000301000000306',
      { code: 'key_check_digit', values: { found: '6', expected: '0' } },
    ],
    ['35260712ABC34501DEA5550010000001231102030408', { code: 'key_form' }],
    ['190806ABCDEF12345655001000057913194346389000', { code: 'key_state', values: { found: '19' } }],
    ['3517045871652300011955001000000012100012345', { code: 'key_length', values: { length: '43' } }],
    ['35171358716523000119550010000000121000123458', { code: 'key_month' }],
    ['', { code: 'key_length', values: { length: '0' } }],
    [
      '35170458716523000119990010000000121000123459',
      { code: expect.stringMatching(/^key_(model|check_digit)$/) },
    ],
  ])('%s is none', (key, problem) => {
    expect(checkAccessKey(key)).toMatchObject({ ok: false, problem });
  });

  it.each(['NFe', 'NFCe', 'CTe', 'CTeOS', 'nfe '])('with the prefix %s of an Id are the same', (prefix) => {
    expect(normalizeKey(prefix + letters)).toBe(letters);
    expect(keyFromId(prefix.trim() + letters)).toBe(letters);
  });

  it('may be typed with blanks and in small letters', () => {
    expect(normalizeKey(letters.toLowerCase().replace(/(.{4})/g, '$1 '))).toBe(letters);
  });
});

describe('national NFS-e keys', () => {
  const key = '21113002200574753000100000000000146726037032711025';
  const rest = '258716523000119000000000001226011357924683';
  /** A key with these 49 positions and the check digit by the rule below. */
  const completed = (first49: string) =>
    first49 +
    byWeights(
      first49,
      Array.from({ length: 49 }, (_, i) => 2 + ((48 - i) % 8)),
    );

  it.each<[written: string, checked: object]>([
    [key, { ok: true, value: { key }, ...sound }],
    ['43149022226263261000198000000000000225120787292537', { ok: true, ...sound }],
    ['31367021210750188000149000000056753126080574690044', { ok: true, ...sound }],
    ['35503082258716523000119000000000001226011357924683', { ok: true, ...sound }],
    ['35503082212ABC34501DE35000000000001226091357924682', { ok: true, ...sound }],
    // With a CPF; with a mask or the prefix of the Id.
    [
      '43149021100040364478829000000000105725120484407255',
      {
        value: {
          city: '4314902',
          state: 'RS',
          issuer: { type: 'cpf', id: '40364478829' },
          number: '1057',
          month: '2025-12',
        },
      },
    ],
    [
      ` nfs${key.slice(0, 10)} ${key.slice(10)}`,
      { value: { key, city: '2111300', state: 'MA', issuer: { type: 'cnpj', id: '00574753000100' } } },
    ],
    // They begin with a city of a state, and contain the kind of tax id.
    [`99503082${rest}`, { problem: { code: 'key_state', values: { found: '99' } } }],
    [`35503082${rest.replace(/^2/, '3')}`, { problem: { code: 'nfse_key_form' } }],
    [
      `35503082${rest.replace('122601', '122613')}`,
      { problem: { code: 'key_month', values: { found: '2613' } } },
    ],
    [`355030A2${rest}`, { problem: { code: 'nfse_key_form' } }],
    // A wrong check digit is refused; with letters it is a warning.
    ['31062001251235800000112230000000173023019580208160', { ok: false }],
    [
      '35503082212ABC34501DE35000000000001226091357924683',
      { ok: true, warnings: [{ code: 'key_check_digit', values: { found: '3', expected: '2' } }] },
    ],
    ['123', { problem: { code: 'nfse_key_length' } }],
  ])('%s', (written, checked) => {
    expect(checkNationalNfseKey(written)).toMatchObject(checked);
  });

  it.each([
    ['3550308221122233300018200000000000122601135792468', '11222333000182'],
    ['3550308210005299822472600000000000122601135792468', '52998224726'],
    // Not padded with zeros, so it is no CPF.
    ['3550308211235299822472500000000000122601135792468', '52998224725'],
  ])('with a tax id in them that does not check are one, with a remark: %s', (first49, id) => {
    const checked = { ok: true, value: { issuer: { id }, number: '12' }, ...issuer(id) };
    expect(checkNationalNfseKey(completed(first49))).toMatchObject(checked);
  });
});

describe('tax ids', () => {
  it.each([
    ...['12ABC34501DE35', '12ABC345000188', '0X0J92JY000196', 'B9J5LWB1000111', 'CCHVZLWP000198'],
    ...['9WHE64G2000170', 'ZZZZZZZZZZZZ62', '11222333000181', '58716523000119', '00000000000191'],
    ...['11.222.333/0001-81', '12.abc.345/01de-35'],
  ])('CNPJ %s is one', (cnpj) => {
    expect(checkCnpj(cnpj).ok).toBe(true);
  });

  it.each([
    ['12ABC34501DE36', 'cnpj_check_digits'],
    ['00000000000000', 'cnpj_repeated'],
    ['11111111111111', 'cnpj_repeated'],
    ['12ABC34501DEA5', 'cnpj_form'],
    ['1122233300018', 'cnpj_length'],
  ])('CNPJ %s is none', (cnpj, code) => {
    expect(checkCnpj(cnpj)).toMatchObject({ ok: false, problem: { code } });
  });

  it.each(['52998224725', '39053344705', '11144477735', '12345678909', '529.982.247-25'])(
    'CPF %s is one',
    (cpf) => {
      expect(checkCpf(cpf).ok).toBe(true);
    },
  );

  it.each([
    ['12345678900', 'cpf_check_digits'],
    ['11111111111', 'cpf_repeated'],
    ['5299822472A', 'cpf_form'],
    ['529982247250', 'cpf_form'],
  ])('CPF %s is none', (cpf, code) => {
    expect(checkCpf(cpf)).toMatchObject({ ok: false, problem: { code } });
  });

  it('are distinguished by length', () => {
    expect(checkTaxId('52998224725')).toMatchObject({ value: { type: 'cpf' } });
    expect(checkTaxId('11222333000181')).toMatchObject({ value: { type: 'cnpj' } });
  });
});

/** The rule reimplemented from its wording: explicit weights from the left, a table of values. */
function byWeights(text: string, weights: readonly number[]): string {
  const alphabet = '0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const sum = [...text].reduce(
    (total, character, i) => total + alphabet.indexOf(character) * (weights[i] ?? 0),
    0,
  );
  const digit = 11 - (sum % 11);
  return digit >= 10 ? '0' : String(digit);
}

const down = (from: number, count: number) => Array.from({ length: count }, (_, i) => from - i);
it.each<[what: string, text: RegExp, weights: readonly number[], largest?: number]>([
  ['a CNPJ, the first', /^[0-9A-Z]{12}$/, [...down(5, 4), ...down(9, 8)]],
  ['a CNPJ, the second', /^[0-9A-Z]{13}$/, [...down(6, 5), ...down(9, 8)]],
  ['a key', /^[0-9A-Z]{43}$/, [...down(4, 3), ...Array.from({ length: 5 }, () => down(9, 8)).flat()]],
  ['a CPF, the first', /^[0-9]{9}$/, down(10, 9), 11],
  ['a CPF, the second', /^[0-9]{10}$/, down(11, 10), 11],
])('the check digit of %s, is that of the rule written a second time', (_, text, weights, largest) => {
  const written = fc.stringMatching(text);
  fc.assert(fc.property(written, (base) => modulo11(base, largest) === byWeights(base, weights)));
});

it.each<[found: string | undefined, asked: string, isAsked: boolean]>([
  ['45', '45', true],
  ['000045', '45', true],
  ['202600000045', '45', true],
  ['45', '202600000045', true],
  [undefined, '45', true],
  ['46', '45', false],
  // A receipt without a number yet.
  ['000', '45', false],
  ['000', '40', false],
])('the number %s of an NFS-e answers a question about %s: %s', (found, asked, isAsked) => {
  expect(isNumbered(found, asked)).toBe(isAsked);
});
