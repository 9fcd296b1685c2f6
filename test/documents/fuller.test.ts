import { describe, expect, it } from 'vitest';
import { preferredVersion } from '../../src/documents/summary/checks.ts';
import type { DocumentSummary } from '../../src/documents/summary/summary.ts';
import { item, note, noteKey } from './inline-notes.ts';
import { one } from './one-document.ts';

const protocolAt = (at: string) =>
  `<protNFe><infProt><chNFe>${noteKey}</chNFe><nProt>135260000000001</nProt><cStat>100</cStat><dhRecbto>${at}</dhRecbto></infProt></protNFe>`;
const otherKey = noteKey.replace(/^35/, '31');
const cancellation =
  '<retEvento><infEvento><cStat>135</cStat><tpEvento>110111</tpEvento></infEvento></retEvento>';
const header =
  '<cUF>35</cUF><mod>55</mod><serie>1</serie><nNF>123</nNF><dhEmi>2026-11-05T10:00:00-03:00</dhEmi>';

const plain = one(note());
const abridged = one(
  `<resNFe><chNFe>${noteKey}</chNFe><vNF>10.00</vNF><nProt>1</nProt><cSitNFe>1</cSitNFe></resNFe>`,
);
const withoutProtocol = one(note({ beside: '' }));
const twoItems = one(
  note({
    items: item(1, '4.00') + item(2, '6.00'),
  }),
);
const twoItemsWithoutProtocol = one(note({ beside: '', items: item(1, '4.00') + item(2, '6.00') }));
const protocolOfAnother = one(
  note({ beside: `<protNFe><infProt><chNFe>${otherKey}</chNFe><cStat>100</cStat></infProt></protNFe>` }),
);
const cancelled = one(note({ beside: protocolAt('2026-11-05T10:01:00-03:00') + cancellation }));
const early = one(note({ beside: protocolAt('2026-11-05T10:01:00-03:00') }));
// An hour later, though the text is the lesser one.
const late = one(note({ beside: protocolAt('2026-11-05T09:01:00-05:00') }));
const test = one(note({ header: `${header}<tpAmb>2</tpAmb>`, items: item(1, '4.00') + item(2, '6.00') }));

describe('of two files of one document', () => {
  it.each<[string, DocumentSummary, DocumentSummary]>([
    ['the full note before the abridged one', plain, abridged],
    ['the full note without protocol before the abridged one', withoutProtocol, abridged],
    ['production before test, however many items that has', plain, test],
    ['the one whose protocol is its own', plain, protocolOfAnother],
    ['the one without protocol before one with the protocol of another', withoutProtocol, protocolOfAnother],
    ['the authorised one before one without protocol', plain, withoutProtocol],
    ['the authorised one before one that has more items and no protocol', plain, twoItemsWithoutProtocol],
    ['the one that holds its cancellation', cancelled, early],
    ['the one with more items', twoItems, plain],
    ['the one authorised later', late, early],
  ])('%s counts, whichever came first', (_, fuller, other) => {
    expect(fuller.key).toBe(noteKey);
    expect(other.key).toBe(noteKey);
    expect(preferredVersion(fuller, other)).toBe(fuller);
    expect(preferredVersion(other, fuller)).toBe(fuller);
  });

  it('the one that arrived later counts where nothing tells them apart', () => {
    const again = one(note());
    expect(again).toEqual(plain);
    expect(preferredVersion(plain, again)).toBe(again);
    expect(preferredVersion(again, plain)).toBe(plain);
  });

  it('one without events, items or moments is compared all the same', () => {
    const municipal = (beside: string) =>
      one(
        `<CompNfse><Nfse><InfNfse><Numero>7</Numero><Competencia>2026-01</Competencia></InfNfse></Nfse>${beside}</CompNfse>`,
      );
    const standing = municipal('');
    const void_ = municipal('<NfseCancelamento><DataHora>2026-01-02T00:00:00</DataHora></NfseCancelamento>');
    expect(preferredVersion(void_, standing)).toBe(void_);
    expect(preferredVersion(standing, void_)).toBe(void_);
  });
});
