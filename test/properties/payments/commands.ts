import fc from 'fast-check';
import { Refused } from '../../../src/operations/refusal.ts';
import { classifyDatabaseError } from '../../../src/platform/database/database-errors.ts';
import { type Action, concurrent, type Move, move, moveRecord, PAID, single } from './actions.ts';
import { compare } from './compare.ts';
import { injectedFaults, isInjectedFault, type Plan } from './faulty-database.ts';
import type { Journal } from './journal.ts';
import type { Behaviour } from './scripted-provider.ts';
import type { PaymentWorld } from './world.ts';

export type Command = fc.AsyncCommand<Journal, PaymentWorld>;

const behaviours = fc.array(
  fc.constantFrom<Behaviour>('well', 'well', 'away', 'lost', 'slow', 'stale', 'late', 'refuse', 'take'),
  { maxLength: 4 },
);
const plan: fc.Arbitrary<Plan> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Plan>([]) },
  {
    weight: 2,
    arbitrary: fc.array(fc.record({ moment: fc.nat(12), fault: fc.constantFrom(...injectedFaults) }), {
      minLength: 1,
      maxLength: 2,
    }),
  },
);

const afterwards = fc.constantFrom<Afterwards>('nothing', 'ask', 'ask', 'ask and refund');
/** By then the lease of the caller has expired. */
const LEASES_OVER_MS = 90_000;
type Afterwards = 'nothing' | 'ask' | 'ask and refund';

class ActionCommand implements Command {
  readonly #actions: readonly Action[];
  readonly #plan: Plan;
  readonly #behaviours: readonly Behaviour[];
  readonly #meanwhile: Move;
  readonly #afterwards: Afterwards;

  constructor(
    actions: readonly Action[],
    faultPlan: Plan,
    how: readonly Behaviour[],
    meanwhile: Move,
    afterwards: Afterwards,
  ) {
    this.#actions = actions;
    this.#plan = faultPlan;
    this.#behaviours = how;
    this.#meanwhile = meanwhile;
    this.#afterwards = afterwards;
  }

  check(): boolean {
    return true;
  }

  async run(journal: Journal, world: PaymentWorld): Promise<void> {
    const { faults, provider } = world;
    provider.script = [...this.#behaviours];
    provider.meanwhile = async (record, behaviour) => {
      await moveRecord(world, record, this.#meanwhile);
      if (behaviour === 'stale') return;
      world.pass(LEASES_OVER_MS);
      await world.pollDuePayments();
    };
    faults.inject(this.#plan);
    const ends = await Promise.allSettled(this.#actions.map(async (each) => each.run(world, journal)));
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

  /** The worker runs immediately. */
  async #workers(world: PaymentWorld): Promise<void> {
    await world.pollDuePayments();
    if (this.#afterwards === 'ask and refund') await world.refundDue();
  }

  /** A refusal must follow from the rules; any other error must be an injected fault. */
  #judge(journal: Journal, error: unknown, index: number): void {
    if (isInjectedFault(error)) return;
    const isAlone = this.#actions.length === 1;
    if (!isAlone && classifyDatabaseError(error) === 'conflict') return;
    if (!(error instanceof Refused)) throw error;
    const [{ kind, name }] = error.refusals;
    // A decline of the provider, or its absence, is no rule.
    if (kind !== 'rule' || name === 'paymentDeclined' || name === 'noInvoiceNumber') return;
    const label = this.#actions[index]?.label?.(journal);
    if (isAlone && this.#plan.length === 0 && label && journal.attempt(label))
      throw new Error(`${JSON.stringify(label, plain)} was refused and should not have been: ${error}`);
  }

  toString(): string {
    const what = this.#actions
      .map(({ name, parameters }) => `${name} ${JSON.stringify(parameters, plain)}`)
      .join(' | ');
    const how = [...this.#behaviours, ...this.#plan.map(({ moment, fault }) => `${fault} ${moment}`)].join(
      ' ',
    );
    const stale = this.#behaviours.some((behaviour) => behaviour === 'stale' || behaviour === 'late')
      ? ` meanwhile ${JSON.stringify(this.#meanwhile)}`
      : '';
    const then = this.#afterwards === 'nothing' ? '' : ` then ${this.#afterwards}`;
    return how === '' ? what + then : `${what} (${how}${stale})${then}`;
  }
}

const plain = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
const summary = (end: PromiseSettledResult<unknown>): string =>
  end.status === 'fulfilled' ? String(end.value ?? 'done') : `${end.reason}`.slice(0, 200);

const withoutFaults = fc
  .tuple(single, afterwards)
  .map(([each, then]) => new ActionCommand([each], [], [], PAID, then));
const withFaults = fc
  .tuple(
    fc.oneof(
      { weight: 2, arbitrary: single.map((each) => [each]) },
      { weight: 1, arbitrary: fc.array(concurrent, { minLength: 2, maxLength: 5 }) },
    ),
    plan,
    behaviours,
    move,
    afterwards,
  )
  .map((chosen) => new ActionCommand(...chosen));

export const commands: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: withoutFaults },
  { weight: 2, arbitrary: withFaults },
);
