import { describe, expect, it } from 'vitest';
import { operations } from '../../src/clients/documents/operations.ts';
import { Unfulfilled } from '../../src/company/failures.ts';
import { documentRouteFor, keyOperationFor } from '../../src/tools/routes.ts';

type ListingQuestion = Parameters<typeof keyOperationFor>[0];

const documents = ['nfe', 'nfse', 'cte'] as const;
const dates = ['issue', 'entry', 'period'] as const;
const directions = [undefined, 'inbound', 'outbound'] as const;

const questions: ListingQuestion[] = documents.flatMap((document) =>
  dates.flatMap((by) =>
    directions.flatMap((direction) =>
      [undefined, true].map((approvedOnly) => ({ document, by, direction, approvedOnly })),
    ),
  ),
);

const written = ({ document, by, direction, approvedOnly }: ListingQuestion): string =>
  [document, by, direction && 'directed', approvedOnly && 'approved'].filter(Boolean).join(' ');

/** Every question that has an operation. Source: docs/tools.md. */
const keyPaths: Readonly<Record<string, string>> = {
  'nfe issue': '/API/Mercadoria/RetornaChavesPelaEmissao',
  'nfe entry': '/API/Mercadoria/RetornaChavesPelaDataEntrada',
  'nfe period': '/API/Mercadoria/RetornaChaves',
  'nfse issue directed': '/API/Servico/RetornaChavesPelaEmissao',
  'nfse entry directed': '/API/Servico/RetornaChavesPelaEntrada',
  'nfse issue directed approved': '/API/Servico/RetornaChavesNFSeAprovadasPelaEmissao',
  'nfse entry directed approved': '/API/Servico/RetornaChavesAprovadasPelaEntrada',
  'cte issue directed': '/API/Transporte/RetornaChavesPorTipo',
};

const documentPaths: Readonly<Record<string, string>> = {
  'nfe issue': '/API/Mercadoria/RetornaListaXmlPelaEmissao',
  'nfe period': '/API/Mercadoria/RetornaListaXml',
  'nfe issue directed': '/API/Mercadoria/RetornaListaXmlPelaEmissaoPorTipo',
  'nfe entry directed': '/API/Mercadoria/RetornaListaXmlPelaEntradaPorTipo',
  'nfe entry': '/API/Mercadoria/RetornaListaXmlPelaEntradaPorTipo',
  'nfse issue': '/API/Servico/RetornaListaXmlPelaEmissao',
  'nfse entry': '/API/Servico/RetornaListaXmlPelaEntrada',
  'nfse issue directed': '/API/Servico/RetornaListaXmlPelaEmissao',
  'nfse entry directed': '/API/Servico/RetornaListaXmlPelaEntrada',
  'cte issue': '/API/Transporte/RetornaListaXmlPelaEmissao',
  'cte entry': '/API/Transporte/RetornaListaXmlPelaEntrada',
  'cte issue directed': '/API/Transporte/RetornaListaXmlPelaEmissaoPorTipo',
  'cte entry directed': '/API/Transporte/RetornaListaXmlPelaEntradaPorTipo',
};

function refusal(ask: () => unknown): Readonly<Record<string, string | number>> {
  try {
    ask();
  } catch (error) {
    if (error instanceof Unfulfilled && error.key === 'failure.no_operation') return error.values;
    throw error;
  }
  throw new Error('it was not refused');
}

/** Reads `tool document=… by=…` and asks it. */
function askAgain(call: string): string {
  const [tool, ...pairs] = call.split(' ');
  const values = Object.fromEntries(pairs.map((pair) => pair.split('=')));
  const question = {
    ...values,
    approvedOnly: values.approved_only === 'true' || undefined,
  } as ListingQuestion;
  return tool === 'list_documents' ? documentRouteFor(question).operation : keyOperationFor(question);
}

describe('listings of keys', () => {
  it.each(questions)('$document by $by, direction $direction, approved $approvedOnly', (question) => {
    const path = keyPaths[written(question)];
    if (path !== undefined) {
      expect(operations[keyOperationFor(question)].path).toBe(path);
      return;
    }
    const { what, nearest } = refusal(() => keyOperationFor(question));
    expect(what).toContain(`list_document_keys document=${question.document} by=${question.by}`);
    expect(nearest).toContain(`document=${question.document}`);
    expect(() => askAgain(String(nearest))).not.toThrow();
  });

  it('names the direction that is missing before anything else', () => {
    expect(refusal(() => keyOperationFor({ document: 'nfse', by: 'entry' })).nearest).toBe(
      'list_document_keys document=nfse by=entry direction=inbound',
    );
    expect(refusal(() => keyOperationFor({ document: 'cte', by: 'issue' })).nearest).toBe(
      'list_document_keys document=cte by=issue direction=inbound',
    );
  });
});

describe('listings of documents', () => {
  const withoutApproval = questions.filter(({ approvedOnly }) => !approvedOnly);

  it.each(withoutApproval)('$document by $by, direction $direction', (question) => {
    const path = documentPaths[written(question)];
    if (path !== undefined) {
      expect(operations[documentRouteFor(question).operation].path).toBe(path);
      return;
    }
    const { what, nearest } = refusal(() => documentRouteFor(question));
    expect(what).toContain(`list_documents document=${question.document} by=${question.by}`);
    if (question.direction) {
      expect(what).toContain(`direction=${question.direction}`);
      expect(nearest).toContain(`direction=${question.direction}`);
    }
    expect(() => askAgain(String(nearest))).not.toThrow();
  });

  it('asks both directions of goods by entry, and divides services here', () => {
    expect(documentRouteFor({ document: 'nfe', by: 'entry' })).toMatchObject({
      directions: ['inbound', 'outbound'],
      divideBy: undefined,
    });
    expect(documentRouteFor({ document: 'nfse', by: 'issue', direction: 'outbound' })).toEqual({
      operation: 'nfseListByIssue',
      directions: [undefined],
      divideBy: 'outbound',
    });
    expect(documentRouteFor({ document: 'cte', by: 'entry', direction: 'inbound' })).toEqual({
      operation: 'cteListByEntryAndDirection',
      directions: ['inbound'],
      divideBy: undefined,
    });
  });
});
