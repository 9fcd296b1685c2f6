import partsXml from '../../templates/nfe-parts.xml';
import { casesOf, compileTemplate, type Template, variantOf } from '../template.ts';

const parts = casesOf(partsXml, 'part');

/** A part of a note or an event of it, of `templates/nfe-parts.xml`. */
export function nfePart(name: string): Template {
  return compileTemplate(variantOf(parts.get(name) ?? '', 'plain'));
}
