import type { ServerResponse } from 'node:http';
import { company } from './documents.ts';
import { json, noteNotThere, type SeenRequest } from './recording-upstream.ts';

/** One event of an `evento` or `eventos` string in the default layout. */
export interface SentEvent {
  readonly ChaveNFe: string;
  readonly TipoEvento: string;
  readonly Motivo: string;
}

/** `EventoRespDto` of the contract. */
export interface EventReply {
  readonly ChaveNFe?: string;
  readonly Evento?: string;
  readonly Mensagem?: string;
  readonly Sucesso?: number;
  readonly Usuario?: string;
}

export const documentsUser = { DFE_USER: 'ana', DFE_PASSWORD: 'segredo&1' };

/** Settings of a program that asks a service about the notes' company and keeps its records in a folder. */
export function settingsFor(
  { url }: { readonly url: string },
  folder: { readonly path: string },
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return {
    DFE_URL: url,
    ...documentsUser,
    DFE_CNPJ: company,
    DFE_DATA_DIR: folder.path,
    DFE_LANGUAGE: 'en',
    ...more,
  };
}

export function operationOf({ path }: SeenRequest): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function textOf({ query }: SeenRequest): string {
  return query.find(([name]) => name === 'evento' || name === 'eventos')?.[1] ?? '';
}

/** The events that a request carries, one or many. */
export function eventsOf(request: SeenRequest): SentEvent[] {
  const events: unknown = JSON.parse(textOf(request));
  return (Array.isArray(events) ? events : [events]) as SentEvent[];
}

export function keysOf(requests: readonly SeenRequest[]): string[] {
  return requests.flatMap((request) => eventsOf(request).map(({ ChaveNFe }) => ChaveNFe));
}

/** A request whose events have one of these keys. */
export function isAbout(keys: readonly string[]): (request: SeenRequest) => boolean {
  return (request) => keys.some((key) => textOf(request).includes(key));
}

export function registered({ ChaveNFe, TipoEvento }: SentEvent): EventReply {
  return {
    ChaveNFe,
    Evento: TipoEvento,
    Mensagem: '135 - Evento registrado e vinculado a NF-e',
    Sucesso: 1,
    Usuario: 'ana',
  };
}

/**
 * Answers event requests as a service that registers everything, or as the test says for one event. It has no notes.
 */
export function answerEvents(
  request: SeenRequest,
  response: ServerResponse,
  replyTo: (event: SentEvent) => EventReply = registered,
): void {
  if (operationOf(request) === 'DownloadXml') {
    json(response, noteNotThere);
    return;
  }
  const replies = eventsOf(request).map(replyTo);
  json(response, operationOf(request) === 'RealizarLoteManifesto' ? replies : replies[0]);
}
