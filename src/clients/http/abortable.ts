/**
 * Waits for work no longer than a signal allows. The work itself is not stopped (give it the signal too); what
 * becomes of it after an abort is not looked at.
 *
 * @throws what the work throws, or the signal's reason as soon as it is aborted.
 */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stopListening = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    stopListening = () => signal.removeEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    stopListening();
  }
}
