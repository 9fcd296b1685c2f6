/** How often everything else could run while some work was done. */
export async function turnsDuring(work: () => unknown): Promise<number> {
  let turns = 0;
  let ticker: NodeJS.Immediate | undefined;
  const tick = () => {
    turns++;
    ticker = setImmediate(tick);
  };
  ticker = setImmediate(tick);
  try {
    await work();
  } finally {
    clearImmediate(ticker);
  }
  return turns;
}
