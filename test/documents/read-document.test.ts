import { describe, expect, it } from 'vitest';
import { isDocumentRoot, mayBeWrapper } from '../../src/documents/layouts/document-roots.ts';
import { createDocumentReader, readDocuments } from '../../src/documents/summary/read-document.ts';
import { createXmlReader } from '../../src/documents/xml/xml.ts';
import { note } from './inline-notes.ts';

describe('the reader in a stream', () => {
  it('says where each document begins, so that its own text can be kept', () => {
    const text = `<lote><NFSe><NumeroNFe>1</NumeroNFe></NFSe>${note()}<x/>${note()}</lote>`;
    for (let cut = 1; cut < text.length; cut += 7) {
      const found: string[] = [];
      const documents = createDocumentReader(
        (_, start) => found.push(text.slice(start, reader.position)),
        () => reader.tagStart,
      );
      const reader = createXmlReader(documents);
      reader.write(text.slice(0, cut));
      if (cut < '<lote>'.length) expect(documents.startedAt).toBeUndefined();
      reader.write(text.slice(cut));
      reader.end();
      expect(found).toEqual([note(), note()]);
      expect(documents.startedAt).toBeUndefined();
    }
  });

  it('says what it cannot read: a known layout that is none of its own, a layout without a number', () => {
    const inside = '<a><b>1</b></a>';
    const text =
      `<lote>${note()}<mdfeProc>${inside}</mdfeProc><tbnfd>${inside}</tbnfd><resNFe><vNF>1.00</vNF></resNFe>` +
      `<NFS-e>${note()}</NFS-e>${note()}</lote>`;
    const found: string[] = [];
    const documents = createDocumentReader(
      () => found.push('read'),
      () => reader.tagStart,
      ({ root, family, reason }, start) =>
        found.push(`${root} ${family} ${reason} ${text.slice(start, reader.position).length}`),
    );
    const reader = createXmlReader(documents);
    reader.write(text);
    reader.end();
    const length = (xml: string) => String(xml.length);
    expect(found).toEqual([
      'read',
      `mdfeProc MDF-e no known layout ${length(`<mdfeProc>${inside}</mdfeProc>`)}`,
      `tbnfd NFS-e SmarAPD no known layout ${length(`<tbnfd>${inside}</tbnfd>`)}`,
      `resNFe undefined no identity ${length('<resNFe><vNF>1.00</vNF></resNFe>')}`,
      `NFS-e NFS-e Infisc no known layout ${length(`<NFS-e>${note()}</NFS-e>`)}`,
      'read',
    ]);
    expect(documents.startedAt).toBeUndefined();
  });

  it('knows what may be a root, and not by inheritance', () => {
    expect(['nfeProc', 'CompNfse', 'resNFe', 'cteOSProc'].every(isDocumentRoot)).toBe(true);
    expect(['constructor', '__proto__', 'Envelope', 'retChavesNfe', ''].some(isDocumentRoot)).toBe(false);
    expect(['NFSe', 'Nota', 'nfse'].every((name) => isDocumentRoot(name) && mayBeWrapper(name))).toBe(true);
    expect(['NFe', 'CompNfse', 'mdfeProc', 'constructor'].some(mayBeWrapper)).toBe(false);
    expect(readDocuments('<constructor><__proto__/></constructor>')).toEqual([]);
    expect(readDocuments('<NFe><constructor/></NFe>')).toEqual([]);
  });
});
