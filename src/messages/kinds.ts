/** What the kinds of document are called; the same in both languages. */
const names: Readonly<Record<string, string>> = {
  nfe: 'NF-e',
  nfce: 'NFC-e',
  cte: 'CT-e',
  cteos: 'CT-e OS',
  nfse: 'NFS-e',
};

/** The field's own name of a kind, e.g. `NF-e`; an unknown kind as it is. */
export function kindName(kind: string): string {
  return names[kind] ?? kind;
}
