import { dayOf, momentOfWallClock } from '../data/calendar.ts';
import { type Reply, reply } from '../reply.ts';
import type { SandboxRequest } from '../request.ts';
import type { DocumentsService } from './service.ts';
import { BLOB_PREFIX, MOVED_PREFIX } from './shared-access.ts';
import type { StoredFile } from './stored-files.ts';

const NFE_PATH = /^\/blob\/nfe\/([0-9A-Z]{44})\.pdf$/;
const NFSE_PATH = /^\/blob\/nfse\/([0-9A-Z]{14})-(\d+)-(\d{4}-\d{2}-\d{2})\.pdf$/;

function storageError(status: number, code: string, text: string): Reply {
  const body = `<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code><Message>${text}</Message></Error>`;
  return reply(status, 'application/xml', body);
}

async function pdfAt(path: string, { books }: DocumentsService): Promise<Buffer | undefined> {
  const [, key] = NFE_PATH.exec(path) ?? [];
  if (key) {
    const note = books.nfe.find(key);
    const { danfePdf } = await import('../printed-page.ts');
    return note && danfePdf(note, books.seed);
  }
  const [, issuer, number, date] = NFSE_PATH.exec(path) ?? [];
  if (!issuer || !number || !date) return undefined;
  const note = books.nfse.find(number, dayOf(momentOfWallClock(`${date}T00:00:00`)), issuer);
  const { nfsePdf } = await import('../printed-page.ts');
  return note && nfsePdf(note, books.seed);
}

async function fileAt(path: string, service: DocumentsService): Promise<StoredFile | undefined> {
  const pdf = await pdfAt(path, service);
  return pdf ? { type: 'application/pdf', bytes: pdf } : service.files.at(path);
}

/** Answers a shared-access URL. */
export async function readBlob({ path, query }: SandboxRequest, service: DocumentsService): Promise<Reply> {
  if (!service.sharedAccess.allows(path, query)) {
    return storageError(403, 'AuthenticationFailed', 'Server failed to authenticate the request.');
  }
  if (path.startsWith(MOVED_PREFIX)) {
    const location = service.sharedAccess.grant(BLOB_PREFIX + path.slice(MOVED_PREFIX.length));
    return { status: 302, headers: { location }, body: Buffer.alloc(0) };
  }
  const file = await fileAt(path, service);
  return file
    ? reply(200, file.type, file.bytes)
    : storageError(404, 'BlobNotFound', 'The specified blob does not exist.');
}
