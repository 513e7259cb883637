import { expect, test } from 'vitest';
import { readDomainJson } from '../../../../src/doors/registrar-api/domain-json.ts';
import { deleteDomain } from '../../../../src/registry/domains/delete-domain.ts';
import { readRegistered } from '../../../../src/registry/domains/readings/read-domain.ts';
import { readDomainRecord } from '../../../../src/registry/domains/readings/read-domain-record.ts';
import { updateDomain } from '../../../../src/registry/domains/update-domain.ts';
import { checkNames } from '../../../../src/registry/names/availability.ts';
import type { Context } from '../../../../src/registry/operation.ts';
import { quotePrices } from '../../../../src/registry/prices/prices.ts';
import { transferDomain } from '../../../../src/registry/transfers/transfer-domain.ts';
import { coreForThisFile } from '../../../support/core.ts';
import { nameserver, signedKey } from '../../../support/decisions.ts';
import { sql } from '../../../support/sql.ts';

const core = coreForThisFile();
const read = (name: string, context: Context, transferCode?: string) =>
  readDomainRecord(core.database, name, { ...context, transferCode });
const codeOf = async (name: string, context: Context) =>
  (await readRegistered(core.database.reads, name, context))?.transferCode ?? '';

test('success: every field of a domain, with those who created and changed it', async () => {
  const [alpha, beta] = [await core.context('alpha'), await core.context('beta')];
  const [registrant, tech] = [await core.contact(alpha), await core.contact(alpha)];
  const key = { ...signedKey('x'), publicKey: Buffer.alloc(64, 7).toString('base64') };
  const name = await core.domain(alpha, {
    registrant,
    admins: [registrant],
    techs: [tech],
    transferCode: 'chosen-by-us',
    nameservers: [nameserver('ns1.example.net', ['192.0.2.1']), nameserver('ns2.example.net')],
    dnsKeys: [key],
  });
  const { flags, protocol, alg, publicKey } = key;
  const fresh = await read(name, alpha);
  expect(fresh).toMatchObject({
    name,
    registrant,
    sponsor: 'ALPHA',
    creator: 'ALPHA',
    updater: null,
    transferredAt: null,
    contacts: [
      { code: registrant, role: 'admin' },
      { code: tech, role: 'tech' },
    ],
    nameservers: [
      { hostname: 'ns1.example.net', ipv4: ['192.0.2.1'], ipv6: [] },
      { hostname: 'ns2.example.net', ipv4: [], ipv6: [] },
    ],
    dnsKeys: [{ flags, protocol, alg, publicKey }],
    statuses: { ok: '' },
    transferCode: 'chosen-by-us',
    createdAt: alpha.now.toISOString(),
    updatedAt: alpha.now.toISOString(),
  });
  expect(fresh.expireTime).toMatch(/^\d{4}-\d\d-\d\dT2[12]:00:00\.000Z$/);

  await transferDomain(core.database, { name, transferCode: 'chosen-by-us' }, beta);
  expect(await read(name, beta)).toMatchObject({
    sponsor: 'BETA',
    creator: 'ALPHA',
    updater: 'BETA',
    transferCode: await codeOf(name, beta),
    transferredAt: beta.now.toISOString(),
  });
});

test('success: statuses are those of the registrar API', async () => {
  const context = await core.context('alpha');
  const name = await core.domain(context);
  const statusesOf = async () => {
    const { statuses } = JSON.parse(await readDomainJson(core.database.reads, name, context));
    expect((await read(name, context)).statuses).toEqual(statuses);
    return Object.keys(statuses).toSorted();
  };
  expect(await statusesOf()).toEqual(['inactive']);
  await core.run(deleteDomain, { name, verified: true, transferCode: undefined }, context);
  expect(await statusesOf()).toEqual(['inactive', 'pendingDelete', 'serverHold']);
});

test('success: an earlier domain of the same name is not included', async () => {
  const [alpha, beta] = [await core.context('alpha'), await core.context('beta')];
  const name = await core.domain(alpha);
  await core.run(updateDomain, { name, registrant: undefined, transferCode: 'another-code' }, alpha);
  expect(await read(name, alpha)).toMatchObject({ creator: 'ALPHA', updater: 'ALPHA' });
  await core.database.writes.run(sql`delete from domains where name = ${name}`);
  await core.domain(beta, { name: { unicode: name, ascii: name, zone: 'ee' } as never });
  expect(await read(name, beta)).toMatchObject({ creator: 'BETA', updater: null });
});

test('failure: the code is shown to the sponsor and to those who send it; wrong ones are counted', async () => {
  const [alpha, beta] = [await core.context('alpha'), await core.context('beta')];
  const name = await core.domain(alpha);
  const code = await codeOf(name, alpha);
  expect(await read(name, beta)).toEqual({ ...(await read(name, alpha)), transferCode: null });
  expect(await read(name, beta, code)).toEqual(await read(name, alpha, 'ignored'));
  for (let guess = 0; guess < alpha.policy.domains.wrongCodesPerHour; guess++)
    await expect(read(name, beta, 'wrong')).rejects.toThrow('wrong transferCode');
  await expect(read(name, beta, code)).rejects.toThrow('Too many wrong codes');
  expect(await read(name, beta)).toMatchObject({ transferCode: null });
  await expect(read('nothing-here.ee', alpha)).rejects.toThrow('Object does not exist');
});

test('success: many names are checked at once, in their order', async () => {
  const context = await core.context('alpha');
  const name = await core.domain(context);
  const asked = [
    'free-name.ee',
    name,
    'blocked.ee',
    name.toUpperCase(),
    'reserved.ee',
    'com.ee',
    'a b.ee',
    'x',
  ];
  const checks = await checkNames(core.database.reads, asked, context);
  expect(checks.map(({ name: checked, available, reason }) => [checked, available, reason])).toEqual([
    ['free-name.ee', true, null],
    [name, false, 'in use'],
    ['blocked.ee', false, 'blocked'],
    [name, false, 'in use'],
    ['reserved.ee', false, 'reserved'],
    ['com.ee', false, 'zone'],
    ['a b.ee', false, 'invalid'],
    ['x', false, 'invalid'],
  ]);
  expect(await checkNames(core.database.reads, [], context)).toEqual([]);
});

test('success: prices are quoted at once, in their order', async () => {
  const context = await core.context('alpha');
  const quotes = [
    { zone: 'ee', operation: 'create', months: 12 },
    { zone: 'ee', operation: 'renew', months: 7 },
    { zone: 'ee', operation: 'renew', months: 3 },
  ] as const;
  const listed = await core.database.reads.rows(sql<{ key: string; amount: string }>`
    select operation || ' ' || months as key, amount::text from prices where zone = 'ee'`);
  const prices = new Map(listed.map(({ key, amount }) => [key, BigInt(amount)]));
  expect(await quotePrices(core.database.reads, quotes, context)).toEqual([
    prices.get('create 12'),
    undefined,
    prices.get('renew 3'),
  ]);
  expect(prices.get('create 12')).toBeGreaterThan(prices.get('renew 3') ?? 0n);
  const past = { ...context, now: new Date('2001-01-01T00:00:00Z') };
  expect(await quotePrices(core.database.reads, quotes, past)).toEqual([undefined, undefined, undefined]);
});
