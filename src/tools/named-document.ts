import type { DocumentArea, DocumentReference } from '../archive/references.ts';
import type { AccessKey } from '../documents/identity/keys.ts';
import { kindName } from '../messages/kinds.ts';
import { Unfulfilled } from '../services/failures.ts';

/** What names one document in a call: its key, or for an NFS-e its number, day and issuer. */
export interface NamedDocument {
  readonly document: DocumentArea;
  readonly key?: AccessKey | undefined;
  readonly number?: string | undefined;
  readonly issue_date?: string | undefined;
  readonly issuer_cnpj?: { readonly id: string } | undefined;
}

/** The document a call names. @throws Unfulfilled saying how its kind is named */
export function referenceFrom(args: NamedDocument): DocumentReference {
  const { document, key, number, issue_date: issueDate, issuer_cnpj: issuer } = args;
  if (document === 'nfse') {
    if (key !== undefined || !number || !issueDate || !issuer) throw new Unfulfilled('failure.identify_nfse');
    return { document, number: number.trim(), issueDate, issuer: issuer.id };
  }
  if (key === undefined || number || issueDate || issuer) {
    throw new Unfulfilled('failure.identify_by_key', { kind: kindName(document) });
  }
  const area: DocumentArea = key.kind === 'cte' || key.kind === 'cteos' ? 'cte' : 'nfe';
  if (area !== document) {
    const values = { found: kindName(key.kind), asked: kindName(document), document: area };
    throw new Unfulfilled('failure.key_of_other_kind', values);
  }
  return { document, key: key.key };
}
