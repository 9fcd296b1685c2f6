import { describe, expect, it } from 'vitest';
import { completeAccessKey } from '../../src/documents/identity/keys.ts';
import { item, note } from './inline-notes.ts';
import { one } from './one-document.ts';

const original = completeAccessKey('3526101122233300018155001000000100110000000');

describe('what the reform added to an NF-e', () => {
  it('rates of an item, its fuel and the document it goes back to', () => {
    const taxes =
      '<IBSCBS><CST>000</CST><cClassTrib>000001</cClassTrib><gIBSCBS><vBC>10.00</vBC>' +
      '<gIBSUF><pIBSUF>0.1000</pIBSUF><vIBSUF>0.01</vIBSUF></gIBSUF>' +
      '<gIBSMun><pIBSMun>0.0000</pIBSMun><vIBSMun>0.00</vIBSMun></gIBSMun>' +
      '<gCBS><pCBS>0.9000</pCBS><vCBS>0.09</vCBS></gCBS></gIBSCBS></IBSCBS>';
    const going = `<DFeReferenciado><chaveAcesso>${original}</chaveAcesso><nItem>1</nItem></DFeReferenciado></det>`;
    const items = item(1, '10.00', taxes, '<comb><cProdANP>820101034</cProdANP></comb>').replace(
      '</det>',
      going,
    );
    const document = one(note({ items: items + item(2, '10.00').replace('</det>', going) }));
    expect(document.items[0]).toMatchObject({
      fuel: '820101034',
      reference: original,
      taxes: { ibs_state_rate: '0.1000', ibs_city_rate: '0.0000', cbs_rate: '0.9000' },
    });
    expect(document.references).toEqual([{ key: original }]);
    expect(document.is_to_government).toBeUndefined();
  });

  it('a purchase by the state', () => {
    const header = '<mod>55</mod><nNF>1</nNF><gCompraGov><tpEnteGov>1</tpEnteGov></gCompraGov>';
    expect(one(note({ header })).is_to_government).toBe(true);
  });
});
