/** The text of a skill. */
declare module '*.md' {
  const text: string;
  export default text;
}
