import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { rootPath } from '../../../src/archive/files/folders.ts';
import { lookOver } from '../../../src/archive/files/user-files.ts';
import { readDocuments } from '../../../src/documents/summary/read-document.ts';
import { folderOfEachTest } from '../../support/during-tests.ts';
import {
  authorisedNote,
  bareNote,
  eventFile,
  givenUpFile,
  keyOf,
  otherSupplier,
  ourCompany,
  supplier,
} from '../../support/filed-documents.ts';
import { zipOf } from '../../support/zip.ts';
import { archiveOfEachTest, describeIn, placeKinds } from '../places.ts';

const october = {
  company: ourCompany,
  area: 'nfe',
  by: 'issue',
  from: '2026-10-01',
  to: '2026-10-31',
} as const;

describeIn(placeKinds.slice(0, 1))('files of $name', ({ open }) => {
  const archive = archiveOfEachTest(open, true);
  const folder = folderOfEachTest();

  const put = (name: string, content: string | Uint8Array) => {
    const path = join(folder.path, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, content);
    // Old enough to be taken for finished.
    utimesSync(path, new Date('2026-10-20T10:00:00Z'), new Date('2026-10-20T10:00:00Z'));
    return path;
  };
  const look = async (...roots: string[]) => {
    const given = roots.length === 0 ? [folder.path] : roots;
    const result = await lookOver(archive.files, given.map(rootPath), {
      signal: new AbortController().signal,
      onProgress: () => undefined,
      company: undefined,
    });
    await archive.files.adopt(ourCompany);
    return result;
  };
  const listed = async () => {
    const all = { status: ['authorized', 'cancelled', 'no_protocol'] } as const;
    const { documents } = await archive.list({ ...october, limit: 100, filters: all });
    return documents
      .map(({ summary, status, source, contents }) => ({ number: summary.number, status, source, contents }))
      .sort((one, other) => Number(one.number) - Number(other.number));
  };
  const reasons = async () => {
    const { left_out } = await archive.files.info();
    return Object.fromEntries(left_out.map(({ reason, count }) => [reason, count]));
  };

  it('are told apart by their root element, whatever their name; what is no document is counted by its reason', async () => {
    put('1-procNFe.xml', authorisedNote({ number: 1 }));
    put('sub/pasta/2.XML', `\uFEFF${authorisedNote({ number: 2 })}`);
    put('3 (1).txt', authorisedNote({ number: 3 }));
    put('3 (2).txt', authorisedNote({ number: 3 }));
    put('latin1.xml', Buffer.from(authorisedNote({ number: 4 }).replace('UTF-8', 'ISO-8859-1'), 'latin1'));
    put('lote.xml', `<enviNFe>${bareNote({ number: 5 })}${bareNote({ number: 6 })}</enviNFe>`);
    const packed = gzipSync(authorisedNote({ number: 7 })).toString('base64');
    put(
      'dist.xml',
      `<retDistDFeInt><loteDistDFeInt><docZip NSU="1" schema="procNFe_v4.00.xsd">${packed}</docZip></loteDistDFeInt></retDistDFeInt>`,
    );
    put(
      'escaped.xml',
      `<string>${authorisedNote({ number: 8 }).replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</string>`,
    );
    put(
      'cdata.xml',
      `<retDownloadNFe><xml><![CDATA[${authorisedNote({ number: 9 })}]]></xml></retDownloadNFe>`,
    );
    put('nota.xml.gz', gzipSync(authorisedNote({ number: 10 })));
    put('two.xml', `${authorisedNote({ number: 11 })}\n${authorisedNote({ number: 12 })}`);
    put('empty.xml', '');
    put('blank.xml', ' \n ');
    put('cut.xml', authorisedNote({ number: 90 }).slice(0, 700));
    put('broken.xml', authorisedNote({ number: 91 }).replace('</ide>', '</idf>'));
    put(
      'bytes.xml',
      Buffer.concat([Buffer.from('<a>'), Buffer.from([0xff, 0xc0, 0x80]), Buffer.from('</a>')]),
    );
    put('evil.xml', '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>');
    put('leia-me.txt', 'olá');
    put('danfe.pdf', '%PDF-1.4 …');
    put('Thumbs.db', Buffer.from([0, 1, 2]));
    put('foto.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]));
    put('status.xml', '<retConsStatServ><cStat>107</cStat></retConsStatServ>');
    put('mdfe.xml', '<mdfeProc><MDFe><infMDFe/></MDFe></mdfeProc>');
    put('ped-inu.xml', givenUpFile(1, 2).replace(/<retInut.*<\/retInutNFe>/, ''));

    const result = await look();
    // Thumbs.db is the system's own.
    expect(result).toMatchObject({ files: 23, unseen: [] });
    expect(await listed()).toEqual([
      ...[1, 2, 3, 4].map((n) => ({ number: String(n), status: 'authorized', source: 'files', contents: 1 })),
      ...[5, 6].map((n) => ({ number: String(n), status: 'no_protocol', source: 'files', contents: 1 })),
      ...[7, 8, 9, 10, 11, 12].map((n) => ({
        number: String(n),
        status: 'authorized',
        source: 'files',
        contents: 1,
      })),
    ]);
    expect(await reasons()).toEqual({
      empty: 2,
      truncated: 1,
      malformed: 1,
      encoding: 1,
      doctype: 1,
      not_xml: 3,
      no_document: 1,
      other_model: 1,
      not_issued: 1,
    });
    const { left_out } = await archive.files.info();
    const mdfe = left_out.find(({ reason }) => reason === 'other_model');
    expect(mdfe?.named).toEqual(['mdfe.xml']);
  });

  it('are followed: changed, moved, gone, and read again only where they changed', async () => {
    const first = put('1.xml', authorisedNote({ number: 1, total: '100.00' }));
    put('2.xml', authorisedNote({ number: 2 }));
    expect(await look(folder.path, folder.path)).toMatchObject({ files: 2, read: 2 });
    expect(await look()).toMatchObject({ files: 2, read: 0 });

    put('1.xml', authorisedNote({ number: 3, total: '70.00' }));
    utimesSync(first, new Date('2026-10-21T10:00:00Z'), new Date('2026-10-21T10:00:00Z'));
    await look();
    expect((await listed()).map(({ number }) => number)).toEqual(['2', '3']);

    renameSync(join(folder.path, '2.xml'), join(folder.path, 'moved.xml'));
    await look();
    expect((await listed()).map(({ number }) => number)).toEqual(['2', '3']);

    rmSync(join(folder.path, 'moved.xml'));
    await look();
    expect((await listed()).map(({ number }) => number)).toEqual(['3']);
    expect(await archive.find({ document: 'nfe', key: keyOf({ number: 2 }) })).toBeUndefined();
  });

  it('that are touched and the same stay, and are read once', async () => {
    const path = put('1.xml', authorisedNote({ number: 1 }));
    put('copy.xml', authorisedNote({ number: 1 }));
    await look();
    utimesSync(path, new Date('2026-10-22T10:00:00Z'), new Date('2026-10-22T10:00:00Z'));
    await look();
    expect(await look()).toMatchObject({ read: 0 });
    expect(await listed()).toMatchObject([{ number: '1', contents: 1 }]);
  });

  it('keep what a second file has when the first goes, even where the first counted', async () => {
    put('1-nfe.xml', bareNote({ number: 1 }));
    const better = put('1-procNFe.xml', authorisedNote({ number: 1 }));
    await look();
    unlinkSync(better);
    await look();
    expect(await listed()).toEqual([{ number: '1', status: 'no_protocol', source: 'files', contents: 1 }]);
  });

  it('leave what the service gave, and say that both have it', async () => {
    put('1.xml', authorisedNote({ number: 1 }));
    await look();
    const { summary } = (await archive.find({ document: 'nfe', key: keyOf({ number: 1 }) })) ?? {};
    if (summary === undefined) throw new Error('not there');
    await archive.keep({ company: ourCompany, area: 'nfe' }, [{ summary }], new Date());
    expect(await listed()).toMatchObject([{ source: 'both' }]);
    unlinkSync(join(folder.path, '1.xml'));
    await look();
    expect(await listed()).toMatchObject([{ number: '1', source: 'service' }]);
  });

  it('never set aside what the service gave: a file that says otherwise is told as a second content', async () => {
    put('1.xml', authorisedNote({ number: 1, total: '999.00' }));
    const [summary] = readDocuments(authorisedNote({ number: 1, total: '100.00' }));
    if (summary === undefined) throw new Error('not read');
    await archive.keep({ company: ourCompany, area: 'nfe' }, [{ summary }], new Date());
    await look();
    const found = await archive.find({ document: 'nfe', key: keyOf({ number: 1 }) });
    expect(found).toMatchObject({ summary: { totals: { total: '100.00' } }, source: 'both', contents: 2 });
  });

  it('go with the company they are purged for, unless another has them', async () => {
    put('1.xml', authorisedNote({ number: 1, issuer: supplier, recipient: otherSupplier }));
    await look();
    await archive.files.adopt(supplier);
    expect(await archive.previewPurge({ company: supplier })).toMatchObject({
      documents: 1,
      kept_for_others: 0,
    });
    await archive.files.adopt(otherSupplier);
    expect(await archive.previewPurge({ company: supplier })).toMatchObject({
      documents: 0,
      kept_for_others: 1,
    });
    await archive.purge({ company: supplier });
    expect(await archive.purge({ company: otherSupplier })).toMatchObject({
      documents: 1,
      kept_for_others: 0,
    });
    expect(await archive.info()).toMatchObject({ documents: 0, held: [] });
  });

  it('are known again whatever their names sort like, with line breaks and backslashes too', async () => {
    for (const [index, name] of ['b', 'B', '\u{1F4C4}.xml', '\uFF21 a\nb.xml', 'a\n0\\1\\b'].entries())
      put(name, authorisedNote({ number: index + 1 }));
    expect(await look()).toMatchObject({ files: 5, read: 5 });
    expect(await look()).toMatchObject({ files: 5, read: 0 });
    expect(await listed()).toHaveLength(5);
  });

  it.skipIf(process.platform !== 'linux')('whose names are not UTF-8 are reported', async () => {
    put('1.xml', authorisedNote({ number: 1 }));
    writeFileSync(Buffer.from(`${folder.path}/nota n\xba 2.xml`, 'latin1'), authorisedNote({ number: 2 }));
    const { odd } = await look();
    expect(odd).toMatchObject({
      counts: { unreadable: 1 },
      named: [{ code: 'EILSEQ', place: 'nota n\uFFFD 2.xml' }],
    });
  });

  it('that are links, FIFOs, hidden or unreadable hold up nothing', async () => {
    put('1.xml', authorisedNote({ number: 1 }));
    symlinkSync(folder.path, join(folder.path, 'loop'));
    symlinkSync('/nowhere', join(folder.path, 'dangling'));
    execFileSync('mkfifo', [join(folder.path, 'pipe.xml')]);
    const result = await look();
    expect(result.odd.counts).toEqual({ link: 2, special: 1 });
    expect(await listed()).toHaveLength(1);
    const missing = join(folder.path, 'nothing-here');
    const again = await look(folder.path, missing);
    expect(again.unseen).toEqual([{ path: missing, code: 'ENOENT', isRoot: true }]);
  });

  it.skipIf(process.getuid?.() === 0)('that are unreadable are reported, and known ones stay', async () => {
    put('sub/1.xml', authorisedNote({ number: 1 }));
    await look();
    chmodSync(join(folder.path, 'sub'), 0);
    try {
      const { unseen } = await look();
      expect(unseen).toMatchObject([{ code: 'EACCES', isRoot: false }]);
      expect(await listed()).toHaveLength(1);
    } finally {
      chmodSync(join(folder.path, 'sub'), 0o700);
    }
  });

  it('are read again after a purge, as long as they are there', async () => {
    put('1.xml', authorisedNote({ number: 1 }));
    put('1-can.xml', eventFile({ number: 1 }));
    put('9.xml', authorisedNote({ number: 9 }));
    await look();
    await archive.purge({ company: ourCompany, from: '2026-10-01', to: '2026-10-31' });
    expect(await listed()).toEqual([]);
    await look();
    expect((await listed()).map(({ number }) => number)).toEqual(['1', '9']);
    await archive.purge({});
    expect(await archive.files.info()).toMatchObject({ files: 0, documents: 0, events: 0 });
    await look();
    expect(await listed()).toMatchObject([{ status: 'cancelled' }, { status: 'authorized' }]);
  });

  describe('in ZIPs', () => {
    const zipped = (...names: [string, string | Uint8Array][]) =>
      zipOf(names.map(([name, content]) => ({ name, bytes: Buffer.from(content) })));

    it('are read, also in a ZIP inside one, and those in a third are told', async () => {
      const deepest = zipped(['9.xml', authorisedNote({ number: 9 })]);
      const inner = zipped(['2.xml', authorisedNote({ number: 2 })], ['deep.zip', deepest]);
      const path = put(
        'notas.zip',
        zipped(
          ['2026/1.xml', authorisedNote({ number: 1 })],
          ['__MACOSX/._1.xml', 'x'],
          ['inner.zip', inner],
          ['leia.txt', 'olá'],
        ),
      );
      await look();
      expect((await listed()).map(({ number }) => number)).toEqual(['1', '2']);
      expect(await reasons()).toEqual({ zip_nested: 1, not_xml: 1 });
      const { left_out } = await archive.files.info();
      expect(left_out.flatMap(({ named }) => named).sort()).toEqual([
        'notas.zip: inner.zip/deep.zip',
        'notas.zip: leia.txt',
      ]);
      await look(path);
      expect((await listed()).map(({ number }) => number)).toEqual(['1', '2']);
    });

    it('have names of code page 437 and of UTF-8', async () => {
      const bytes = zipped(['X', 'olá'], ['Y', 'olá']);
      // The one-letter names: 0x87 is ç in code page 437; a name of UTF-8 says so by bit 11 of its flags.
      const patched = Buffer.from(bytes);
      for (let at = 0; at < patched.length; at++) if (patched[at] === 0x58) patched[at] = 0x87;
      put('n.zip', patched);
      await look();
      const { left_out } = await archive.files.info();
      expect(left_out[0]?.named).toEqual(['n.zip: ç', 'n.zip: Y']);
    });

    it('that are bombs, cut, encrypted or share bytes are refused, and nothing else with them', async () => {
      put('1.xml', authorisedNote({ number: 1 }));
      put('bomb.zip', zipped(['zeros.xml', Buffer.alloc(40 * 1024 ** 2)]));
      const whole = zipped(
        ['1.xml', authorisedNote({ number: 5 })],
        ['2.xml', authorisedNote({ number: 6 })],
      );
      put('cut.zip', whole.subarray(0, whole.length - 30));
      const lying = Buffer.from(zipped(['a.xml', Buffer.alloc(100_000)]));
      // Declares 10 bytes: in the local header at 22, in the directory 24 bytes in.
      const directory = lying.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
      lying.writeUInt32LE(10, 22);
      lying.writeUInt32LE(10, directory + 24);
      put('lying.zip', lying);
      const encrypted = Buffer.from(zipped(['a.xml', authorisedNote({ number: 7 })]));
      const at = encrypted.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
      encrypted.writeUInt16LE(1, at + 8);
      put('secret.zip', encrypted);
      const shared = Buffer.from(whole);
      const second = shared.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]));
      shared.writeUInt32LE(0, second + 42);
      put('shared.zip', shared);
      await look();
      expect((await listed()).map(({ number }) => number)).toEqual(['1']);
      expect(await reasons()).toEqual({ zip_too_large: 2, zip_damaged: 2, encrypted: 1 });
    });

    it('that have only just been written are read once all the same', async () => {
      const path = put('new.zip', zipped(['1.xml', authorisedNote({ number: 1 })]));
      utimesSync(path, new Date(), new Date());
      expect(await look()).toMatchObject({ files: 1, read: 1, documents: 1 });
    });

    it('are read as a whole again when they change', async () => {
      const path = put(
        'n.zip',
        zipped(['1.xml', authorisedNote({ number: 1 })], ['2.xml', authorisedNote({ number: 2 })]),
      );
      await look();
      put(
        'n.zip',
        zipped(['2.xml', authorisedNote({ number: 2 })], ['3.xml', authorisedNote({ number: 3 })]),
      );
      utimesSync(path, new Date('2026-10-23T10:00:00Z'), new Date('2026-10-23T10:00:00Z'));
      await look();
      expect((await listed()).map(({ number }) => number)).toEqual(['2', '3']);
    });
  });
});
