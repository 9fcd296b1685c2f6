/** A page that scripts/views.mjs builds from src/apps. */
declare module 'view:*' {
  export const html: string;
}
