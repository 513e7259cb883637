import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/** The part of a driver that the experiment needs. */
export type Marks = { insert(mark: string): Promise<unknown> };
export type Within = Marks & {
  savepoint(work: (inner: Within) => Promise<unknown>): Promise<unknown>;
  pid(): Promise<number>;
  endWhenIdle(): Promise<unknown>;
};
export type Driver = Marks & { begin(work: (within: Within) => Promise<unknown>): Promise<unknown> };

export const losses = ['terminate', 'terminate all', 'idle too long', 'close', 'reset'] as const;
export const continuations = [
  'writes',
  'writes again and again',
  'ignores what fails',
  'opens a savepoint',
  'fails in a savepoint',
  'returns',
  'throws',
] as const;
export const pauses = ['none', 'one turn', 'until it is over'] as const;
export const startsOfOthers = ['already under way', 'beginning afterwards'] as const;
export const poolSizes = [4, 12] as const;

export type Loss = (typeof losses)[number];
export type Interleaving = {
  readonly loss: Loss;
  readonly continuation: (typeof continuations)[number];
  readonly pause: (typeof pauses)[number];
  readonly startOfOthers: (typeof startsOfOthers)[number];
  readonly connections: number;
};

/** Every way in which a transaction can lose its connection between two statements, and go on. */
export const interleavings: readonly Interleaving[] = losses.flatMap((loss) =>
  continuations.flatMap((continuation) =>
    pauses.flatMap((pause) =>
      startsOfOthers.flatMap((startOfOthers) =>
        poolSizes.map((connections) => ({ loss, continuation, pause, startOfOthers, connections })),
      ),
    ),
  ),
);

/** The marks of a writer, and whether they were acknowledged. */
type Writer = { readonly marks: string[]; outcome: 'open' | 'acknowledged' | 'failed'; why?: unknown };

/** Runs it once; returns the outcome of each writer. */
export async function play(
  { loss, continuation, pause, startOfOthers, connections }: Interleaving,
  driver: Driver,
  lose: (loss: Loss, pid: number, isOver: () => boolean) => Promise<unknown>,
): Promise<{ readonly victim: Writer; readonly others: readonly Writer[] }> {
  const victim: Writer = { marks: [], outcome: 'open' };
  const others = Array.from({ length: Math.ceil(connections * 1.5) }, (_, place) =>
    otherWriter(driver, place),
  );
  const run = () => Promise.all(others.map((other) => other.run()));
  let running: Promise<unknown> | undefined;
  const write = (within: Within, mark: string) => {
    victim.marks.push(mark);
    return within.insert(mark);
  };
  let lost: Promise<unknown> | undefined;
  const goOn = GO_ON[continuation];
  await settle(victim, () =>
    driver.begin(async (within) => {
      await write(within, 'victim 1');
      const pid = await within.pid();
      if (startOfOthers === 'already under way') running = run();
      if (loss === 'idle too long') await within.endWhenIdle();
      lost = lose(loss, pid, () => victim.outcome !== 'open');
      if (pause === 'one turn') await setImmediate();
      if (pause === 'until it is over') await lost.then(() => sleep(2));
      running ??= run();
      await goOn(within, write);
    }),
  );
  await Promise.all([lost, running ?? run()]);
  return { victim, others: others.map(({ writer }) => writer) };
}

const GIVEN_UP = new Error('given up');

type GoOn = (within: Within, write: (within: Within, mark: string) => Promise<unknown>) => Promise<unknown>;

const GO_ON: Readonly<Record<Interleaving['continuation'], GoOn>> = {
  writes: (within, write) => write(within, 'victim 2'),
  'writes again and again': async (within, write) => {
    for (let place = 2; place < 6; place++) {
      await write(within, `victim ${place}`);
      await setImmediate();
    }
  },
  'ignores what fails': async (within, write) => {
    for (let place = 2; place < 6; place++) {
      await write(within, `victim ${place}`).catch(() => {});
      await setImmediate();
    }
  },
  'opens a savepoint': (within, write) => within.savepoint((inner) => write(inner, 'victim 2')),
  'fails in a savepoint': async (within, write) => {
    const failing = within.savepoint(async (inner) => {
      await inner.insert('never');
      throw new Error('undone');
    });
    await failing.catch(() => {});
    await write(within, 'victim 2');
  },
  returns: async () => {},
  throws: () => Promise.reject(GIVEN_UP),
};

/** Others write in transactions of two and three statements, with savepoints, and in single statements. */
function otherWriter(driver: Driver, place: number): { readonly writer: Writer; run(): Promise<void> } {
  const own = (number: number) => `other ${place} ${number}`;
  if (place % 3 === 0) {
    const writer: Writer = { marks: [own(1)], outcome: 'open' };
    return { writer, run: () => settle(writer, () => driver.insert(own(1))) };
  }
  const writer: Writer = { marks: [own(1), own(2), own(3)], outcome: 'open' };
  const work = async (within: Within) => {
    await within.insert(own(1));
    if (place % 3 === 1) await within.savepoint((inner) => inner.insert(own(2)));
    else await within.insert(own(2));
    await within.insert(own(3));
  };
  return { writer, run: () => settle(writer, () => driver.begin(work)) };
}

async function settle(writer: Writer, work: () => Promise<unknown>): Promise<void> {
  writer.outcome = await work().then(
    () => 'acknowledged' as const,
    (error: unknown) => {
      writer.why = error;
      return 'failed' as const;
    },
  );
}

/** A backend is terminated by its number: where the victim was over before that, the next user of its connection is hit. */
const wasOverBefore = ({ outcome, why }: Writer): boolean => outcome === 'acknowledged' || why === GIVEN_UP;

/** The inconsistencies in the database, as text; empty where there are none. */
export function faultsOf(
  { loss, pause }: Interleaving,
  { victim, others }: Awaited<ReturnType<typeof play>>,
  found: readonly string[],
): string[] {
  const count = (mark: string) => found.filter((each) => each === mark).length;
  const standing = ({ marks }: Writer) => marks.filter((mark) => count(mark) === 1).length;
  const faults: string[] = [];
  const all = [victim, ...others];
  if (found.includes('never')) faults.push('what a savepoint took back stands');
  if (all.some(({ marks }) => marks.some((mark) => count(mark) > 1))) faults.push('a mark stands twice');
  if (all.some((writer) => writer.outcome === 'acknowledged' && standing(writer) < writer.marks.length))
    faults.push('what was acknowledged does not stand');
  // A commit whose answer is lost may have taken effect, but only as a whole.
  if (all.some((writer) => writer.outcome === 'failed' && standing(writer) % writer.marks.length > 0))
    faults.push('a part of what failed stands');
  if (pause === 'until it is over' && (victim.outcome === 'acknowledged' || standing(victim) > 0))
    faults.push('a transaction whose connection was gone stands');
  const failed = others.filter(({ outcome }) => outcome !== 'acknowledged');
  if (loss !== 'terminate all' && failed.length > (loss === 'terminate' && wasOverBefore(victim) ? 1 : 0))
    faults.push(`somebody else failed: ${failed.map(({ why }) => why)}`);
  return faults;
}
