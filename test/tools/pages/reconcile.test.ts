import { expect, it } from 'vitest';
import { reconcileTable } from '../../../src/tools/pages/reconcile.ts';
import { createVoice } from '../../../src/tools/pages/voice.ts';
import { prepareContext } from '../../support/tool-context.ts';

it.each([
  ['pt-BR', 'Valor, R$'],
  ['en', 'Amount, BRL'],
])('amounts of findings name the currency as other tables do, in %s', async (language, heading) => {
  const { context } = prepareContext({ DFE_LANGUAGE: language });
  const groups = [{ finding: 'missing_in_file', certainty: 'certain', count: 1, amount: '1.00' }] as const;
  const table = reconcileTable([...groups], [], 5, createVoice(context.translator, context));
  expect(table?.columns.map((column) => column.heading)).toContain(heading);
});
