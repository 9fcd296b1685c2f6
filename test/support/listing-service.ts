import { documentListReply, emptyReply } from './documents.ts';
import { json, type Responder, type SeenRequest } from './recording-upstream.ts';

const roots = { Mercadoria: '<nfeProc', Transporte: '<cteProc', Servico: '<CompNfse' } as const;

/** The day that a document itself gives as that of its issue. */
function dayOf(xml: string): string {
  return /<(?:dhEmi|DataEmissao)>(.{10})/.exec(xml)?.[1] ?? '';
}

function isAsked(xml: string, { path, query }: SeenRequest): boolean {
  const [, root] = Object.entries(roots).find(([area]) => path.includes(`/${area}/`)) ?? [];
  const asked = new Map(query);
  const day = (name: string) => asked.get(name)?.split('/').reverse().join('-') ?? '';
  return (
    root !== undefined && xml.startsWith(root) && day('dataDe') <= dayOf(xml) && dayOf(xml) <= day('dataAte')
  );
}

/** A service that has these documents and lists them by the day of their issue. */
export const listing =
  (documents: readonly string[]): Responder =>
  (request, response) => {
    const found = documents.filter((xml) => isAsked(xml, request));
    json(response, found.length === 0 ? emptyReply : documentListReply(found));
  };
