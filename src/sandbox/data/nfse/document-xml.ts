import type { Moment } from '../calendar.ts';
import { abrasfNfseXml } from './abrasf-layout.ts';
import type { Nfse } from './book.ts';
import { nfseContent } from './content.ts';
import { nationalNfseXml } from './national-layout.ts';

/** The note in its city's layout, without XML declaration, with a cancellation that had happened by `now`. */
export function nfseXml(note: Nfse, now: Moment, seed: string): string {
  const content = nfseContent(note, seed);
  return note.key === undefined
    ? abrasfNfseXml(note, content, now)
    : nationalNfseXml(note, note.key, content);
}
