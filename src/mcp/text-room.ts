/** Characters of an answer's text; hosts cut or spill what is longer. Source: docs/hosts.md, Results. */
export const LONGEST_TEXT = 50_000;

/**
 * Characters that lists, records and results may take in it: the rest is for the sentences around them, which say what
 * was left out, what to be careful with and how the answer goes on.
 */
export const LONGEST_CONTENT = 40_000;
