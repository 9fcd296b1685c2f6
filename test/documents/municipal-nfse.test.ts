import { describe, expect, it } from 'vitest';
import { one } from './one-document.ts';

describe('an NFS-e of São Paulo', () => {
  it("inside the service's own NFSe element is found", () => {
    const xml =
      '<retDownloadNFSes><retorno><NFSe NumeroDocumento="5"><Conteudo><NFe><ChaveNFe><NumeroNFe>5</NumeroNFe></ChaveNFe>' +
      '<StatusNFe>C</StatusNFe><ValorServicos>10</ValorServicos><ValorISS>0.5</ValorISS><ISSRetido>true</ISSRetido></NFe></Conteudo></NFSe></retorno></retDownloadNFSes>';
    expect(one(xml)).toMatchObject({
      layout: 'nfse prodam',
      number: '5',
      status: 'cancelled',
      iss_withheld: true,
      totals: { services: '10', withheld: '0.5' },
    });
  });

  it('whose amounts are no numbers has no sum of them', () => {
    const xml =
      '<NFe><ChaveNFe><NumeroNFe>5</NumeroNFe></ChaveNFe><StatusNFe>constructor</StatusNFe><ValorPIS>dez</ValorPIS></NFe>';
    const document = one(xml);
    expect(document.status).toBe('unknown');
    expect(document.totals).toEqual({});
  });
});
