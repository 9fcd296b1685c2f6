import { expect, it } from 'vitest';
import { dense, pageCount } from '../support/sheet-reader.ts';
import { drawn } from './drawn.ts';

const item =
  `<det nItem="1"><prod><cProd>P1</cProd><xProd>${'Descrição comprida '.repeat(30)}</xProd><vProd>1.00</vProd></prod></det>` as const;

it('a document without end has a sheet that ends, and says so', async () => {
  const items = item.repeat(4000);
  const { bytes, dense: text } = await drawn(
    `<NFe><infNFe Id="NFe35"><ide><nNF>1</nNF></ide>${items}</infNFe></NFe>`,
  );
  expect(pageCount(bytes)).toBe(250);
  expect(text.split(dense('A FOLHA TERMINA AQUI')).length - 1).toBe(1);
});
