import { expect, it } from 'vitest';
import { meaningOfStatus, statusCodeIn } from '../../src/documents/events/statuses.ts';

it.each([
  ['573', '573'],
  ['Rejeição 573: Duplicidade de evento', '573'],
  ['Rejeicao: 573 - Duplicidade de Evento', '573'],
  ['135 - Evento registrado e vinculado a NF-e', '135'],
  ['135 Evento registrado e vinculado a NF-e', '135'],
  ['Evento registrado (cStat=135), protocolo 891260000012345', '135'],
  ['cStat: 999 Erro não catalogado', '999'],
  ['<cStat>596</cStat> fora do prazo', '596'],
  ['Falha: evento apresentado fora do prazo [596]', '596'],
  ['Rejeição 573: Duplicidade de evento [573]', '573'],
  ['Retorno 573', '573'],
  ['Erro: 596 - Evento fora do prazo', '596'],
  ['{"cStat":"655","xMotivo":"Ciência após manifestação final"}', '655'],
])('the status code is found in %j', (message, code) => {
  expect(statusCodeIn(message)).toBe(code);
});

it.each([
  [''],
  ['Evento registrado com sucesso'],
  ['Chave 35170458716523000119550010000000121000123458 inexistente'],
  ['Registrado em 20/11/2026 10:15:30.135'],
  ['CNPJ 58.716.523/0001-19 sem permissão'],
  ['Protocolo 135260000012345'],
  ['Valor 1.135,00 ou R$ 573 ou 135,00'],
  ['O prazo é de 155 dias'],
  ['100% concluído'],
  ['100 documentos processados'],
  ['Nota 217 da série 218'],
  ['Erro no item nItem:135'],
  ['Nota: 217, nº 218, n. 135 e número 136'],
  ['Tente de novo em 300 segundos'],
  ['HTTP erro 407'],
  ['128 - Lote processado; 573 - Duplicidade de evento'],
  ['A135 e 573B'],
])('no single status code is found in %j', (message) => {
  expect(statusCodeIn(message)).toBeUndefined();
});

it('a long message is searched in linear time', () => {
  expect(statusCodeIn('135 '.repeat(50_000))).toBe('135');
});

it('status codes have meanings', () => {
  expect(meaningOfStatus('573')).toBe('already_registered');
  expect(meaningOfStatus('656')).toBe('too_many_requests');
  expect(meaningOfStatus('999')).toBeUndefined();
  expect(meaningOfStatus('toString')).toBeUndefined();
});
