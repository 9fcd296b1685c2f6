/** Widths of bars and spaces by value, from the standard; 103 to 105 start sets A, B and C, 106 is the stop. */
const PATTERNS = (
  '212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222 ' +
  '123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 ' +
  '232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 ' +
  '313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 ' +
  '111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 ' +
  '111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 ' +
  '114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112'
).split(' ');

const START = { A: 103, C: 105 } as const;
const SWITCH = { A: 101, C: 99 } as const;
const STOP = 106;
const CHECK_MODULUS = 103;
/** Shortest run of digits for which switching to set C saves space. */
const LEAST_PAIRED = 4;
const BLANK = 32;

type CodeSet = keyof typeof START;

const digitsFrom = (text: string, at: number): number => /^\d*/.exec(text.slice(at))?.[0].length ?? 0;

/** Symbol values of a text: set C for runs of digits, set A for the rest. */
function valuesOf(text: string): number[] {
  const values: number[] = [];
  let set: CodeSet | undefined;
  const enter = (wanted: CodeSet) => {
    if (set !== wanted) values.push(set === undefined ? START[wanted] : SWITCH[wanted]);
    set = wanted;
  };
  for (let at = 0; at < text.length; ) {
    const digits = digitsFrom(text, at);
    const isPaired = set === 'C' ? digits >= 2 : digits >= LEAST_PAIRED && digits % 2 === 0;
    if (isPaired) {
      enter('C');
      values.push(Number(text.slice(at, at + 2)));
      at += 2;
    } else {
      enter('A');
      values.push(text.charCodeAt(at) - BLANK);
      at += 1;
    }
  }
  return values;
}

/** Widths of bars and spaces in modules (sets C and A). Source: ISO/IEC 15417; NT Conjunta DFe 2025.001. */
export function code128(text: string): number[] | undefined {
  if (!/^[0-9A-Z]{1,80}$/.test(text)) return undefined;
  const values = valuesOf(text);
  const check = values.reduce((sum, value, i) => sum + value * Math.max(1, i), 0) % CHECK_MODULUS;
  return [...values, check, STOP].flatMap((value) => Array.from(PATTERNS[value] ?? '', Number));
}
