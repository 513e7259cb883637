/** What was taken out of an outbox for an attempt, which is counted already. */
export type Claimed = { readonly attempts: number; readonly tryUntil: Date };

export type Outcome = 'sent' | 'postponed' | 'given up';

/** Rows on their way out of the house, and whoever carries them. A receipt is what the other side answered. */
export type Outbox<Item extends Claimed, Receipt = void> = {
  /** Takes what is due for oneself, and sets the next attempt ahead: whoever dies leaves it to the others. */
  claim(now: Date): Promise<readonly Item[]>;
  /** Resolves once somebody else is responsible for it. */
  send(item: Item): Promise<Receipt>;
  /** Undefined when no further attempt is worth making. */
  nextAttempt(item: Item, failure: Error, now: Date): Date | undefined;
  markSent(item: Item, now: Date, receipt: Receipt): Promise<void>;
  postpone(item: Item, nextAttemptAt: Date, reason: string): Promise<void>;
  giveUp(item: Item, now: Date, reason: string): Promise<void>;
  report(item: Item, outcome: Outcome, failure?: Error): void;
};

/** A run that goes on for longer would count from a time that is past; the next one begins a moment later. */
const RUN_FOR_MS = 10_000;
const MAX_REASON_LENGTH = 500;

/**
 * Sends whatever is due. Any number of processes may do so at once. A process that dies between sending and
 * writing it down leaves an item that is sent again.
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

/** When to try again after so many attempts: twice as late each time, up to the longest wait, until time is up. */
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
