import {
  accessKey,
  accessKeys,
  cteXml,
  documentListReply,
  downloadReply,
  keyListReply,
  nfeXml,
  nfseListReply,
  nfseXml,
} from './documents.ts';
import { json, type Responder } from './recording-upstream.ts';

/** What each group of operations answers: five NF-e keys, and one document of each kind. */
const replies: Readonly<Record<string, string>> = {
  'Mercadoria/Retorna(r)?Chaves': keyListReply(accessKeys(5)),
  'Mercadoria/RetornaLista': documentListReply([nfeXml({ number: 1 })]),
  'Servico/RetornaChaves': nfseListReply([1]),
  'Servico/RetornaLista': documentListReply([nfseXml({ number: 1 })]),
  'Transporte/Retorna(r)?Chaves': keyListReply([accessKey({ number: 1, model: '57' })]),
  'Transporte/RetornaLista': documentListReply([cteXml({ number: 1 })]),
  'Transporte/DownloadXml': downloadReply(cteXml({ number: 1 })),
  'Mercadoria/DownloadXml': downloadReply(nfeXml({ number: 1 })),
};

/** A documents service that has a few documents, whatever it is asked. */
export const smallService: Responder = ({ path }, response) => {
  const [, reply] = Object.entries(replies).find(([pattern]) => new RegExp(pattern).test(path)) ?? [];
  json(response, reply, reply === undefined ? 404 : 200);
};
