import type { DocumentStatus, DocumentSummary } from '../summary/summary.ts';
import { readInTurns } from '../xml/in-turns.ts';
import { createXmlReader } from '../xml/xml.ts';
import type { ContentCheck } from './content.ts';

/** What speaks for and against a document's authorisation, all of it but what only the service can say. */
export interface AuthorizationCheck {
  readonly result: 'confirmed' | 'contradicted' | 'unknown';
  /** Whether the protocol belongs to exactly this content (`digVal`). */
  readonly protocol_matches?: boolean;
  /** Whether the key's parts are what the document says. */
  readonly key_matches?: boolean;
}

const keyProblems = /^(?:key_|protocol_against_key$)/;

/** The digest in the authorisation; none in events and NFS-e. */
async function digestInProtocol(xml: string): Promise<string | undefined> {
  let inside = 0;
  let text: string | undefined;
  let found: string | undefined;
  const reader = createXmlReader({
    open(name) {
      if (name === 'infProt') inside = 1;
      text = inside === 1 && name === 'digVal' ? '' : undefined;
    },
    text(piece) {
      if (text !== undefined) text += piece;
    },
    close(name) {
      if (text !== undefined) found ??= text.trim();
      text = undefined;
      if (name === 'infProt') inside = 0;
    },
  });
  await readInTurns(xml, reader);
  return found || undefined;
}

/**
 * A protocol is not signed, so that it confirms nothing by itself: it can contradict. What confirms is the service,
 * asked by key.
 * @param content whether it is what was signed, with the digest of its signature: that the protocol is of this digest
 *   says nothing of content that is another, or that could not be looked at
 * @param asked what the service says now; undefined where it was not asked
 */
export async function checkAuthorization(
  xml: string,
  summary: DocumentSummary,
  { result: standing, digest }: Pick<ContentCheck, 'result' | 'digest'>,
  asked: DocumentStatus | undefined,
): Promise<AuthorizationCheck> {
  const inProtocol = await digestInProtocol(xml);
  const isOfSigned = digest === undefined || inProtocol === undefined ? undefined : digest === inProtocol;
  const protocol_matches = isOfSigned && standing !== 'unchanged' ? undefined : isOfSigned;
  const hasKey = summary.key !== undefined;
  const key_matches = hasKey ? !summary.warnings.some(({ code }) => keyProblems.test(code)) : undefined;
  const isVoid = asked === 'cancelled' || asked === 'denied';
  const isContradicted = protocol_matches === false || key_matches === false || isVoid;
  return {
    result: isContradicted ? 'contradicted' : asked === 'authorized' ? 'confirmed' : 'unknown',
    protocol_matches,
    key_matches,
  };
}
