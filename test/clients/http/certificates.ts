import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/built-program.ts';

/** A certificate authority of its own and a certificate of it for 127.0.0.1. */
export interface Certificates {
  readonly caFile: string;
  readonly key: Buffer;
  readonly cert: Buffer;
}

/** Makes both with the `openssl` program in a folder of the system's temporary files. */
export function makeCertificates(): Certificates {
  const folder = temporaryFolder().path;
  const file = (name: string): string => join(folder, name);
  const openssl = (...given: string[]): Buffer =>
    execFileSync('openssl', given, { cwd: folder, stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

  const subject = (name: string) => [...newKey, '-keyout', `${name}.key`, '-subj', `/CN=${name}`];
  openssl('req', '-x509', ...subject('ca'), '-out', 'ca.pem', '-days', '2');
  openssl('req', ...subject('server'), '-out', 'server.csr');
  writeFileSync(file('san.cnf'), 'subjectAltName=IP:127.0.0.1\n');
  openssl(
    ...['x509', '-req', '-in', 'server.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'],
    ...['-out', 'server.pem', '-days', '2', '-extfile', 'san.cnf'],
  );
  return {
    caFile: file('ca.pem'),
    key: readFileSync(file('server.key')),
    cert: readFileSync(file('server.pem')),
  };
}
