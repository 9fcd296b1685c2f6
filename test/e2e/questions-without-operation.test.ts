import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type ConfiguredServer, startConfigured } from '../support/configured-server.ts';
import { cteXml, nfeXml, nfseXml } from '../support/documents.ts';
import { holding } from '../support/documents-service.ts';

const days = { from: '2026-11-01', to: '2026-11-19' } as const;

/** Every question that has an operation. Source: docs/tools.md. */
const paths: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  list_document_keys: {
    'nfe issue': 'Mercadoria/RetornaChavesPelaEmissao',
    'nfe entry': 'Mercadoria/RetornaChavesPelaDataEntrada',
    'nfe period': 'Mercadoria/RetornaChaves',
    'nfse issue directed': 'Servico/RetornaChavesPelaEmissao',
    'nfse entry directed': 'Servico/RetornaChavesPelaEntrada',
    'nfse issue directed approved': 'Servico/RetornaChavesNFSeAprovadasPelaEmissao',
    'nfse entry directed approved': 'Servico/RetornaChavesAprovadasPelaEntrada',
    'cte issue directed': 'Transporte/RetornaChavesPorTipo',
  },
  list_documents: {
    'nfe issue': 'Mercadoria/RetornaListaXmlPelaEmissao',
    'nfe period': 'Mercadoria/RetornaListaXml',
    'nfe issue directed': 'Mercadoria/RetornaListaXmlPelaEmissaoPorTipo',
    'nfe entry directed': 'Mercadoria/RetornaListaXmlPelaEntradaPorTipo',
    'nfe entry': 'Mercadoria/RetornaListaXmlPelaEntradaPorTipo',
    // Divided by direction here.
    'nfse issue': 'Servico/RetornaListaXmlPelaEmissao',
    'nfse entry': 'Servico/RetornaListaXmlPelaEntrada',
    'nfse issue directed': 'Servico/RetornaListaXmlPelaEmissao',
    'nfse entry directed': 'Servico/RetornaListaXmlPelaEntrada',
    'cte issue': 'Transporte/RetornaListaXmlPelaEmissao',
    'cte entry': 'Transporte/RetornaListaXmlPelaEntrada',
    'cte issue directed': 'Transporte/RetornaListaXmlPelaEmissaoPorTipo',
    'cte entry directed': 'Transporte/RetornaListaXmlPelaEntradaPorTipo',
  },
};

const questions = Object.keys(paths).flatMap((tool) =>
  ['nfe', 'nfse', 'cte'].flatMap((document) =>
    ['issue', 'entry', 'period'].flatMap((by) =>
      [undefined, 'inbound', 'outbound'].flatMap((direction) =>
        (tool === 'list_documents' ? [undefined] : [undefined, true]).map((approved_only) => ({
          ...{ tool, document, by, direction, approved_only },
        })),
      ),
    ),
  ),
);

let program: ConfiguredServer;

beforeAll(async () => {
  const documents = [nfeXml, nfseXml, cteXml].map((write) => write({ number: 1 }));
  program = await startConfigured({ respond: holding(documents) });
});
afterAll(() => program.close());
beforeEach(() => {
  program.upstream.seen.length = 0;
});

/** Asks, and gives the answer with the paths that the service was asked at. */
async function ask(tool: string, args: object) {
  program.upstream.seen.length = 0;
  const refresh = tool === 'list_documents' && { refresh: true };
  const { isError, text } = await program.call(tool, { ...args, ...days, ...refresh });
  return { isError, text, asked: program.upstream.seen.map(({ path }) => path.replace('/API/', '')) };
}

it.each(questions)(
  '$tool $document by $by, $direction, approved $approved_only: works, or names one that does',
  async ({ tool, ...args }) => {
    const { document, by, direction, approved_only } = args;
    const question = [document, by, direction && 'directed', approved_only && 'approved'].filter(Boolean);
    const path = paths[tool]?.[question.join(' ')];
    const { isError, text, asked } = await ask(tool, args);
    if (path !== undefined) {
      // Goods by entry have an operation for each direction.
      const bothWays = path.endsWith('PelaEntradaPorTipo') && direction === undefined;
      expect({ isError, asked }, text).toEqual({ isError: false, asked: bothWays ? [path, path] : [path] });
      return;
    }
    expect([isError, asked], text).toEqual([true, []]);
    expect(text).toContain(`${tool} document=${document} by=${by}`);
    const [, nearest = ''] = /has no operation for this.*The nearest that works: (.*?)\. /.exec(text) ?? [];
    const [named = '', ...pairs] = nearest.split(' ');
    const values = Object.fromEntries(pairs.map((pair) => pair.split('=')));
    expect(values.document).toBe(document);
    if (tool === 'list_documents' && direction !== undefined) expect(values.direction).toBe(direction);
    // The direction that is missing is named before anything else.
    if (tool === 'list_document_keys' && ['nfse entry', 'cte issue'].includes(question.join(' ')))
      expect(nearest).toBe(`${tool} document=${document} by=${by} direction=inbound`);
    expect(await ask(named, values)).toMatchObject({ isError: false });
  },
);
