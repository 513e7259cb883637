/** Transactional outbox: rows written with their cause, delivered by a worker. A receipt is the recipient's answer. */
export type Outbox<Item, Receipt = void> = {
  /** Claims due items, each for one attempt, which is counted. Others take over if this process dies. */
  claim(now: Date, underWay: readonly Item[]): Promise<readonly Item[]>;
  /** Resolves once the recipient is responsible for it. */
  send(item: Item, stopped?: AbortSignal): Promise<Receipt>;
  /** Undefined if no further attempt is useful. Throws what is no failure of the recipient: that fails the run. */
  nextAttempt(item: Item, error: Error, now: Date): Date | undefined;
  markSent(item: Item, now: Date, receipt: Receipt): Promise<unknown>;
  /** Postpones it, or gives it up. */
  markFailed(item: Item, now: Date, failure: Failure): Promise<void>;
  report(item: Item, outcome: Outcome, now: Date, error?: Error): void;
};

export type Outcome = 'sent' | 'postponed' | 'given up';

export type Failure = {
  readonly error: Error;
  /** The start of its text. */
  readonly reason: string;
  /** Undefined if the item is given up. */
  readonly nextAttemptAt: Date | undefined;
};

/** Bounds a run, since its time becomes stale; the next run follows shortly. */
const RUN_FOR_MS = 10_000;
const MAX_REASON_LENGTH = 500;

/**
 * Sends due items; safe in any number of processes. A process that dies between sending and recording it causes the
 * item to be sent again.
 */
export const sendDue = <Item, Receipt>(outbox: Outbox<Item, Receipt>, time: () => Date): Promise<void> =>
  attemptDue(
    () => outbox.claim(time(), []),
    (item) => attempt(outbox, item, time),
  );

/** Claims and attempts until nothing is due. */
export async function attemptDue<Item>(
  claim: () => PromiseLike<readonly Item[]>,
  attemptOne: (item: Item) => Promise<unknown>,
): Promise<void> {
  const startedAt = performance.now();
  do {
    const items = await claim();
    if (items.length === 0) return;
    await attemptAll(items, attemptOne);
  } while (performance.now() - startedAt < RUN_FOR_MS);
}

/** Attempts all of them at once. One that cannot be recorded fails the run, once the others have ended. */
export async function attemptAll<Item>(
  items: readonly Item[],
  attemptOne: (item: Item) => Promise<unknown>,
): Promise<void> {
  const ends = await Promise.allSettled(items.map(attemptOne));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** Sends an item and records what came of it. An attempt that is cut off is made again when its claim expires. */
export async function attempt<Item, Receipt>(
  outbox: Outbox<Item, Receipt>,
  item: Item,
  time: () => Date,
  stopped?: AbortSignal,
): Promise<void> {
  const end = await outbox.send(item, stopped).then(
    (receipt) => ({ receipt }),
    (error: unknown) => ({ error: error instanceof Error ? error : new Error(String(error)) }),
  );
  const now = time();
  if ('receipt' in end) {
    await outbox.markSent(item, now, end.receipt);
    outbox.report(item, 'sent', now);
    return;
  }
  if (stopped?.aborted) return;
  const { error } = end;
  const nextAttemptAt = outbox.nextAttempt(item, error, now);
  await outbox.markFailed(item, now, {
    error,
    reason: error.message.slice(0, MAX_REASON_LENGTH),
    nextAttemptAt,
  });
  outbox.report(item, nextAttemptAt ? 'postponed' : 'given up', now, error);
}
