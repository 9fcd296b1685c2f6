import { createDataFolder } from '../../src/writes/data-folder.ts';
import { createJournal, type Intent, type JournalOwner } from '../../src/writes/journal.ts';
import { journalInFolder } from '../../src/writes/journal-file.ts';
import type { ConfirmedCall } from '../../src/writes/tokens.ts';
import { createTokens } from '../../src/writes/tokens.ts';

export const keys = [1, 2, 3, 4].map(
  (number) => `3526115871652300011955001${String(number).padStart(19, '0')}`,
);
const justification = 'Mercadoria recusada por avaria do sr. Fulano';

/** A write on all keys, with texts that must not be kept. */
export const intent: Intent = {
  tool: 'manifest_nfe_batch',
  operation: 'Mercadoria/RealizarLoteManifesto',
  service: 'documents',
  keys,
  event: '210240',
  args: { keys, event: 'nao_realizada', justification, password: 'segredo1' },
  justification,
};

/** What must not be kept of a write and of the message `secretMessage`. */
export const secrets = /recusada por|Fulano|segredo|529\.982|password|example/;
export const secretMessage = 'CPF 529.982.247-25 senha=segredo2\n inválida';

export const setting = {
  ...intent,
  service: 'account',
  keys: [],
  event: undefined,
  subject: 'companies/1/settings/2',
} as const;

export const owner: JournalOwner = {
  services: { documents: 'http://documents.example', account: 'https://account.example' },
  company: '11222333000181',
  mode: 'real',
};

export const call: ConfirmedCall = {
  tool: 'manifest_nfe',
  args: { key: keys[0], event: 'confirmacao', list: [1, 2] },
  principal: 'ana',
  shown: { preview: 'Confirmação da operação', events: [] },
};

export function journalIn(path: string, { now = Date.now, of = owner } = {}) {
  return createJournal({ store: journalInFolder(createDataFolder(path)), owner: of, now });
}

export function tokensIn(path: string, now = Date.now) {
  return createTokens({ folder: createDataFolder(path), journal: journalIn(path, { now }), now });
}
