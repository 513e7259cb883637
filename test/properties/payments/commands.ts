import fc from 'fast-check';
import { Refused } from '../../../src/operations/refusal.ts';
import { classifyDatabaseError } from '../../../src/platform/sql/errors.ts';
import { compare } from './compare.ts';
import { type Deed, type Move, move, moveRecord, PAID, single, together } from './deeds.ts';
import { isMishap, mishaps, type Plan } from './faulty-database.ts';
import type { Journal } from './journal.ts';
import type { Manner } from './scripted-provider.ts';
import type { PaymentWorld } from './world.ts';

export type Command = fc.AsyncCommand<Journal, PaymentWorld>;

const manners = fc.array(
  fc.constantFrom<Manner>('well', 'well', 'away', 'lost', 'slow', 'stale', 'late', 'refuse', 'take'),
  { maxLength: 4 },
);
const plan: fc.Arbitrary<Plan> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Plan>([]) },
  {
    weight: 2,
    arbitrary: fc.array(fc.record({ moment: fc.nat(12), mishap: fc.constantFrom(...mishaps) }), {
      minLength: 1,
      maxLength: 2,
    }),
  },
);

const afterwards = fc.constantFrom<Afterwards>('nothing', 'ask', 'ask', 'ask and refund');
/** By then the lease of the caller has expired. */
const LEASES_OVER_MS = 90_000;
type Afterwards = 'nothing' | 'ask' | 'ask and refund';

class Doing implements Command {
  readonly #deeds: readonly Deed[];
  readonly #plan: Plan;
  readonly #manners: readonly Manner[];
  readonly #meanwhile: Move;
  readonly #afterwards: Afterwards;

  constructor(
    deeds: readonly Deed[],
    mishaps: Plan,
    how: readonly Manner[],
    meanwhile: Move,
    afterwards: Afterwards,
  ) {
    this.#deeds = deeds;
    this.#plan = mishaps;
    this.#manners = how;
    this.#meanwhile = meanwhile;
    this.#afterwards = afterwards;
  }

  check(): boolean {
    return true;
  }

  async run(journal: Journal, world: PaymentWorld): Promise<void> {
    const { faults, provider } = world;
    provider.script = [...this.#manners];
    provider.meanwhile = async (record, manner) => {
      await moveRecord(world, record, this.#meanwhile);
      if (manner === 'stale') return;
      world.pass(LEASES_OVER_MS);
      await world.pollDuePayments();
    };
    faults.arm(this.#plan);
    const ends = await Promise.allSettled(this.#deeds.map(async (each) => each.run(world, journal)));
    let committed = this.#follow(journal, world, ends);
    if (this.#afterwards !== 'nothing')
      committed += this.#follow(journal, world, await Promise.allSettled([this.#workers(world)]));
    faults.restart();
    provider.script = [];
    if (committed > 0) await compare(journal, world);
    else journal.noteRefusals(await world.refundRows());
  }

  #follow(journal: Journal, world: PaymentWorld, ends: readonly PromiseSettledResult<unknown>[]): number {
    world.transcript.push(`${this} -> ${ends.map(summary).join(', ')}`);
    const log = world.faults.takeLog();
    for (const entry of log) journal.follow(entry);
    for (const [index, end] of ends.entries())
      if (end.status === 'rejected') this.#judge(journal, end.reason, index);
    return log.length;
  }

  /** The worker's turn comes at once. */
  async #workers(world: PaymentWorld): Promise<void> {
    await world.pollDuePayments();
    if (this.#afterwards === 'ask and refund') await world.refundDue();
  }

  /** A refusal must be one that the rules give; whatever else fails must have been made to fail. */
  #judge(journal: Journal, error: unknown, index: number): void {
    if (isMishap(error)) return;
    const isAlone = this.#deeds.length === 1;
    if (!isAlone && classifyDatabaseError(error) === 'conflict') return;
    if (!(error instanceof Refused)) throw error;
    const [{ kind, name }] = error.refusals;
    // What the provider has declined, or could not be asked, is no rule.
    if (kind !== 'rule' || name === 'paymentDeclined' || name === 'noInvoiceNumber') return;
    const label = this.#deeds[index]?.label?.(journal);
    if (isAlone && this.#plan.length === 0 && label && journal.attempt(label))
      throw new Error(`${JSON.stringify(label, plain)} was refused and should not have been: ${error}`);
  }

  toString(): string {
    const what = this.#deeds
      .map(({ name, parameters }) => `${name} ${JSON.stringify(parameters, plain)}`)
      .join(' | ');
    const how = [...this.#manners, ...this.#plan.map(({ moment, mishap }) => `${mishap} ${moment}`)].join(
      ' ',
    );
    const stale = this.#manners.some((manner) => manner === 'stale' || manner === 'late')
      ? ` meanwhile ${JSON.stringify(this.#meanwhile)}`
      : '';
    const then = this.#afterwards === 'nothing' ? '' : ` then ${this.#afterwards}`;
    return how === '' ? what + then : `${what} (${how}${stale})${then}`;
  }
}

const plain = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
const summary = (end: PromiseSettledResult<unknown>): string =>
  end.status === 'fulfilled' ? String(end.value ?? 'done') : `${end.reason}`.slice(0, 200);

const calm = fc.tuple(single, afterwards).map(([each, then]) => new Doing([each], [], [], PAID, then));
const stormy = fc
  .tuple(
    fc.oneof(
      { weight: 2, arbitrary: single.map((each) => [each]) },
      { weight: 1, arbitrary: fc.array(together, { minLength: 2, maxLength: 5 }) },
    ),
    plan,
    manners,
    move,
    afterwards,
  )
  .map((chosen) => new Doing(...chosen));

export const commands: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: calm },
  { weight: 2, arbitrary: stormy },
);
