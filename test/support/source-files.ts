import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';

/** A file of the program, of its tests or its scripts. */
export interface SourceFile {
  /** Path from the folder that was asked for, with forward slashes. */
  readonly name: string;
  readonly text: string;
}

/** Every file of TypeScript or JavaScript below a folder, but those of installed packages. */
export function filesBelow(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|mjs)$/.test(entry.name))
    .filter(({ parentPath }) => !parentPath.includes('node_modules'))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return { name: relative(folder, path).split(sep).join('/'), text: readFileSync(path, 'utf8') };
    });
}

export interface Import {
  readonly from: string;
  /** Path from the same folder as `from`; outside it begins with `..`. */
  readonly to: string;
  readonly isDynamic: boolean;
}

/** What a file imports of the others, types included. */
export function importsOf({ name, text }: SourceFile): Import[] {
  const found = text.matchAll(/(?:\bfrom\s+|\bimport\s+|\bimport\((\s*))'(\.{1,2}\/[^']+)'/g);
  return [...found].map(([, dynamic, target = '']) => ({
    from: name,
    to: posix.join(dirname(name), target),
    isDynamic: dynamic !== undefined,
  }));
}

/** A folder directly below the source folder, or a file beside them. */
export function roomOf(name: string): string {
  return name.split('/')[0] ?? name;
}
