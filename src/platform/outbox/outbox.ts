/** An item claimed for an attempt, which is already counted. */
export type Claimed = { readonly attempts: number; readonly tryUntil: Date };

export type Outcome = 'sent' | 'postponed' | 'given up';

/** Transactional outbox: rows written with their cause, delivered by a worker. A receipt is the recipient's answer. */
export type Outbox<Item extends Claimed, Receipt = void> = {
  /** Claims due items and postpones their next attempt, so that others take over if this process dies. */
  claim(now: Date): Promise<readonly Item[]>;
  /** Resolves once the recipient is responsible for it. */
  send(item: Item): Promise<Receipt>;
  /** Undefined if no further attempt is useful. */
  nextAttempt(item: Item, failure: Error, now: Date): Date | undefined;
  markSent(item: Item, now: Date, receipt: Receipt): Promise<void>;
  postpone(item: Item, nextAttemptAt: Date, reason: string): Promise<void>;
  giveUp(item: Item, now: Date, reason: string): Promise<void>;
  report(item: Item, outcome: Outcome, failure?: Error): void;
};

/** Bounds a run, since its `now` becomes stale; the next run follows shortly. */
const RUN_FOR_MS = 10_000;
const MAX_REASON_LENGTH = 500;

/**
 * Sends due items; safe in any number of processes. A process that dies between sending and recording it causes the
 * item to be sent again.
 */
export async function sendDue<Item extends Claimed, Receipt = void>(
  outbox: Outbox<Item, Receipt>,
  now: Date,
): Promise<void> {
  const startedAt = performance.now();
  do {
    const items = await outbox.claim(now);
    if (items.length === 0) return;
    const ends = await Promise.allSettled(items.map((item) => attempt(outbox, item, now)));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  } while (performance.now() - startedAt < RUN_FOR_MS);
}

/** Exponential backoff up to the longest wait, until the item's deadline. */
export function backoff({ firstMs, longestMs }: { readonly firstMs: number; readonly longestMs: number }) {
  return (attempts: number, now: Date, tryUntil: Date): Date | undefined => {
    if (now >= tryUntil) return undefined;
    const wait = Math.min(firstMs * 2 ** (attempts - 1), longestMs);
    return new Date(Math.min(now.getTime() + wait, tryUntil.getTime()));
  };
}

async function attempt<Item extends Claimed, Receipt>(
  outbox: Outbox<Item, Receipt>,
  item: Item,
  now: Date,
): Promise<void> {
  const end = await outbox.send(item).then(
    (receipt) => ({ receipt }),
    (error: unknown) => ({ failure: error instanceof Error ? error : new Error(String(error)) }),
  );
  if ('receipt' in end) {
    await outbox.markSent(item, now, end.receipt);
    outbox.report(item, 'sent');
    return;
  }
  const { failure } = end;
  const later = outbox.nextAttempt(item, failure, now);
  const reason = failure.message.slice(0, MAX_REASON_LENGTH);
  if (later) await outbox.postpone(item, later, reason);
  else await outbox.giveUp(item, now, reason);
  outbox.report(item, later ? 'postponed' : 'given up', failure);
}
