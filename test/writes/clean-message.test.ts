import { describe, expect, it } from 'vitest';
import { cleanMessage } from '../../src/writes/journal.ts';

describe('cleanMessage', () => {
  it('keeps the words and codes of the service', () => {
    const message = 'Rejeição 573: Duplicidade de evento, protocolo 891260000012345';
    expect(cleanMessage(message)).toBe(message);
  });

  it('keeps access keys and CNPJs, which are not personal data', () => {
    const message = 'Chave 35170458716523000119550010000000121000123458 de 58.716.523/0001-19 inexistente';
    expect(cleanMessage(message)).toBe(message);
  });

  it('gives one line without control and direction characters', () => {
    expect(cleanMessage(' Evento\r\n\tregistrado\u202e\u0000 \u2028ok\ud83d ')).toBe('Evento registrado ok');
  });

  it.each([
    [
      'falha em https://servico.example/API/x?usuario=ana&senha=abc fim',
      'falha em https://servico.example/API/x fim',
    ],
    ['usuario=ana&senha=segredo1', 'usuario=***'],
    ['Senha: segredo1 inválida', 'Senha: *** inválida'],
    ['Authorization: "Bearer abc.def"', 'Authorization: ***'],
    ['sig=Zm9v%3D expirou', 'sig=*** expirou'],
    ['CPF 529.982.247-25 não é o destinatário', 'CPF *** não é o destinatário'],
    ['CPF 52998224725 não é o destinatário', 'CPF *** não é o destinatário'],
    ['avise maria.silva@empresa.com.br', 'avise ***'],
  ])('hides what is secret or personal: %s', (message, cleaned) => {
    expect(cleanMessage(message)).toBe(cleaned);
  });

  it('has at most 300 characters', () => {
    const cleaned = cleanMessage('ação '.repeat(100_000));
    expect([...cleaned]).toHaveLength(300);
    expect(cleaned.endsWith('…')).toBe(true);
    expect(cleanMessage('x'.repeat(300))).toBe('x'.repeat(300));
  });
});
