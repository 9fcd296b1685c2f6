import { normalizeKey } from '../../documents/identity/keys.ts';
import { isHeld, select } from '../data/books.ts';
import type { Cte } from '../data/cte/book.ts';
import { cteXml } from '../data/cte/document-xml.ts';
import type { Direction } from '../data/day-plan.ts';
import { leaf, leaves } from '../data/xml.ts';
import type { Answer } from './answers.ts';
import { contentOf, type EnvelopeContent, enveloped, listed, listedDocuments } from './envelopes.ts';
import { RefusedInEnvelope } from './refusals.ts';
import { type Listing, queueSelection, selectCte } from './selections.ts';
import type { DocumentsService, Inputs } from './service.ts';

/** What the integer `tipo` of the integration queue stands for here; the contract does not say. */
const DIRECTION_BY_NUMBER: readonly Direction[] = ['inbound', 'outbound'];

function listedKeys(documents: Iterable<Cte>): EnvelopeContent {
  return listed(documents, (cte) => leaf('ChaveCTe', cte.key));
}

function xmlOf(service: DocumentsService, cte: Cte): string {
  return cteXml(cte, service.now(), service.books.seed);
}

export function listCteKeys(service: DocumentsService, inputs: Inputs): Answer {
  const listing: Listing = { by: 'issue', typed: true };
  return enveloped(service, 'retChavesCte', () => listedKeys(selectCte(service, inputs, listing)));
}

export function listCteIntegrationKeys(service: DocumentsService, inputs: Inputs): Answer {
  return enveloped(service, 'retChavesCte', () => {
    const direction = DIRECTION_BY_NUMBER[inputs.integer('tipo')];
    if (!direction) throw new RefusedInEnvelope('215', 'Rejeicao: tipo deve ser 0 (Entrada) ou 1 (Saída)');
    return listedKeys(select(service.books.cte, queueSelection(service, inputs, [direction])));
  });
}

export function listCteXml(service: DocumentsService, inputs: Inputs, listing: Listing): Answer {
  return enveloped(service, 'retListaXml', () =>
    listedDocuments(selectCte(service, inputs, listing), (cte) => xmlOf(service, cte)),
  );
}

export function downloadCteXml(service: DocumentsService, inputs: Inputs): Answer {
  return enveloped(service, 'retDownloadCTe', () => {
    const cte = service.books.cte.find(normalizeKey(inputs.text('chaveCTe')));
    if (!cte || !isHeld(cte, service.now())) {
      throw new RefusedInEnvelope('217', 'Rejeicao: CT-e nao consta na base de dados');
    }
    const checks = leaves({ vIntegridade: '1', vSefaz: '1', vCadastral: '-' });
    const xml = xmlOf(service, cte);
    return { pieces: [checks, contentOf(xml)], documents: [xml], quantity: undefined };
  });
}
