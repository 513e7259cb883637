import fc from 'fast-check';
import { sql } from '../../support/sql.ts';
import { type Command, commands } from './commands.ts';
import { compare, compareWithProvider } from './compare.ts';
import { Journal } from './journal.ts';
import type { PaymentWorld } from './world.ts';

const MAX_COMMANDS = 24;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MAX_ROUNDS = 40;

export const sequences = fc.tuple(
  fc.nat(3),
  fc.commands([commands], { maxCommands: MAX_COMMANDS, size: 'max' }),
);

/** `bulk` is how many invoices one payment is for at the beginning. */
export async function runSequence(
  world: PaymentWorld,
  bulk: number,
  sequence: Iterable<Command>,
): Promise<void> {
  await world.begin();
  const journal = new Journal(world.provider);
  try {
    await issueSome(world, journal, bulk);
    await fc.asyncModelRun(() => ({ model: journal, real: world }), sequence);
    const quietSince = world.now;
    await untilQuiet(world, journal);
    await compare(journal, world);
    await compareWithProvider(journal, world, quietSince);
  } catch (error) {
    throw new Error(`${error}\n${world.transcript.join('\n')}`, { cause: error });
  }
}

/** Initial invoices, and a registrar with some balance. */
async function issueSome(world: PaymentWorld, journal: Journal, bulk: number): Promise<void> {
  const follow = () => {
    for (const entry of world.faults.takeLog()) journal.follow(entry);
  };
  await world.topUp('ALPHA', 1000n);
  follow();
  const [first] = journal.invoices.values();
  if (first) await world.call(world.provider.add(String(first.number), first.amount, 'settled'), 1, '');
  await world.pollDuePayments();
  for (const amount of [1000n, 2000n, 1000n].slice(0, Math.max(1, bulk)))
    await world.invoice('auction', amount);
  follow();
  const invoices = [...journal.invoices.values()].filter(({ kind }) => kind === 'invoice');
  if (bulk > 0) await world.bulk('auction', invoices);
  follow();
}

/** Without further faults: runs everything due until nothing is pending. */
async function untilQuiet(world: PaymentWorld, journal: Journal): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    await world.reconcile();
    await world.refundDue();
    for (const entry of world.faults.takeLog()) journal.follow(entry);
    const [waiting] = await world.owner.rows(sql`
      select from payments where poll_at is not null or poll_lease_until is not null union all select from refunds where state = 'waiting'`);
    if (!waiting) return;
    world.pass(round < 3 ? 2 * MINUTE_MS : DAY_MS);
  }
  throw new Error('it does not become quiet');
}
