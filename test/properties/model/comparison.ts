import { expect } from 'vitest';
import type { Data } from '../../support/client.ts';
import { archive, mayBeArchived, mustBeArchived, noteIdleness } from './archive.ts';
import { compareContact } from './compare-contacts.ts';
import { compareDomains, compareRead } from './compare-domains.ts';
import { compareZones } from './compare-zones.ts';
import { mayBePurged, mustBePurged, purge } from './lifecycle.ts';
import { decimal } from './prices.ts';
import { type Message, REGISTRARS, type RegistrarCode, type RegistryModel } from './state.ts';
import type { World } from './world.ts';

/**
 * Compares what registrars can see of this sequence with the model: every domain, and balance and messages of those
 * who are concerned. Those of others are read when time passes and at the end.
 */
export async function compare(
  model: RegistryModel,
  world: World,
  concerned: readonly RegistrarCode[] = REGISTRARS,
): Promise<void> {
  const listed = await Promise.all(REGISTRARS.map((who) => listDomains(model, world, who)));
  adoptPurges(model, new Set(listed.flat().map(({ name }) => name)));
  await adoptArchiving(model, world);
  for (const [index, who] of REGISTRARS.entries()) compareDomains(model, who, listed[index] ?? []);
  const changed = model.names.filter((name) => model.domains.has(name) !== model.seen.has(name));
  model.seen = new Set(model.domains.keys());
  await Promise.all([
    ...changed.map((name) => compareAvailability(model, world, name)),
    ...concerned.map((who) => compareBalance(model, world, who)),
    ...REGISTRARS.filter((who) => concerned.includes(who) || model.notified.has(who)).map((who) =>
      compareMessages(model, world, who),
    ),
  ]);
}

/** The same, every object by its own name, to its sponsor and to others, and what the DNS publishes. */
export async function compareThoroughly(model: RegistryModel, world: World): Promise<void> {
  await compare(model, world);
  await Promise.all([
    ...model.names.map((name) => compareAvailability(model, world, name)),
    ...[...model.contacts.values()].map((contact) => compareContact(model, world, contact)),
    ...model.names.flatMap((name) => REGISTRARS.map((who) => compareRead(model, world, who, name))),
  ]);
  await compareZones(model, world);
}

async function listDomains(model: RegistryModel, world: World, who: RegistrarCode): Promise<Data[]> {
  return (await world.read(who, `/domains?details=true&q=${model.prefix}`)).body.data.domains;
}

/** The moment of a purge is the registry's choice; that it happened and was notified is not. */
function adoptPurges(model: RegistryModel, seen: ReadonlySet<string>): void {
  for (const domain of [...model.domains.values()]) {
    if (mayBePurged(domain) && !seen.has(domain.name)) purge(model, domain);
    else if (mustBePurged(domain, model.now)) throw new Error(`${domain.name} should have been purged`);
  }
}

async function compareBalance(model: RegistryModel, world: World, who: RegistrarCode): Promise<void> {
  const { data } = (await world.read(who, '/accounts/balance')).body;
  expect(data, `the balance of ${who}`).toEqual({ balance: decimal(model.balances[who]), currency: 'EUR' });
}

async function compareMessages(model: RegistryModel, world: World, who: RegistrarCode): Promise<void> {
  model.notified.delete(who);
  const listed = await unreadOf(model, world, who);
  const written = ({ type, about }: Message) => `${type} ${about}`;
  const expected = model.unread.filter(({ to }) => to === who);
  expect(listed.map(written).toSorted(), `messages to ${who}`).toEqual(expected.map(written).toSorted());
}

/** An idle contact is archived within a day after its months have passed. */
async function adoptArchiving(model: RegistryModel, world: World): Promise<void> {
  noteIdleness(model);
  for (const contact of model.contacts.values()) {
    if (!mayBeArchived(contact, model.now)) continue;
    const { code, sponsor } = contact;
    const { status } = await world.read(sponsor, `/contacts/${encodeURIComponent(code)}`);
    if (status === 410) archive(model, contact);
    else if (mustBeArchived(contact, model.now)) throw new Error(`${code} should have been archived`);
  }
}

export type UnreadMessage = Message & { readonly id: number };

/** The unread messages, newest first, and the object of the sequence that each names; the model knows no statements. */
export async function unreadOf(
  model: RegistryModel,
  world: World,
  who: RegistrarCode,
): Promise<UnreadMessage[]> {
  const reply = await world.read(who, '/registrar/notifications/all_notifications?limit=1000');
  const objects = [...model.names, ...model.contacts.keys(), ...model.removedCodes];
  const about = (text: string) => objects.find((name) => text.includes(name)) ?? '';
  return reply.body.data
    .filter(({ type }: Data) => type !== 'statement_ready')
    .map(({ id, type, text }: Data) => ({ id, to: who, type, about: about(text) }));
}

async function compareAvailability(model: RegistryModel, world: World, name: string): Promise<void> {
  const { data } = (await world.read('BETA', `/domains/check/${encodeURIComponent(name)}`)).body;
  const free = !model.domains.has(name);
  expect(data).toEqual({ domain: { name, available: free, reason: free ? null : 'in use' } });
}
