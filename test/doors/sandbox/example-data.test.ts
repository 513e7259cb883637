import { describe, expect, test } from 'vitest';
import { sandboxCommand } from '../../../src/commands/serve-command.ts';
import { alpha } from '../../support/client.ts';
import { createContact } from '../../support/contacts.ts';
import { registryForThisTest } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

const load = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/sandbox/example-data`, { method: 'POST', headers });

describe('loading the example data', () => {
  test('failure: a name that it needs is taken, and nothing is changed', async () => {
    const { url, sql: db } = await registryForThisTest();
    await createContact(alpha(url), { id: 'kuubik' });
    const answer = await load(url);
    expect([answer.status, await answer.json()]).toEqual([
      409,
      { error: 'kuubik is taken, which the example needs. Reset the sandbox first.' },
    ]);
    expect(await db.one(sql<{ contacts: number }>`select count(*)::int as contacts from contacts`)).toEqual({
      contacts: 1,
    });
    const page = await load(url, { accept: 'text/html' });
    expect(page.status).toBe(409);
    expect(await page.text()).toContain('<h1>The example data was not loaded</h1>');
  });

  test('failure: it was interrupted before', async () => {
    const { url, sql: db } = await registryForThisTest();
    await db.run(sql`
      insert into history (at, object_kind, object_id, object_name, operation, actor, request_id)
      values (now(), 'contact', 1, 'kuubik', 'create', 'person:alpha@sandbox.example', 'example-alpha-1')`);
    const answer = await load(url);
    expect([answer.status, await answer.json()]).toEqual([
      409,
      { error: 'Loading the example data was interrupted before. Reset the sandbox first.' },
    ]);
  });

  test('failure: from a page of another site', async () => {
    const { url } = await registryForThisTest();
    expect((await load(url, { origin: 'https://attacker.example' })).status).toBe(403);
  });

  test('success: the home page has a button for it', async () => {
    const { url } = await registryForThisTest();
    const home = await (await fetch(url)).text();
    expect(home).toContain('<form class="search" method="post" action="/sandbox/example-data"><button>');
  });
});

test('success: the command can begin with it', async () => {
  const given: unknown[] = [];
  const run = async (options: object) => void given.push({ ...options });
  await sandboxCommand(run).parseAsync(['--example-data'], { from: 'user' });
  await sandboxCommand(run).parseAsync([], { from: 'user' });
  expect(given).toEqual([{ exampleData: true }, {}]);
});
