import fc from 'fast-check';
import { expect } from 'vitest';
import type { Anchor } from './calendar.ts';
import {
  createContacts,
  deleteContacts,
  describe,
  planCreation,
  updateContacts,
} from './commands/contacts.ts';
import { decisions } from './commands/decisions.ts';
import {
  contactAdditions,
  contactRemovals,
  nameserverAdditions,
  nameserverRemovals,
} from './commands/parts.ts';
import { planRegistration, registrations } from './commands/registrations.ts';
import { bulkRenewals, renewals } from './commands/renewals.ts';
import { nameserverReplacements, techReplacements } from './commands/replacements.ts';
import { acknowledgements, clockSteps, guesses, topUps } from './commands/surroundings.ts';
import { bulkTransfers, transferInformation, transfers } from './commands/transfers.ts';
import { codeChanges, deletions, holds, registrantChanges } from './commands/updates.ts';
import { compareThoroughly } from './comparison.ts';
import { simulateUntil } from './lifecycle.ts';
import { RegistryModel } from './state.ts';
import type { Command, Plan } from './step.ts';
import type { World } from './world.ts';

const MAX_COMMANDS = 18;

/** Days on which calendars differ: month ends, clock changes, the days around a leap day. */
const ANCHORS: readonly (readonly [monthDay: string, leapYear: boolean])[] = [
  ['06-15', false],
  ['02-27', true],
  ['02-28', false],
  ['02-29', true],
  ['03-24', false],
  ['10-24', true],
  ['08-31', false],
  ['12-30', false],
];
const anchor: fc.Arbitrary<Anchor> = fc
  .tuple(fc.constantFrom(...ANCHORS), fc.constantFrom('10:15', '00:15', '22:45'))
  .map(([[monthDay, leapYear], time]) => ({ monthDay, leapYear, time }));

const weighted: readonly (readonly [weight: number, commands: fc.Arbitrary<Command>])[] = [
  [4, createContacts],
  [1, updateContacts],
  [2, deleteContacts],
  [4, registrations],
  [4, renewals],
  [2, bulkRenewals],
  [4, registrantChanges],
  [1, codeChanges],
  [2, nameserverAdditions],
  [2, nameserverRemovals],
  [3, contactAdditions],
  [1, contactRemovals],
  [2, holds],
  [4, deletions],
  [4, transfers],
  [1, transferInformation],
  [2, bulkTransfers],
  [2, techReplacements],
  [2, nameserverReplacements],
  [8, decisions],
  [8, clockSteps],
  [1, topUps],
  [1, guesses],
  [1, acknowledgements],
];

export const sequences = fc.tuple(
  anchor,
  fc.commands([fc.oneof(...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary })))], {
    maxCommands: MAX_COMMANDS,
    size: 'max',
  }),
);

/** Runs one sequence on a registry that others ran on before; nothing of theirs can be seen in it. */
export async function runSequence(world: World, start: Anchor, commands: Iterable<Command>): Promise<void> {
  const { prefix, balances } = await world.begin(start);
  const model = new RegistryModel(prefix, world.now(), balances);
  await settle(model, world);
  try {
    await fc.asyncModelRun(() => ({ model, real: world }), commands);
    simulateUntil(model, world.now());
    await compareThoroughly(model, world);
    expect(await world.ledgerFindings()).toEqual([]);
  } catch (error) {
    throw new Error(`${error}\n${world.transcript.join('\n')}`, { cause: error });
  }
}

/** Somebody to register for, and two domains to begin with. */
async function settle(model: RegistryModel, world: World): Promise<void> {
  const people = [
    ['ALPHA', { who: 'mari', variant: 0 }],
    ['ALPHA', { who: 'jaan', variant: 0 }],
    ['ALPHA', { who: 'youth', variant: 0 }],
    ['BETA', { who: 'mari', variant: 0 }],
    ['POOR', { who: 'jaan', variant: 0 }],
  ] as const;
  for (const [index, [who, person]] of people.entries())
    await carryOut(
      planCreation(model, who, `${model.prefix}p${index}`, describe(model, person)),
      model,
      world,
    );
  const parts = { registrant: 0, admins: [], techs: [], code: 'chosen-at-first' };
  for (const [index, who, hosts] of [
    [0, 'ALPHA', 2],
    [1, 'BETA', 0],
  ] as const) {
    const name = { index, among: 'all', spelling: 'as registered' } as const;
    const period = { period: 1, period_unit: 'y' } as const;
    await carryOut(planRegistration(model, who, { ...parts, name, hosts, period }), model, world);
  }
}

async function carryOut(
  { call, price = 0n, effect }: Plan,
  model: RegistryModel,
  world: World,
): Promise<void> {
  const from = world.now();
  const reply = await world.call(call);
  if (reply.status !== 200) throw new Error(`the sequence could not begin: ${reply.text}`);
  model.balances[call.who] -= price;
  await effect?.({ at: { from, until: world.now() }, reply, world });
}
