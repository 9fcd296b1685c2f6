import type { SheetForm } from '../sheet.ts';
import type { Lettering } from './paper.ts';

/** How a form is set. All measures are points. */
export interface Style {
  readonly margin: number;
  readonly label: Lettering;
  readonly value: Lettering;
  /** Values are set no smaller than this; what is still too wide is cut. */
  readonly least: number;
  readonly title: Lettering;
  /** Height of a row of fields. */
  readonly row: number;
  /** Height of a line of text. */
  readonly lead: number;
  readonly cell: Lettering;
  readonly heading: Lettering;
  /** Titles stand above their block, or in the first column of its first row. */
  readonly titles: 'above' | 'column';
  /** Whether every field has its box, or a line divides the blocks. */
  readonly isBoxed: boolean;
  readonly titleFace: Lettering;
}

/** Smallest letters of a block's title, an item's columns and other labels. Source: MOC 7.0, Anexo II, section 3.7. */
const times: Style = {
  margin: 14,
  label: { face: 'Times-Roman', size: 6 },
  value: { face: 'Times-Roman', size: 9 },
  least: 5.5,
  title: { face: 'Times-Bold', size: 6 },
  row: 20,
  lead: 8,
  cell: { face: 'Times-Roman', size: 7 },
  heading: { face: 'Times-Bold', size: 5 },
  titles: 'above',
  isBoxed: true,
  titleFace: { face: 'Times-Bold', size: 14 },
};

/** Source: NT SE/CGNFS-e 008 v1.02, sections 2.2 and 2.4; its sizes are the smallest, so that values are cut instead. */
const danfse: Style = {
  margin: 8.5,
  label: { face: 'Helvetica-Bold', size: 6 },
  value: { face: 'Helvetica', size: 7 },
  least: 7,
  title: { face: 'Helvetica-Bold', size: 7 },
  row: 17.9,
  lead: 8.2,
  cell: { face: 'Helvetica', size: 7 },
  heading: { face: 'Helvetica-Bold', size: 6 },
  titles: 'column',
  isBoxed: false,
  titleFace: { face: 'Helvetica-Bold', size: 9 },
};

const mirror: Style = {
  ...times,
  label: { face: 'Helvetica', size: 5.5 },
  value: { face: 'Helvetica', size: 8 },
  title: { face: 'Helvetica-Bold', size: 6.5 },
  cell: { face: 'Helvetica', size: 7 },
  heading: { face: 'Helvetica-Bold', size: 5.5 },
  titleFace: { face: 'Helvetica-Bold', size: 13 },
};

export const styles: Readonly<Record<SheetForm, Style>> = { danfe: times, dacte: times, danfse, mirror };
