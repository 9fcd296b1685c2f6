/** A page that scripts/views.mjs builds from src/views. */
declare module 'view:*' {
  export const html: string;
}
