/** A template as its text: esbuild's loader for `.xml`. */
declare module '*.xml' {
  const text: string;
  export default text;
}
