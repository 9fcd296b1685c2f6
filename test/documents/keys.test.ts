import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkAccessKey,
  checkNationalNfseKey,
  completeAccessKey,
  normalizeKey,
} from '../../src/documents/identity/keys.ts';
import {
  checkCnpj,
  checkCpf,
  checkTaxId,
  modulo11,
  modulo11Growing,
} from '../../src/documents/identity/tax-ids.ts';
import { keyFromId } from '../../src/documents/layouts/common-parts.ts';

// Source of the vectors: docs/fiscal/keys.md.
const validKeys = [
  '35170458716523000119550010000000121000123458',
  '52060433009911002506550120000007800267301615',
  '52060412ABC34501DE35550120000007801267301610',
  '35260712ABC34501DE35550010000001231102030403',
  '3526050X0J92JY000196570010000006041448679011',
  '35210258716523000119550000000573661346317847',
  '31260655555555555555558900999999991888888880',
  '35170400099999999999550010000000121000123459',
  '35260812ABC34501DE35570020000045671876543212',
  '432611ZZZZZZZZZZZZ62558909999999991135724683',
];

describe('access keys', () => {
  it.each(['NFe', 'NFCe', 'CTe', 'CTeOS', 'nfe '])(
    'with the prefix %s of an Id is the same key',
    (prefix) => {
      const [key = ''] = validKeys;
      expect(normalizeKey(prefix + key)).toBe(key);
      expect(keyFromId(prefix.trim() + key)).toBe(key);
    },
  );

  it.each(validKeys)('%s is one', (key) => {
    expect(checkAccessKey(key)).toMatchObject({ ok: true, value: { key } });
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

  it('are taken apart', () => {
    expect(checkAccessKey('3526050X0J92JY000196570010000006041448679011')).toMatchObject({
      value: {
        state: 'SP',
        month: '2026-05',
        issuer: { type: 'cnpj', id: '0X0J92JY000196' },
        model: '57',
        kind: 'cte',
        series: '1',
        number: '604',
        emission: '1',
      },
    });
    expect(checkAccessKey('35210258716523000119550000000573661346317847')).toMatchObject({
      value: { series: '0', number: '57366' },
    });
  });

  it('warn of a tax id inside that does not check', () => {
    expect(checkAccessKey('31260655555555555555558900999999991888888880')).toMatchObject({
      warnings: [{ code: 'key_issuer', values: { found: '55555555555555' } }],
    });
    expect(checkAccessKey('35170400099999999999550010000000121000123459')).toMatchObject({
      value: { issuer: { type: 'cpf', id: '99999999999' } },
      warnings: [{ code: 'key_issuer' }],
    });
  });

  it('may be typed with blanks, dots, prefix and in small letters', () => {
    const key = '35260712ABC34501DE35550010000001231102030403';
    expect(normalizeKey(`NFe${key}`)).toBe(key);
    expect(normalizeKey(key.toLowerCase().replace(/(.{4})/g, '$1 '))).toBe(key);
  });

  it('are completed by their check digit', () => {
    for (const key of validKeys) expect(completeAccessKey(key.slice(0, 43))).toBe(key);
  });
});

describe('national NFS-e keys', () => {
  it.each([
    '21113002200574753000100000000000146726037032711025',
    '43149022226263261000198000000000000225120787292537',
    '31367021210750188000149000000056753126080574690044',
    '35503082258716523000119000000000001226011357924683',
    '35503082212ABC34501DE35000000000001226091357924682',
  ])('%s is one', (key) => {
    expect(checkNationalNfseKey(key)).toMatchObject({ ok: true, value: { key }, warnings: [] });
  });

  it('are taken apart, with a CPF too', () => {
    expect(checkNationalNfseKey('43149021100040364478829000000000105725120484407255')).toMatchObject({
      value: {
        city: '4314902',
        state: 'RS',
        issuer: { type: 'cpf', id: '40364478829' },
        number: '1057',
        month: '2025-12',
      },
    });
  });

  /** A key of these 49 positions, its check digit by the rule as written below. */
  const completed = (first49: string) =>
    first49 +
    byWeights(
      first49,
      Array.from({ length: 49 }, (_, i) => 2 + ((48 - i) % 8)),
    );

  it('with a mask or the prefix of the Id are the same', () => {
    const key = '21113002200574753000100000000000146726037032711025';
    expect(checkNationalNfseKey(` nfs${key.slice(0, 10)} ${key.slice(10)}`)).toMatchObject({
      value: { key, city: '2111300', state: 'MA', issuer: { type: 'cnpj', id: '00574753000100' } },
    });
  });

  it('begin with a city of a state, and name the kind of tax id', () => {
    const rest = '258716523000119000000000001226011357924683';
    expect(checkNationalNfseKey(`99503082${rest}`)).toMatchObject({
      problem: { code: 'key_state', values: { found: '99' } },
    });
    expect(checkNationalNfseKey(`35503082${rest.replace(/^2/, '3')}`)).toMatchObject({
      problem: { code: 'nfse_key_form' },
    });
    expect(checkNationalNfseKey(`35503082${rest.replace('122601', '122613')}`)).toMatchObject({
      problem: { code: 'key_month', values: { found: '2613' } },
    });
    expect(checkNationalNfseKey(`355030A2${rest}`)).toMatchObject({ problem: { code: 'nfse_key_form' } });
  });

  it.each([
    ['3550308221122233300018200000000000122601135792468', '11222333000182'],
    ['3550308210005299822472600000000000122601135792468', '52998224726'],
    // Not filled with zeros, so that it is no CPF.
    ['3550308211235299822472500000000000122601135792468', '52998224725'],
  ])('with a tax id in them that does not check are one, with a remark: %s', (first49, id) => {
    const checked = checkNationalNfseKey(completed(first49));
    expect(checked).toMatchObject({
      ok: true,
      value: { issuer: { id }, number: '12' },
      warnings: [{ code: 'key_issuer', values: { found: id } }],
    });
  });

  it('with a wrong check digit are refused; with letters it is a remark', () => {
    expect(checkNationalNfseKey('31062001251235800000112230000000173023019580208160')).toMatchObject({
      ok: false,
    });
    expect(checkNationalNfseKey('35503082212ABC34501DE35000000000001226091357924683')).toMatchObject({
      ok: true,
      warnings: [{ code: 'key_check_digit', values: { found: '3', expected: '2' } }],
    });
    expect(checkNationalNfseKey('123')).toMatchObject({ problem: { code: 'nfse_key_length' } });
  });
});

describe('tax ids', () => {
  it.each([
    '12ABC34501DE35',
    '12ABC345000188',
    '0X0J92JY000196',
    'B9J5LWB1000111',
    'CCHVZLWP000198',
    '9WHE64G2000170',
    'ZZZZZZZZZZZZ62',
    '11222333000181',
    '58716523000119',
    '00000000000191',
    '11.222.333/0001-81',
    '12.abc.345/01de-35',
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

  it('are told apart by length', () => {
    expect(checkTaxId('52998224725')).toMatchObject({ value: { type: 'cpf' } });
    expect(checkTaxId('11222333000181')).toMatchObject({ value: { type: 'cnpj' } });
  });
});

/** The rule once more, from its wording: explicit weights from the left, a table of values. */
function byWeights(text: string, weights: readonly number[]): string {
  const alphabet = '0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const sum = [...text].reduce(
    (total, character, i) => total + alphabet.indexOf(character) * (weights[i] ?? 0),
    0,
  );
  const digit = 11 - (sum % 11);
  return digit >= 10 ? '0' : String(digit);
}

describe('check digits against the rule written a second time', () => {
  const alphanumeric = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ');

  it('of CNPJ', () => {
    fc.assert(
      fc.property(fc.array(alphanumeric, { minLength: 12, maxLength: 12 }), (characters) => {
        const base = characters.join('');
        const first = byWeights(base, [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]);
        const second = byWeights(base + first, [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]);
        expect(modulo11(base)).toBe(first);
        const repeated = new Set(base + first + second).size === 1;
        expect(checkCnpj(base + first + second).ok).toBe(!repeated);
      }),
    );
  });

  it('of keys', () => {
    const weights = Array.from({ length: 43 }, (_, i) => 2 + ((42 - i) % 8));
    fc.assert(
      fc.property(fc.array(alphanumeric, { minLength: 43, maxLength: 43 }), (characters) => {
        expect(modulo11(characters.join(''))).toBe(byWeights(characters.join(''), weights));
      }),
    );
  });

  it('of CPF', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{9}$/), (base) => {
        const first = byWeights(base, [10, 9, 8, 7, 6, 5, 4, 3, 2]);
        expect(modulo11Growing(base)).toBe(first);
        const second = byWeights(base + first, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
        expect(modulo11Growing(base + first)).toBe(second);
      }),
    );
  });
});
