import { expect } from 'vitest';
import { seedDatabase } from '../../src/app/seed.ts';
import type { DatabaseTarget } from '../../src/platform/database/database.ts';
import { ee } from '../../src/policy/ee.ts';
import { cadastre, type Environment } from './cadastre.ts';
import { everyCall, make } from './calls.ts';
import { alpha, beta } from './client.ts';
import { connectAsOwner } from './connect-as-owner.ts';
import { freshName, Registrant } from './domains.ts';
import { codeOf, take } from './transfers.ts';

/** The two logins of docs/operate/install.md and a database of the one that owns the schema. */
export async function makeLogins(administrator: DatabaseTarget, name: string) {
  const [owner, serving] = [`${name}_owner`, `${name}_serve`];
  const admin = await connectAsOwner(administrator);
  await admin.script(
    `do $$ begin create role cadastre_app nologin; exception when duplicate_object then null; end $$`,
  );
  await admin.script(
    `create role ${owner} login; create role ${serving} login; grant cadastre_app to ${owner}, ${serving}`,
  );
  await admin.script(`create database ${name} owner ${owner} encoding 'UTF8' template template0`);
  await admin.close();
  return {
    owner,
    serving,
    drop: async () => {
      const again = await connectAsOwner(administrator);
      await again.script(`drop database ${name} with (force)`);
      await again.script(`drop role ${owner}; drop role ${serving}`);
      await again.close();
    },
  };
}

/** Migrated by the command, with the registrars of the sandbox in it. */
export async function install(env: Environment & { readonly DATABASE_OWNER_URL: string }): Promise<void> {
  expect(await cadastre(['migrate'], { env })).toMatchObject({ code: 0, stderr: '' });
  const owner = await connectAsOwner(env.DATABASE_OWNER_URL);
  await seedDatabase(owner, ee, new Date());
  await owner.close();
}

/** Every call of the registrar API once: none fails. */
export async function makeEveryCall(url: string): Promise<void> {
  const client = alpha(url);
  const statuses = [];
  for (const call of await everyCall(client)) statuses.push([call.id, (await make(client, call)).status]);
  expect(statuses.filter(([, status]) => Number(status) >= 500)).toEqual([]);
}

/** Creates, renewals, transfers and lists, at the same time; tells the names that were registered. */
export async function makeTraffic(url: string, rounds: number): Promise<string[]> {
  const [from, to] = [alpha(url), beta(url)];
  const registrant = await Registrant.of(from);
  const one = async () => {
    const name = await registrant.register({ name: freshName() });
    const renewal = { domains: [name], renew_period: '1y' };
    expect((await from.post('/domains/renew/bulk', renewal)).status).toBe(200);
    expect((await from.get(`/domains/${name}`)).status).toBe(200);
    expect((await from.get('/domains?limit=50')).status).toBe(200);
    expect((await take(to, name, await codeOf(from, name))).status).toBe(200);
    return name;
  };
  return Promise.all(Array.from({ length: rounds }, one));
}
