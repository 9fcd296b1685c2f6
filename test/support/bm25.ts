/** Words of a text without accents, with a plural's ending taken off, in lower case. */
function wordsIn(text: string): string[] {
  const plain = text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/NF[- ]?e/gi, 'nfe')
    .replace(/NFS[- ]?e/gi, 'nfse')
    .replace(/CT[- ]?e/gi, 'cte')
    .toLowerCase();
  return (plain.match(/[a-z0-9]{2,}/g) ?? []).map((word) => word.replace(/(?:oes|ais|es|s)$/, ''));
}

/** Ranks texts by a question as search engines do: BM25, with the usual constants. */
export function rankByWords(texts: ReadonlyMap<string, string>, question: string): string[] {
  const [k, b] = [1.2, 0.75];
  const documents = [...texts].map(([name, text]) => ({ name, words: wordsIn(text) }));
  const average = documents.reduce((sum, { words }) => sum + words.length, 0) / documents.length;
  const asked = new Set(wordsIn(question));
  const scored = documents.map(({ name, words }) => {
    let score = 0;
    for (const word of asked) {
      const among = documents.filter((one) => one.words.includes(word)).length;
      const times = words.filter((one) => one === word).length;
      if (times === 0) continue;
      const weight = Math.log(1 + (documents.length - among + 0.5) / (among + 0.5));
      score += (weight * times * (k + 1)) / (times + k * (1 - b + (b * words.length) / average));
    }
    return { name, score };
  });
  return scored.toSorted((one, other) => other.score - one.score).map(({ name }) => name);
}
