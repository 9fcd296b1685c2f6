import { crc32, inflateRawSync } from 'node:zlib';

export interface ReadEntry {
  readonly name: string;
  readonly data: Buffer;
  /** `YYYY-MM-DDTHH:mm:ss`, to two seconds. */
  readonly modified: string;
}

interface Directory {
  readonly count: number;
  readonly offset: number;
}

function directoryOf(zip: Buffer): Directory {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const count = zip.readUInt16LE(end + 10);
  const offset = zip.readUInt32LE(end + 16);
  if (count < 0xffff && offset < 0xffffffff) return { count, offset };
  const locator = end - 20;
  if (zip.readUInt32LE(locator) !== 0x07064b50) throw new Error('no 64-bit locator');
  const end64 = Number(zip.readBigUInt64LE(locator + 8));
  if (zip.readUInt32LE(end64) !== 0x06064b50) throw new Error('no 64-bit end record');
  return { count: Number(zip.readBigUInt64LE(end64 + 32)), offset: Number(zip.readBigUInt64LE(end64 + 48)) };
}

function textOfTime(time: number, date: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${1980 + (date >> 9)}-${two((date >> 5) & 15)}-${two(date & 31)}`;
  return `${day}T${two(time >> 11)}:${two((time >> 5) & 63)}:${two((time & 31) * 2)}`;
}

/** Reads a ZIP by its directory, and checks sizes and checksums against the data. */
export function readZip(zip: Buffer): ReadEntry[] {
  const { count, offset } = directoryOf(zip);
  const entries: ReadEntry[] = [];
  let at = offset;
  for (let i = 0; i < count; i++) {
    if (zip.readUInt32LE(at) !== 0x02014b50) throw new Error('no directory record');
    const [nameLength, extraLength, noteLength] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field));
    const name = zip.toString('utf8', at + 46, at + 46 + (nameLength ?? 0));
    const header = zip.readUInt32LE(at + 42);
    const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
    const data = inflateRawSync(zip.subarray(start, start + zip.readUInt32LE(at + 20)));
    if (data.length !== zip.readUInt32LE(at + 24)) throw new Error(`size of ${name}`);
    if (crc32(data) !== zip.readUInt32LE(at + 16)) throw new Error(`checksum of ${name}`);
    const modified = textOfTime(zip.readUInt16LE(at + 12), zip.readUInt16LE(at + 14));
    entries.push({ name, data, modified });
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (noteLength ?? 0);
  }
  return entries;
}
