import { expect, it } from 'vitest';
import { isDocumentRoot, mayBeWrapper } from '../../src/documents/layouts/document-roots.ts';
import { readDocuments } from '../../src/documents/summary/read-document.ts';

it('the roots of documents are known, and no inherited names', () => {
  expect(['nfeProc', 'CompNfse', 'resNFe', 'cteOSProc'].every(isDocumentRoot)).toBe(true);
  expect(['constructor', '__proto__', 'Envelope', 'retChavesNfe', ''].some(isDocumentRoot)).toBe(false);
  expect(['NFSe', 'Nota', 'nfse'].every((name) => isDocumentRoot(name) && mayBeWrapper(name))).toBe(true);
  expect(['NFe', 'CompNfse', 'mdfeProc', 'constructor'].some(mayBeWrapper)).toBe(false);
  expect(readDocuments('<constructor><__proto__/></constructor>')).toEqual([]);
  expect(readDocuments('<NFe><constructor/></NFe>')).toEqual([]);
});
