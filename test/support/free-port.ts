import { createServer } from 'node:net';

/** Below the ports that systems give out by themselves: no listener or connection of another test takes one of these. */
const [first, last] = [20_000, 32_000];

/** A port on loopback on which nothing listens. */
export async function freePort(): Promise<number> {
  const port = first + Math.floor(Math.random() * (last - first));
  const isFree = await new Promise<boolean>((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
  return isFree ? port : freePort();
}
