/** A template as its text: esbuild's loader for `.xml`. */
declare module '*.xml' {
  const text: string;
  export default text;
}
declare module '*.md' {
  const text: string;
  export default text;
}
/** Built by scripts/views.mjs from src/views. */
declare module 'view:page' {
  /** The styles of the views without those of a document's form. */
  export const style: string;
  export const html: string;
}
