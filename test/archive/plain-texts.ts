import type { DocumentSummary } from '../../src/documents/summary/summary.ts';

/** Without accents, in lower case. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim();
}

/** What was searched of a document as a whole when every document had a text of its own. */
function headOf({
  issuer,
  recipient,
  sender,
  payer,
  number,
  key,
  operation,
  service,
}: DocumentSummary): string {
  const parties = [issuer, recipient, sender, payer].flatMap((party) => [party?.name, party?.id]);
  const parts = [...parties, number, key, operation, service?.description];
  return plain(parts.filter((part) => part !== undefined && part !== '').join(' ')).slice(0, 1000);
}

/** Whether every word of a text is in a document, by the rules of `Filters.text`. */
export function isFound(document: DocumentSummary, text: string): boolean {
  const head = headOf(document);
  const { items, service, notes, payments, components = [] } = document;
  const remarks = plain(
    [notes, ...items.map((item) => item.notes), ...payments.map(({ description }) => description)]
      .concat(components.map(({ name }) => name))
      .filter((part) => part !== undefined)
      .join(' '),
  );
  const coded = items.flatMap(({ code = '', order = '' }) => [plain(code), plain(order)]);
  const isWord = (said: string, word: string) =>
    /^\d{1,3}$/.test(word) ? said.split(' ').includes(word) : said.includes(word);
  // A document without items is described by its service.
  const described =
    items.length > 0 ? items.map((item) => item.description ?? item.code) : [service?.description];
  return plain(text)
    .split(' ')
    .every(
      (word) =>
        [head, remarks, ...coded].some((said) => isWord(said, word)) ||
        described.some((description = '') => plain(description).includes(word)),
    );
}
