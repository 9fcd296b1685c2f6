import { isoWallClock } from '../data/calendar.ts';
import { element, group, leaves } from '../data/xml.ts';
import { type Answer, textAnswer } from './answers.ts';
import { RefusedInEnvelope } from './refusals.ts';
import type { DocumentsService } from './service.ts';

/** What goes into an envelope: pieces of XML that are already written. */
export interface EnvelopeContent {
  readonly pieces: readonly string[];
  /** Further fields before `retorno`, e.g. the page. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Whether `Quantidade` is told; single downloads have none. */
  readonly counted: boolean;
}

/** Key lists of NF-e and CT-e come inside an element literally named `xml`. Source: fiscal-domain notes, section 1a. */
const WRAPPED_IN_XML_ELEMENT = ['retChavesNfe', 'retChavesCte'];

function write(root: string, fields: Record<string, string>, content: string): string {
  const envelope = element(root, { versao: '1.00' }, leaves(fields), content);
  return WRAPPED_IN_XML_ELEMENT.includes(root)
    ? element('xml', { version: '1.0' }, envelope)
    : `<?xml version="1.0" encoding="utf-8"?>${envelope}`;
}

/**
 * Writes an envelope around what `produce` finds. Nothing found is code 137 without `retorno`; a refusal is its own
 * code without `retorno`.
 */
export function enveloped(service: DocumentsService, root: string, produce: () => EnvelopeContent): Answer {
  const at = { dhResp: isoWallClock(service.now()) };
  try {
    const { pieces, fields = {}, counted } = produce();
    const found = pieces.length > 0;
    const outcome = found
      ? { cStat: '100', xMotivo: 'OK' }
      : { cStat: '137', xMotivo: 'Nenhum documento localizado' };
    const count = counted ? { Quantidade: String(pieces.length) } : undefined;
    const content = found ? group('retorno', ...pieces) : '';
    return textAnswer(write(root, { ...outcome, ...at, ...count, ...fields }, content));
  } catch (error) {
    if (!(error instanceof RefusedInEnvelope)) throw error;
    return textAnswer(write(root, { cStat: error.code, xMotivo: error.message, ...at }, ''));
  }
}
