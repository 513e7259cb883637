/**
 * Takes what is due in batches, after the first full one two side by side: the server decides one while the database
 * writes the other. Returns how many the first took.
 */
export async function takeBatches(takeSome: () => Promise<number>, fullBatch: number): Promise<number> {
  const first = await takeSome();
  if (first < fullBatch) return first;
  const takeWhileFull = async () => {
    while ((await takeSome()) === fullBatch);
  };
  const ends = await Promise.allSettled([takeWhileFull(), takeWhileFull()]);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return first;
}
