const MOST_FRAMES = 8;

/**
 * Where an error arose: the lines of its stack, innermost first, without its message, which may quote what a service
 * sent. With `node --enable-source-maps` they name the lines of `src`.
 */
export function placeOf(error: Error): string[] {
  const { stack = '', message } = error;
  const start = stack.indexOf(message);
  if (start === -1) return [];
  const lines = stack.slice(start + message.length).split('\n');
  return lines.filter((line) => /^\s+at /.test(line)).slice(0, MOST_FRAMES);
}
