import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { drawn } from './drawn.ts';

const sample = (path: string) => readFileSync(new URL(`../samples/${path}`, import.meta.url), 'utf8');

describe('a sheet has the form of its document', () => {
  const cases: [string, string, { has: string[]; lacks: string[] }][] = [
    [
      'an NFC-e',
      'nfe/nfce-mod65-3itens-cdata.xml',
      {
        has: ['DANFENFC-e', 'VALORAPAGAR', 'FORMADEPAGAMENTO', 'CSOSN', 'Consulte'],
        lacks: ['TRANSPORTADOR', '0-ENTRADA', 'DESTINATÁRIO/REMETENTE', 'DATADERECEBIMENTO'],
      },
    ],
    [
      'a CT-e, with the parties that it does not name',
      'cte/cteProc-producao-4840.xml',
      {
        has: ['EXPEDIDOR', 'RECEBEDOR', 'ICMSST', 'USOEXCLUSIVODOEMISSORDOCT-E', 'RNTRCDAEMPRESA'],
        lacks: ['xNome', 'infModal'],
      },
    ],
    [
      'a municipal note, its fields by name and its cities, too',
      'nfse/abrasf1-gerarNfse-bom.xml',
      {
        has: [
          'EspelhodaNFS-e',
          'RiodeJaneiro/RJ(3304557)',
          'Prestadordoserviço',
          'RETENÇÕES(CALCULADO)180,00',
        ],
        lacks: ['InfNfse', 'CompNfse', 'PrestadorServico', '/Valores/'],
      },
    ],
  ];

  it.each(cases)('%s', async (_, path, { has, lacks }) => {
    const { dense } = await drawn(sample(path));
    expect(has.filter((words) => !dense.includes(words))).toEqual([]);
    expect(lacks.filter((words) => dense.includes(words))).toEqual([]);
  });

  it('a DANFE names CST or CSOSN by what its items have', async () => {
    const note = sample('nfe/nfe-3itens-2018.xml');
    const simples = note.replace(/<CST>\d\d<\/CST>(?=.*?<\/ICMS)/gs, '<CSOSN>102</CSOSN>');
    expect((await drawn(note)).dense).not.toContain('CSOSN');
    expect((await drawn(simples)).dense).toContain('NCM/SHCSOSN');
  });
});

describe('what is withheld in all by a national note', () => {
  const note = sample('nfse/nacional-retorno-ibscbs-2025-12.xml').replace(/<vTotalRet>.*?<\/vTotalRet>/, '');
  const withIss = note.replace(/<tpRetISSQN>\d<\/tpRetISSQN>/, '<tpRetISSQN>2</tpRetISSQN>');
  const iss = /<vISSQN>([\d.]+)<\/vISSQN>/.exec(note)?.[1] ?? '';

  it('is the sum of its parts, and marked as one, where the note does not say it', async () => {
    const { dense } = await drawn(withIss);
    expect(iss).toMatch(/^\d+\.\d{2}$/);
    expect(dense).toContain(`R$${iss.replace('.', ',')}(calculado)`);
  });

  it('is as the note says it, and nothing where nothing is withheld', async () => {
    const given = withIss
      .replace('</vLiq>', '</vLiq>')
      .replace('<vLiq>', '<vTotalRet>7.00</vTotalRet><vLiq>');
    expect((await drawn(given)).dense).toContain('R$7,00');
    for (const one of [given, note]) expect((await drawn(one)).dense).not.toContain('(calculado)');
  });
});
