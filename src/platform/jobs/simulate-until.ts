/** Work with a known due time. */
export type DueJob = {
  /** The next due time; undefined if there is none, or none until `end`. */
  next(end: Date): Promise<Date | undefined>;
  run(now: Date): Promise<void>;
};

/** This many stops are exact; beyond it close due times are combined into one stop. */
const EXACT_STOPS = 200;
const FURTHER_STOPS = 100;
const COARSEST_MS = 3_600_000;
/** How long work is skipped that reports itself due but finds nothing to do. */
const SKIP_MS = 3_600_000;

/**
 * Advances time up to and including `end`: stops whenever some work falls due and runs it there, as if it had been
 * running all the time.
 */
export async function simulateUntil(
  works: readonly DueJob[],
  { from, end, reach }: { from: Date; end: Date; reach: (moment: Date) => Promise<void> },
): Promise<void> {
  const skippedUntil = new Map<DueJob, number>();
  const nextOf = async (work: DueJob) => {
    const next = await work.next(end);
    return next && Math.max(next.getTime(), skippedUntil.get(work) ?? 0);
  };
  for (let reached = from.getTime(), stops = 0; ; stops++) {
    const times = await Promise.all(works.map(nextOf));
    const due = Math.min(...times.filter((time) => time !== undefined));
    if (due > end.getTime()) break;
    const combinedMs =
      stops < EXACT_STOPS ? 0 : Math.min((end.getTime() - reached) / FURTHER_STOPS, COARSEST_MS);
    reached = Math.min(Math.max(due, reached) + Math.floor(combinedMs), end.getTime());
    const now = new Date(reached);
    await reach(now);
    // Sequentially: one may make another due.
    for (const [index, work] of works.entries()) {
      if ((times[index] ?? Number.POSITIVE_INFINITY) > reached) continue;
      await work.run(now);
      const next = await work.next(end);
      if (next && next <= now) skippedUntil.set(work, reached + SKIP_MS);
    }
  }
  await reach(end);
}
