import { isWhole } from './node-requests.ts';

/**
 * Tells when a response is over, however that happens: one that is whole is so at once, and left to whoever sends it.
 * @param over is told once, and whether the client left before the end
 */
export function whenOver(response: Response, over: (isCancelled: boolean) => void): Response {
  let isOver = false;
  const end = (isCancelled: boolean): void => {
    if (isOver) return;
    isOver = true;
    over(isCancelled);
  };
  if (response.body === null || isWhole(response)) {
    end(false);
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        end(false);
        controller.close();
      } catch (error) {
        end(true);
        controller.error(error);
      }
    },
    async cancel(reason) {
      end(true);
      await reader.cancel(reason);
    },
  });
  return new Response(body, response);
}
