import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Reply } from '../../support/client.ts';
import { type Span, timestamp } from './calendar.ts';
import { compare } from './comparison.ts';
import { simulateUntil } from './lifecycle.ts';
import { DONE, isOneOf, NO_FUNDS, type Outcome } from './outcomes.ts';
import { decimal } from './prices.ts';
import type { RegistryModel } from './state.ts';
import type { Call, World } from './world.ts';

export type Command = fc.AsyncCommand<RegistryModel, World>;
/** The result of a call. */
export type Done = { readonly at: Span; readonly reply: Reply; readonly world: World };

/** A call, and what the rules say about it. */
export type Plan = {
  readonly call: Call;
  /** A call that changes nothing can be neither a dry run nor repeated by key. */
  readonly reads?: boolean;
  /** Empty when it must succeed; one of them is the answer otherwise. */
  readonly refusals: readonly Outcome[];
  readonly price?: bigint | undefined;
  /** Whether the registrant is asked first. */
  readonly pending?: boolean;
  /** The data of the answer, where it follows from the request. */
  readonly data?: unknown;
  /** What a success changes. */
  readonly effect?: (done: Done) => void | Promise<void>;
  /** What the call leaves behind whatever it is answered, also in a dry run. */
  readonly trace?: (done: Done) => void;
};

/** Dry runs change nothing; repeated calls are sent again with their idempotency key. */
type Mode = 'plain' | 'dry-run' | 'repeated';
const mode: fc.Arbitrary<Mode> = fc.oneof(
  { weight: 18, arbitrary: fc.constant<Mode>('plain') },
  { weight: 1, arbitrary: fc.constant<Mode>('dry-run') },
  { weight: 1, arbitrary: fc.constant<Mode>('repeated') },
);

let keys = 0;

type Planner<P> = (model: RegistryModel, parameters: P) => Plan | undefined;

/** Commands of one kind: `plan` says what is called and what the rules make of it, undefined when there is nothing to call. */
export function steps<P>(kind: string, parameters: fc.Arbitrary<P>, plan: Planner<P>): fc.Arbitrary<Command> {
  return fc.tuple(parameters, mode).map(([chosen, how]) => new Step(kind, how, chosen, plan));
}

class Step<P> implements Command {
  readonly #kind: string;
  readonly #mode: Mode;
  readonly #parameters: P;
  readonly #plan: Planner<P>;

  constructor(kind: string, how: Mode, parameters: P, plan: Planner<P>) {
    this.#kind = kind;
    this.#mode = how;
    this.#parameters = parameters;
    this.#plan = plan;
  }

  check(model: Readonly<RegistryModel>): boolean {
    return this.#plan(model as RegistryModel, this.#parameters) !== undefined;
  }

  async run(model: RegistryModel, world: World): Promise<void> {
    simulateUntil(model, world.now());
    const plan = this.#plan(model, this.#parameters);
    if (!plan) return;
    const { who } = plan.call;
    const refusals = [...plan.refusals];
    if (plan.price !== undefined && plan.price > model.balances[who]) refusals.push(NO_FUNDS);
    const headers = { ...plan.call.headers, ...(plan.reads ? {} : this.#headers()) };
    const from = world.now();
    const reply = await world.call({ ...plan.call, headers });
    const done: Done = { at: { from, until: world.now() }, reply, world };
    this.#note({ ...plan.call, headers }, done);
    const outcome: Outcome = [reply.status, reply.body.code];
    const expected = refusals.length > 0 ? refusals : [DONE];
    if (!isOneOf(outcome, expected))
      throw new Error(`expected ${expected.map((one) => one.join('/')).join(' or ')}`);
    plan.trace?.(done);
    if (refusals.length === 0)
      await (plan.reads ? plan.effect?.(done) : this.#succeed(plan, done, model, headers));
    await compare(model, world, [who]);
  }

  async #succeed(
    plan: Plan,
    done: Done,
    model: RegistryModel,
    headers: Record<string, string>,
  ): Promise<void> {
    const { message, data } = done.reply.body;
    const { price = 0n, pending = false } = plan;
    const balance = model.balances[plan.call.who] - price;
    if (this.#mode === 'dry-run') {
      const reported = JSON.stringify(data.dry_run);
      const expected = JSON.stringify({ price: decimal(price), balance_after: decimal(balance) });
      if (reported !== expected) throw new Error(`expected the dry run to report ${expected}`);
      return;
    }
    if (message.endsWith('; action pending') !== pending)
      throw new Error(`expected pending to be ${pending}`);
    if (plan.data !== undefined && !isDeepStrictEqual(documented(data, plan.data), plan.data))
      throw new Error(`expected the data ${JSON.stringify(plan.data)}`);
    if (data.charged !== undefined && data.charged !== decimal(price))
      throw new Error(`expected ${decimal(price)} to be charged`);
    model.balances[plan.call.who] = balance;
    await plan.effect?.(done);
    if (this.#mode !== 'repeated') return;
    const again = await done.world.call({ ...plan.call, headers });
    const same = isDeepStrictEqual(again.body, done.reply.body);
    if (!same || again.headers.get('idempotency-replayed') !== 'true')
      throw new Error(`expected the same answer again, not ${again.status} ${again.text}`);
  }

  #headers(): Record<string, string> {
    if (this.#mode === 'dry-run') return { 'Dry-Run': 'true' };
    return this.#mode === 'repeated' ? { 'Idempotency-Key': `model-${++keys}` } : {};
  }

  #note({ who, method, target, body, headers = {} }: Call, { at, reply, world }: Done): void {
    const sent = [method, decodeURI(target), ...Object.values(headers), body && JSON.stringify(body)];
    const answer = `${reply.status}/${reply.body.code} ${reply.body.message}`;
    world.transcript.push(`${timestamp(at.from)} ${who} ${sent.filter(Boolean).join(' ')} -> ${answer}`);
  }

  toString(): string {
    const how = this.#mode === 'plain' ? '' : ` ${this.#mode}`;
    return `${this.#kind}${how} ${JSON.stringify(this.#parameters)}`;
  }
}

/** Of an answer with a whole object what is expected: that it is what the object then is has tests of its own. */
function documented(actual: unknown, expected: unknown): unknown {
  if (!isMembers(actual) || !isMembers(expected) || !('charged' in actual || 'contact' in actual))
    return actual;
  return Object.fromEntries(
    Object.keys(expected).map((name) => {
      const [value, wanted] = [actual[name], expected[name]];
      const isObject = isMembers(value) && isMembers(wanted);
      return [
        name,
        isObject ? Object.fromEntries(Object.keys(wanted).map((key) => [key, value[key]])) : value,
      ];
    }),
  );
}

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
