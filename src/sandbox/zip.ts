import { crc32, deflateRawSync } from 'node:zlib';

/** A file to put into a ZIP. */
export interface ZipFile {
  readonly name: string;
  readonly bytes: Buffer;
}

const LOCAL_LENGTH = 30;
const CENTRAL_LENGTH = 46;
const END_LENGTH = 22;
const DEFLATED = 8;
/** The first day there is. */
const DATE = 0x21;

/** What the local and the central header of a file have in common, from the version it needs on. */
function description(name: Buffer, packed: Buffer, { bytes }: ZipFile): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(DEFLATED, 4);
  fields.writeUInt16LE(DATE, 8);
  fields.writeUInt32LE(crc32(bytes), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(bytes.length, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

/** A ZIP of some files, as a whole. Source: PKWARE APPNOTE, section 4.3. */
export function zipOf(files: Iterable<ZipFile>): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const file of files) {
    const name = Buffer.from(file.name);
    const packed = deflateRawSync(file.bytes);
    const fields = description(name, packed, file);
    const local = Buffer.alloc(LOCAL_LENGTH);
    local.writeUInt32LE(0x04034b50, 0);
    fields.copy(local, 4);
    const central = Buffer.alloc(CENTRAL_LENGTH);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(20, 4);
    fields.copy(central, 6);
    central.writeUInt32LE(offset, 42);
    locals.push(local, name, packed);
    directory.push(central, name);
    offset += LOCAL_LENGTH + name.length + packed.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(END_LENGTH);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(directory.length / 2, 8);
  end.writeUInt16LE(directory.length / 2, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, central, end]);
}
