/** A page that scripts/views.mjs builds from src/views. */
declare module 'view:page' {
  export const html: string;
}
