/** Built by scripts/views.mjs from src/views. */
declare module 'view:page' {
  export const html: string;
}
