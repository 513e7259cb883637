import fc from 'fast-check';
import { addDuration, dayAt, type Moment, nextClockChange, startOf, timestamp } from '../calendar.ts';
import { address, type NameChoice, nameChoice, nameOf, registrar } from '../choices.ts';
import { compare, unreadOf } from '../comparison.ts';
import { certainMoment, dueMoments, simulateUntil } from '../lifecycle.ts';
import { isOneOf, TOO_MANY_CODES, WRONG_CODE } from '../outcomes.ts';
import { decimal } from '../prices.ts';
import type { RegistrarCode, RegistryModel } from '../state.ts';
import type { Command } from '../step.ts';
import type { World } from '../world.ts';
import { codesClosed, countWrongCode } from '../wrong-codes.ts';

/** Steps that are no call of a registrar, or whose answer is not compared. */
export abstract class Happening implements Command {
  abstract happen(model: RegistryModel, world: World): Promise<void>;
  abstract toString: () => string;
  check(_model: Readonly<RegistryModel>): boolean {
    return true;
  }

  async run(model: RegistryModel, world: World): Promise<void> {
    world.transcript.push(`${timestamp(world.now())} ${this}`);
    await this.happen(model, world);
    await compare(model, world);
  }
}

const MINUTE_MS = 60_000;
const DURATIONS = ['PT30M', 'PT1H', 'P1D', 'P2D', 'P30D', 'P1Y'];
/** Most clock steps lead to a moment at which something falls due. */
type Jump =
  | { readonly by: string }
  | { readonly due: number; readonly shift: number }
  | { readonly to: 'clock change' | 'leap day' };
const jump: fc.Arbitrary<Jump> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ by: fc.constantFrom(...DURATIONS) }) },
  {
    weight: 7,
    arbitrary: fc.record({
      due: fc.nat({ max: 3 }),
      shift: fc.constantFrom(0, -MINUTE_MS, MINUTE_MS, 12 * 60 * MINUTE_MS),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ to: fc.constantFrom<'clock change' | 'leap day'>('clock change', 'leap day') }),
  },
);

function leapDayAfter(at: Moment): Moment {
  for (let year = dayAt(at).year; ; year++) {
    const last = dayAt(at).with({ year, month: 2, day: 29 });
    if (last.day === 29 && startOf(last) > at) return startOf(last);
  }
}

const destination = (model: RegistryModel, chosen: Jump): Moment =>
  certainMoment(model, momentOf(model, chosen));

function momentOf(model: RegistryModel, chosen: Jump): Moment {
  if ('by' in chosen) return addDuration(model.now, chosen.by);
  if ('to' in chosen)
    return chosen.to === 'leap day' ? leapDayAfter(model.now) : nextClockChange(model.now) + MINUTE_MS;
  const due = dueMoments(model);
  return (due[chosen.due % due.length] ?? addDuration(model.now, 'P1D')) + chosen.shift;
}

class ClockStep extends Happening {
  readonly #jump: Jump;
  constructor(chosen: Jump) {
    super();
    this.#jump = chosen;
  }

  override check(model: Readonly<RegistryModel>): boolean {
    return destination(model as RegistryModel, this.#jump) > model.now + MINUTE_MS;
  }

  async happen(model: RegistryModel, world: World): Promise<void> {
    const to = destination(model, this.#jump);
    if (to > world.now()) await world.setClock(to);
    simulateUntil(model, world.now());
  }

  toString = () => `move the clock ${JSON.stringify(this.#jump)}`;
}

class TopUp extends Happening {
  readonly #registrar: RegistrarCode;
  readonly #cents: bigint;
  constructor(code: RegistrarCode, cents: number) {
    super();
    this.#registrar = code;
    this.#cents = BigInt(cents);
  }

  async happen(model: RegistryModel, world: World): Promise<void> {
    simulateUntil(model, world.now());
    const balance = await world.topUp(this.#registrar, decimal(this.#cents));
    model.balances[this.#registrar] += this.#cents;
    model.tell(this.#registrar, 'balance_credited', '');
    if (balance !== decimal(model.balances[this.#registrar])) throw new Error(`the balance is ${balance}`);
  }

  toString = () => `top up ${this.#registrar} ${decimal(this.#cents)}`;
}

/** Reads a message and marks it; it stays readable, and invisible to other registrars. */
class Acknowledgement extends Happening {
  readonly #registrar: RegistrarCode;
  readonly #choice: number;
  constructor(code: RegistrarCode, choice: number) {
    super();
    this.#registrar = code;
    this.#choice = choice;
  }

  override check({ unread }: Readonly<RegistryModel>): boolean {
    return unread.some(({ to }) => to === this.#registrar);
  }

  async happen(model: RegistryModel, world: World): Promise<void> {
    simulateUntil(model, world.now());
    const who = this.#registrar;
    const unread = await unreadOf(model, world, who);
    const message = unread[this.#choice % unread.length];
    if (!message) return;
    const target = `/registrar/notifications/${message.id}`;
    const body = { notification: { read: true } };
    const other: RegistrarCode = who === 'ALPHA' ? 'BETA' : 'ALPHA';
    const { data: newest } = (await world.read(who, '/registrar/notifications')).body;
    if (newest.id !== unread[0]?.id) throw new Error(`the newest message is ${newest.id}`);
    const replies = [
      await world.call({ who: other, method: 'PUT', target, body }),
      await world.call({ who, method: 'PUT', target, body }),
      await world.read(who, target),
    ];
    const outcomes = replies.map(({ status, body: { code } }) => `${status}/${code}`).join(' ');
    if (outcomes !== '404/2303 200/1000 200/1000') throw new Error(`the answers are ${outcomes}`);
    const read = model.unread.findIndex(
      ({ to, type, about }) => to === who && type === message.type && about === message.about,
    );
    model.unread.splice(read, 1);
  }

  toString = () => `acknowledge ${this.#registrar} ${this.#choice}`;
}

/** Consecutive wrong codes up to the limit; the sponsor is notified of the one that reaches it. */
class Guessing extends Happening {
  readonly #name: NameChoice;
  readonly #times: number;
  constructor(name: NameChoice, times: number) {
    super();
    this.#name = name;
    this.#times = times;
  }

  override check(model: Readonly<RegistryModel>): boolean {
    return model.domains.has(nameOf(model as RegistryModel, this.#name));
  }

  async happen(model: RegistryModel, world: World): Promise<void> {
    for (let time = 1; time <= this.#times; time++) {
      simulateUntil(model, world.now());
      const { name, path, domain } = address(model, this.#name, 'sponsor');
      if (!domain) return;
      const who = domain.sponsor === 'ALPHA' ? 'BETA' : 'ALPHA';
      const expected = codesClosed(model, name, who) ? TOO_MANY_CODES : WRONG_CODE;
      const body = { transfer: { transfer_code: `guess number ${time}` } };
      const { status, body: answer } = await world.call({
        who,
        method: 'POST',
        target: `${path}/transfer`,
        body,
      });
      if (!isOneOf([status, answer.code], [expected]))
        throw new Error(`guess ${time} is ${status}/${answer.code}`);
      if (expected === WRONG_CODE) countWrongCode(model, name, who, world.now());
    }
  }

  toString = () => `guess codes ${JSON.stringify(this.#name)} ${this.#times}`;
}

export const guesses: fc.Arbitrary<Command> = fc
  .tuple(nameChoice, fc.constantFrom(10, 11, 9, 5))
  .map(([name, times]) => new Guessing(name, times));
export const clockSteps: fc.Arbitrary<Command> = jump.map((chosen) => new ClockStep(chosen));
/** Enough for a little, never for everything. */
export const topUps: fc.Arbitrary<Command> = fc
  .constantFrom(1, 300, 899, 2000)
  .map((cents) => new TopUp('POOR', cents));
export const acknowledgements: fc.Arbitrary<Command> = fc
  .tuple(registrar, fc.nat({ max: 5 }))
  .map(([code, choice]) => new Acknowledgement(code, choice));
