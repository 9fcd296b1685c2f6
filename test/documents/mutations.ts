import type { Random } from '../fuzz/random.ts';

type Dice = Random['below'];

const PIECES = [
  ...'<>&;"\'=/!?-[]x#:. \t\r\n\u0000\u0001\u007f\u0085\u2028\u00e9\ufeff\ufffe\uffff',
  '\u{1F600}',
  ']]>',
  ']]',
  '<!--',
  '-->',
  '--',
  '<![CDATA[',
  '<!DOCTYPE a>',
  '<?xml version="1.0"?>',
  '<?x y?>',
  '?>',
  '&amp;',
  '&amp',
  '&#x41;',
  '&#65;',
  '&#0;',
  '&#xD800;',
  '&#X41;',
  '&nbsp;',
  ' a="1"',
  " a='1'",
  ' xmlns:n="u"',
  ' n:a="2"',
  '/>',
  '</',
  '<n:b>',
  '</n:b>',
];

/** Lone surrogates left by a change. */
const HALF_PAIR = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function change(text: string, dice: Dice): string {
  const at = dice(text.length + 1);
  const [before, after] = [text.slice(0, at), text.slice(at)];
  const piece = PIECES[dice(PIECES.length)] ?? '';
  const length = dice(3) === 0 ? dice(200) : 1 + dice(4);
  switch (dice(6)) {
    case 0:
      return before + after.slice(length);
    case 1:
      return before + after.slice(0, length) + after;
    case 2:
      return dice(4) === 0 ? before : before + text.slice(dice(text.length), dice(text.length)) + after;
    case 3:
      return before + piece + after.slice(1);
    default:
      return before + piece + after;
  }
}

/** A text damaged in one to three places. */
export function mutated(text: string, dice: Dice): string {
  let result = text;
  for (let count = 1 + dice(3); count > 0; count--) result = change(result, dice);
  return result.replace(HALF_PAIR, 'h');
}
