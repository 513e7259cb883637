/** Work of which it is known when it falls due. */
export type DueWork = {
  /** When something is due next; undefined when nothing ever will be. */
  next(): Promise<Date | undefined>;
  run(now: Date): Promise<void>;
};

/** So many stops are exact; in a long time with more of them what lies close together is done together. */
const EXACT_STOPS = 200;
const FURTHER_STOPS = 500;
const COARSEST_MS = 3_600_000;
/** How long work rests that is due by its own account and finds nothing to do. */
const REST_MS = 3_600_000;

/**
 * Lets time pass up to and with `end`: stops at the moments at which some work falls due and does it there, as if
 * somebody had been at it all the time.
 */
export async function simulateUntil(
  works: readonly DueWork[],
  { from, end, reach }: { from: Date; end: Date; reach: (moment: Date) => Promise<void> },
): Promise<void> {
  const resting = new Map<DueWork, number>();
  const nextOf = async (work: DueWork) => {
    const next = await work.next();
    return next && Math.max(next.getTime(), resting.get(work) ?? 0);
  };
  for (let reached = from.getTime(), stops = 0; ; stops++) {
    const times = await Promise.all(works.map(nextOf));
    const due = Math.min(...times.filter((time) => time !== undefined));
    if (due > end.getTime()) break;
    const together =
      stops < EXACT_STOPS ? 0 : Math.min((end.getTime() - reached) / FURTHER_STOPS, COARSEST_MS);
    reached = Math.min(Math.max(due, reached) + Math.floor(together), end.getTime());
    const now = new Date(reached);
    await reach(now);
    // In their order: what one of them causes may be due for another.
    for (const [index, work] of works.entries()) {
      if ((times[index] ?? Number.POSITIVE_INFINITY) > reached) continue;
      await work.run(now);
      const next = await work.next();
      if (next && next <= now) resting.set(work, reached + REST_MS);
    }
  }
  await reach(end);
}
