import type { EventData } from './generated/events.ts';
import type { Events } from './generated/groups.ts';
import { sleep } from './sleep.ts';
import type { UnknownEvent } from './webhook-event.ts';

type InFeed = {
  /** The same as that of the webhook of this event. */
  readonly id: string;
  /** When it happened. */
  readonly timestamp: string;
  /** Store it with what you do: given as `after`, the feed continues behind this event. */
  readonly position: string;
};

/** An event of the feed, told apart by its `type`. */
export type FollowedEvent =
  | {
      readonly [each in keyof EventData]: InFeed & { readonly type: each; readonly data: EventData[each] };
    }[keyof EventData]
  | (InFeed & Pick<UnknownEvent, 'type' | 'data'>);

export type FollowOptions = {
  /** A position that you have stored; without one all that is kept. */
  readonly after?: string | undefined;
  /** How long to wait where there is nothing new; 5 s. */
  readonly intervalMs?: number | undefined;
  /** Ends it, without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Ends it where there is nothing new. */
  readonly onlyPresent?: boolean | undefined;
  /** Is told where the feed has come to: also where nothing happened for so long that positions of events become too old. */
  readonly onPosition?: ((position: string) => void) | undefined;
};

const INTERVAL_MS = 5_000;

/** What happens at the registry, oldest first, each event once, for as long as your program wants. */
export async function* followEvents(
  registry: { readonly events: Events },
  { after, intervalMs = INTERVAL_MS, signal, onlyPresent = false, onPosition }: FollowOptions = {},
): AsyncGenerator<FollowedEvent, void, undefined> {
  let position = after;
  const isOver = () => signal?.aborted === true;
  while (!isOver()) {
    const page = await registry.events.read({ after: position }, { signal }).catch((error: unknown) => {
      if (isOver()) return undefined;
      throw error;
    });
    if (!page) return;
    for (const event of page.data.events) {
      if (isOver()) return;
      yield event as unknown as FollowedEvent;
    }
    position = page.data.position;
    onPosition?.(position);
    if (page.data.has_more) continue;
    if (onlyPresent) return;
    await sleep(intervalMs, signal).catch(() => undefined);
  }
}
