import { expect, test } from 'vitest';
import { readDomainJson } from '../../../src/doors/registrar-api/domain-json.ts';
import { type DomainUpdate, updateDomain } from '../../../src/registry/domains/update-domain.ts';
import type { Context } from '../../../src/registry/operation.ts';
import { answerRequest } from '../../../src/registry/requests/answer-request.ts';
import { coreForThisFile } from '../../support/core.ts';
import { nameserver, signedKey } from '../../support/decisions.ts';
import { sql } from '../../support/sql.ts';

const core = coreForThisFile();
const update = (name: string, change: Omit<DomainUpdate, 'name'>, context: Context) =>
  core.run(updateDomain, { name, ...change }, context);
const read = async (name: string, context: Context) =>
  JSON.parse(await readDomainJson(core.database.reads, name, context));
const KEY = { ...signedKey('x'), publicKey: Buffer.alloc(64, 7).toString('base64') };
const hosts = (...names: string[]) => names.map((hostname) => ({ hostname }));

/** The token in the newest mail about a domain. */
async function tokenOf(name: string): Promise<string> {
  const { text } = await core.database.reads.one(sql<{ text: string }>`
    select text from mails where subject like ${`%${name}%`} and text like '%/confirm/%' order by id desc limit 1`);
  return /\/confirm\/([\w-]+)/.exec(text)?.[1] ?? '';
}

test('success: all changes are stored by one statement, with one row of history', async () => {
  const context = await core.context('alpha', { clientTransactionId: 'ABC-1' });
  const [tech, other] = [await core.contact(context), await core.contact(context)];
  const name = await core.domain(context, {
    techs: [tech],
    nameservers: [nameserver('ns1.example.net', ['192.0.2.1']), nameserver('ns2.example.net')],
    dnsKeys: [KEY],
  });
  const change: Omit<DomainUpdate, 'name'> = {
    remove: {
      contacts: [{ code: tech, role: 'tech' }],
      nameservers: hosts('ns1.example.net', 'ns2.example.net'),
      keys: 'all',
    },
    add: {
      contacts: [{ code: other, role: 'admin' }],
      // The same host with another address, and the same key with other flags.
      nameservers: [nameserver('ns1.example.net', ['192.0.2.2']), nameserver('ns3.example.net')],
      statuses: [{ status: 'clientHold' }],
      keys: [{ ...KEY, flags: 256 }],
    },
    transferCode: 'chosen-by-us',
  };
  expect(await update(name, change, context)).toMatchObject({ name, isPending: false });
  expect(await read(name, context)).toMatchObject({
    contacts: [{ code: other, type: 'AdminDomainContact' }],
    nameservers: [{ hostname: 'ns1.example.net', ipv4: ['192.0.2.2'] }, { hostname: 'ns3.example.net' }],
    dnssec_keys: [{ flags: 256, public_key: KEY.publicKey }],
    statuses: { clientHold: '' },
    transfer_code: 'chosen-by-us',
  });
  const tags = await core.database.reads.rows(sql<{ key_tag: number }>`
    select key_tag from domain_keys k join domains d on d.id = k.domain_id where d.name = ${name}`);
  expect(tags).toHaveLength(1);
  const rows = await core.database.reads.rows(sql`
    select operation, actor, client_transaction_id as client from history where object_name = ${name} order by id`);
  expect(rows.slice(1)).toEqual([{ operation: 'update', actor: 'epp:alpha', client: 'ABC-1' }]);
});

test('failure: nothing is stored if one of the changes is refused', async () => {
  const context = await core.context('alpha');
  const name = await core.domain(context);
  const before = await read(name, context);
  const change = {
    add: { statuses: [{ status: 'clientHold' }], keys: [KEY] },
    remove: { nameservers: hosts('ns1.example.net') },
  };
  await expect(update(name, change, context)).rejects.toThrow('Object does not exist: ns1.example.net');
  expect(await read(name, context)).toEqual(before);
});

test('success: further changes wait for the registrant, and are stored on confirmation', async () => {
  const context = await core.context('alpha', { requestId: 'the-request', clientTransactionId: 'ABC-2' });
  const ident = { ident: '37605030299', type: 'priv', countryCode: 'EE' };
  const [registrant, tech] = [await core.contact(context, { ident }), await core.contact(context)];
  const name = await core.domain(context);
  const change: Omit<DomainUpdate, 'name'> = {
    registrant: { code: registrant, verified: false },
    add: { contacts: [{ code: tech, role: 'tech' }], keys: [KEY] },
  };
  expect(await update(name, change, context)).toMatchObject({ name, isPending: true });
  expect(await read(name, context)).toMatchObject({ contacts: [], dnssec_keys: [] });
  const [asked] = await core.database.reads.rows(sql`
    select request_id as request, client_transaction_id as client, further_changes -> 'add' -> 'contacts' as contacts
    from registrant_requests q join domains d on d.id = q.domain_id where d.name = ${name}`);
  expect(asked).toEqual({
    request: 'the-request',
    client: 'ABC-2',
    contacts: [{ code: tech, role: 'tech' }],
  });
  const answered = await answerRequest(
    { database: core.database, policy: context.policy },
    await tokenOf(name),
    'confirm',
    { now: new Date(), requestId: 'the-answer' },
  );
  expect(answered).toMatchObject({ state: 'confirmed', hasFurtherChanges: true });
  expect(await read(name, context)).toMatchObject({
    registrant: { code: registrant },
    contacts: [{ code: tech }],
    dnssec_keys: [{ public_key: KEY.publicKey }],
    statuses: { inactive: '' },
  });
});
