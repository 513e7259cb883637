import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../../src/platform/sql/statement.ts';
import type { EppClient } from '../../support/epp.ts';
import { envelope, poll } from '../../support/epp-frames.ts';
import { objectCommands } from '../../support/epp-objects.ts';
import { type EppTestServer, startEppServerForTest } from '../../support/epp-server.ts';
import { createContact, createDomain, ident, newId, newName, person } from './acceptance/cases.ts';

/** Values that the registry has and a schema does not allow. The client checks every answer against the schemas. */

const ietf = objectCommands('ietf');
const ee = objectCommands('ee');
const former = objectCommands('ee-1.1');

let server: EppTestServer;
let client: EppClient;
beforeAll(async () => {
  server = await startEppServerForTest();
  client = await server.logIn('alpha');
});
afterAll(() => server.stop());

test('success: statuses that only the later schema of .ee has are shown to clients of the former as the standard has them', async () => {
  const name = await createDomain(client, await createContact(client));
  const statuses = { serverObjUpdateProhibited: '', serverExtensionUpdateProhibited: '', disputed: '' };
  await server.sql.run(
    sql`update domains set statuses = ${JSON.stringify(statuses)}::jsonb where name = ${name}`,
  );
  const shown = async ({ domain }: typeof ee) =>
    (await client.command(domain.info(name))).attributes('infData/status', 's').toSorted();
  expect(await shown(ee)).toEqual(Object.keys(statuses).toSorted());
  expect(await shown(former)).toEqual(['disputed', 'serverUpdateProhibited']);
  expect(await shown(ietf)).toEqual([
    'serverDeleteProhibited',
    'serverTransferProhibited',
    'serverUpdateProhibited',
  ]);
});

test('failure: codes of contacts below three characters cannot be shown in either dialect', async () => {
  const id = await createContact(client);
  const name = await createDomain(client, id);
  for (const { contact } of [ietf, ee]) {
    expect((await client.command(contact.create('Q', person), ident)).codes).toEqual([2005]);
    expect((await client.command(contact.check('Q'))).codes).toEqual([2005]);
  }
  await server.sql.run(sql`update contacts set code = 'Q', code_key = 'q' where code = ${id}`);
  for (const { contact, domain } of [ietf, ee]) {
    expect((await client.command(contact.info('Q'))).codes).toEqual([2303]);
    expect((await client.command(domain.info(name))).text('infData/registrant')).toBeUndefined();
  }
});

test('success: the id of a request to the REST API may be shorter or longer than one of EPP', async () => {
  const name = newName();
  for (const requestId of ['a', 'b'.repeat(128), 'c'.repeat(64)]) {
    const action = { kind: 'pending action', name, succeeded: true, clientTransactionId: null };
    const change = { kind: 'change', object: 'domain', name, operation: 'update', who: 'x', reason: null };
    for (const details of [action, change])
      await server.sql.run(sql`
        insert into poll_messages (registrar_id, type, text, created_at, details)
        select id, 'update_confirmed', 'text', now(),
          ${JSON.stringify({ ...details, requestId, at: new Date().toISOString() })}::jsonb
        from registrars where code = 'ALPHA'`);
  }
  const ids = [];
  for (let answer = await next(); answer.code === 1301; answer = await next()) {
    ids.push(answer.text('panData/paTRID/svTRID') ?? answer.text('changeData/svTRID'));
    await client.command(poll.acknowledge(answer.attribute('msgQ', 'id') ?? ''));
  }
  expect(ids).toEqual(['registry', 'b'.repeat(64), 'c'.repeat(64)].flatMap((id) => [id, id]));

  function next() {
    return client.command(poll.request);
  }
});

test('success: a change by an operator shows neither its name nor the reason in the history', async () => {
  const details = {
    kind: 'change',
    object: 'domain',
    name: newName(),
    operation: 'update',
    requestId: null,
    who: 'operator:mari',
    reason: 'a court order',
    at: new Date().toISOString(),
  };
  await server.sql.run(sql`
    insert into poll_messages (registrar_id, type, text, created_at, details)
    select id, 'status_set', 'text', now(), ${JSON.stringify(details)}::jsonb from registrars where code = 'ALPHA'`);
  const answer = await client.command(poll.request);
  await client.command(poll.acknowledge(answer.attribute('msgQ', 'id') ?? ''));
  expect(answer.text('changeData/who')).toBe('registry');
  expect(answer.frame).not.toMatch(/mari|court/);
});

test('failure: of several elements of one name each result has its own', async () => {
  const long = [`${newId()}-AND-MORE`, `${newId()}-AND-MORE`];
  const answer = await client.command(ietf.contact.check(...long, newId()));
  expect(answer.codes).toEqual([2005, 2005]);
  expect(answer.texts('value/id')).toEqual(long);
});

/** A letter of two units in UTF-16, which counts as one character. */
const ASTRAL = '\u{20000}';

test('success: lengths are counted in characters', async () => {
  const id = ASTRAL.repeat(64);
  expect((await client.send(envelope(poll.request, [], id))).clTRID).toBe(id);
  expect((await client.command(ietf.contact.check(ASTRAL.repeat(3), ASTRAL.repeat(16)))).codes).toEqual([
    1000,
  ]);
  expect((await client.command(ietf.domain.check(ASTRAL.repeat(255)))).codes).toEqual([1000]);
  const [name, code] = [ASTRAL.repeat(255), newId()];
  const address = { ...person.address, city: name };
  expect(
    (await client.command(ietf.contact.create(code, { ...person, name, address }), ident)).codes,
  ).toEqual([1000]);
  expect((await client.command(ietf.contact.info(code))).text('postalInfo/name')).toBe(name);
});

test('failure: texts of too many or too few characters', async () => {
  for (const count of [2, 65])
    expect((await client.send(envelope(poll.request, [], ASTRAL.repeat(count)))).codes).toEqual([2005]);
  const codes = [ASTRAL.repeat(2), ASTRAL.repeat(17)];
  expect((await client.command(ietf.contact.check(...codes))).codes).toEqual([2005, 2005]);
  expect((await client.command(ietf.domain.check(ASTRAL.repeat(256)))).codes).toEqual([2005]);
  const name = ASTRAL.repeat(256);
  expect((await client.command(ietf.contact.create(newId(), { ...person, name }), ident)).codes).toEqual([
    2005,
  ]);
});
