import { domainToASCII } from 'node:url';
import { expect } from 'vitest';
import type { RegistryModel } from './state.ts';
import type { World } from './world.ts';

/** What is published of this sequence's domains is what their nameservers and holds say. */
export async function compareZones(model: RegistryModel, world: World): Promise<void> {
  const prefix = new RegExp(`^(xn--)?${model.prefix}`);
  const published = (await world.publishedLines()).filter((line) => prefix.test(line));
  const delegated = [...model.domains.values()].filter(
    ({ statuses }) => !statuses.has('clientHold') && !statuses.has('serverHold'),
  );
  const expected = delegated.flatMap(({ name, hosts }) =>
    hosts.map((host) => `${domainToASCII(name)}. 3600 IN NS ${domainToASCII(host)}.`),
  );
  expect(published.toSorted(), 'what is published').toEqual(expected.toSorted());
}
