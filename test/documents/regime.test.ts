import { expect, it } from 'vitest';
import { regimeOf } from '../../src/documents/summary/parties.ts';
import { one } from './one-document.ts';

const national = (option: string) =>
  one(
    `<NFSe versao="1.01"><infNFSe Id="NFS${'1'.padStart(50, '0')}"><nNFSe>1</nNFSe><cStat>100</cStat>` +
      '<dhProc>2026-11-05T10:00:00-03:00</dhProc><emit><CNPJ>11222333000181</CNPJ></emit>' +
      `<DPS><infDPS><prest><CNPJ>11222333000181</CNPJ><regTrib>${option}</regTrib></prest></infDPS></DPS></infNFSe></NFSe>`,
  );
const abrasf = (fields: string) =>
  one(
    `<CompNfse><Nfse><InfNfse><Numero>1</Numero><DataEmissao>2026-11-05T10:00:00</DataEmissao>${fields}` +
      '<PrestadorServico><IdentificacaoPrestador><Cnpj>11222333000181</Cnpj></IdentificacaoPrestador></PrestadorServico>' +
      '</InfNfse></Nfse></CompNfse>',
  );

// opSimpNac: 1 not, 2 MEI, 3 ME or EPP. OptanteSimplesNacional: 1 yes, 2 no; RegimeEspecialTributacao 5: MEI.
it.each([
  ['national, not under the Simples', national('<opSimpNac>1</opSimpNac>'), '3'],
  ['national, MEI', national('<opSimpNac>2</opSimpNac>'), '4'],
  ['national, ME or EPP', national('<opSimpNac>3</opSimpNac>'), '1'],
  ['national, pending', national('<opSimpNac>4</opSimpNac>'), ''],
  ['ABRASF, under the Simples', abrasf('<OptanteSimplesNacional>1</OptanteSimplesNacional>'), '1'],
  ['ABRASF, not', abrasf('<OptanteSimplesNacional>2</OptanteSimplesNacional>'), '3'],
  [
    'ABRASF, MEI',
    abrasf(
      '<RegimeEspecialTributacao>5</RegimeEspecialTributacao><OptanteSimplesNacional>1</OptanteSimplesNacional>',
    ),
    '4',
  ],
  ['ABRASF, silent', abrasf(''), ''],
])('the regime of an NFS-e’s provider: %s', (_, { issuer }, expected) => {
  expect(regimeOf(issuer)).toBe(expected);
});
