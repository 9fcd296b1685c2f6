import type { HttpCall } from '../../src/clients/http/call.ts';

/** A call of the documents service for a company, as the gate sees it. */
export const call: HttpCall = {
  service: 'documents',
  operation: 'Mercadoria/RetornaChaves',
  method: 'GET',
  url: 'http://documents.example/',
  kind: 'read',
  company: '11222333000181',
};
