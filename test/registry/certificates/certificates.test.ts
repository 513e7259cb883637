import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import { createAuthority, signRequest } from '../../../src/platform/certificates/authority.ts';
import { readCertificate } from '../../../src/platform/certificates/certificate.ts';
import { readRequest } from '../../../src/platform/certificates/certificate-request.ts';
import { ee } from '../../../src/policy/ee.ts';
import {
  listAuthorities,
  retireAuthority,
  trustAuthority,
} from '../../../src/registry/certificates/authorities.ts';
import {
  listCertificates,
  recordCertificate,
  revokeCertificate,
} from '../../../src/registry/certificates/certificates.ts';
import { signDueLists } from '../../../src/registry/certificates/revocation-lists.ts';
import { createUser } from '../../../src/registry/users/create-user.ts';
import { post } from '../../support/billing.ts';
import {
  askFor,
  change,
  type OwnAuthority,
  ownAuthority,
  selfSigned,
  signedFor,
} from '../../support/certificates.ts';
import { alpha } from '../../support/client.ts';
import { freshCode } from '../../support/contacts.ts';
import { operator } from '../../support/operator.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let authority: OwnAuthority;
beforeAll(async () => {
  registry = await startRegistry();
  authority = await ownAuthority(registry.sql);
});
afterAll(() => registry.stop());

const DAY_MS = 86_400_000;
async function newUser(): Promise<string> {
  const username = freshCode();
  const user = { username, registrar: 'ALPHA', roles: ['epp' as const], password: 'a long enough password' };
  await carryOut(registry.sql, createUser, user, operator());
  return username;
}
const sign = (username: string) => signedFor(registry.sql, authority, username);
const statusesOf = async (user: string) =>
  (await listCertificates(registry.sql, new Date(), { user })).map(({ status }) => status);

describe('signing', () => {
  test('success: two for one user during a replacement', async () => {
    const user = await newUser();
    await sign(user);
    await sign(user);
    expect(await statusesOf(user)).toEqual(['valid', 'valid']);
  });

  test('failure: a third, also with concurrent requests', async () => {
    const user = await newUser();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, () => registry.sql.begin((db) => signedFor(db, authority, user))),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(await statusesOf(user)).toEqual(['valid', 'valid']);
    await expect(sign(user)).rejects.toThrow('has 2 valid certificates already; revoke one first');
  });

  test('success: another once one was revoked or has expired', async () => {
    const user = await newUser();
    const [first] = [
      await sign(user),
      await signedFor(registry.sql, authority, user, new Date(Date.now() - 365.1 * DAY_MS)),
    ];
    await sign(user);
    expect((await statusesOf(user)).toSorted()).toEqual(['expired', 'valid', 'valid']);
    await revokeCertificate(registry.sql, first.certificate.serial, { ...change, reason: 'lost' });
    await sign(user);
    expect((await statusesOf(user)).toSorted()).toEqual(['expired', 'revoked', 'valid', 'valid']);
  });

  test('failure: a name that no user has', async () => {
    await expect(sign('nobody')).rejects.toThrow('There is no user nobody; the CN must be the username.');
  });

  test('failure: an authority that has expired', async () => {
    const user = await newUser();
    const late = new Date(Date.now() + 3651 * DAY_MS);
    await expect(signedFor(registry.sql, authority, user, late)).rejects.toThrow('has expired');
  });

  test('failure: revoking twice, or an unknown certificate', async () => {
    const { certificate } = await sign(await newUser());
    const revoke = (serial: string) => revokeCertificate(registry.sql, serial, { ...change, reason: 'lost' });
    expect(await revoke(certificate.serial)).toBe(certificate.commonName);
    expect(await revoke(certificate.serial)).toBeUndefined();
    expect(await revoke('ff')).toBeUndefined();
  });
});

describe("another's authority", () => {
  const validity = { from: new Date(Date.now() - DAY_MS), until: new Date(Date.now() + 30 * DAY_MS) };
  async function elsewhere(username: string) {
    const other = await createAuthority('EPP', validity);
    const certificate = readCertificate(other.certificate);
    if (!certificate) throw new Error('no certificate');
    const asked = await readRequest((await askFor(username)).request);
    const pem = await signRequest(other, asked, { organisation: 'Any', validity });
    return { certificate, pem };
  }

  test('success: its certificates can be recorded once it is trusted', async () => {
    const user = await newUser();
    const { certificate, pem } = await elsewhere(user);
    await expect(recordCertificate(registry.sql, pem, change)).rejects.toThrow('No authority that we trust');
    const id = await trustAuthority(registry.sql, { name: 'EPP', certificate }, change);
    expect(await trustAuthority(registry.sql, { name: 'EPP', certificate }, change)).toBeUndefined();
    await recordCertificate(registry.sql, pem, change);
    expect(await statusesOf(user)).toEqual(['valid']);
    await expect(recordCertificate(registry.sql, pem, change)).rejects.toThrow('on record already');
    expect(await retireAuthority(registry.sql, id ?? 0, change)).toBe(true);
    expect(await retireAuthority(registry.sql, id ?? 0, change)).toBe(false);
    expect(await statusesOf(user)).toEqual(['untrusted']);
  });

  test('failure: no certificate, or one of an unknown authority', async () => {
    await expect(recordCertificate(registry.sql, 'hello', change)).rejects.toThrow('no certificate in PEM');
    const { cert } = await selfSigned('alpha');
    await expect(recordCertificate(registry.sql, cert, change)).rejects.toThrow('No authority that we trust');
  });

  test('failure: one that names no user, or that has expired', async () => {
    const { certificate, pem } = await elsewhere('nobody-here');
    await trustAuthority(registry.sql, { name: 'EPP', certificate }, change);
    await expect(recordCertificate(registry.sql, pem, change)).rejects.toThrow(
      'There is no user nobody-here',
    );
    const late = { ...change, at: new Date(Date.now() + 31 * DAY_MS) };
    await expect(recordCertificate(registry.sql, pem, late)).rejects.toThrow('has expired');
  });
});

describe('the list of revoked certificates', () => {
  const read = async (place: string) => fetch(`${registry.url}/ca/${place}`);
  const numberOfList = async () => {
    const [row] = await registry.sql.rows(sql<{ number: number }>`
      select revocation_list_number as number from authorities where id = ${authority.id}`);
    return row?.number;
  };
  const signDue = (now: Date) =>
    signDueLists(registry.sql, async ({ id }) => (id === authority.id ? authority.key : undefined), now, ee);

  test('success: signed when something was revoked or its time runs out, and not otherwise', async () => {
    const now = new Date();
    await signDue(now);
    const first = (await numberOfList()) ?? 0;
    await signDue(now);
    expect(await numberOfList()).toBe(first);
    const { certificate } = await sign(await newUser());
    await revokeCertificate(registry.sql, certificate.serial, { ...change, reason: 'lost' });
    await signDue(now);
    expect(await numberOfList()).toBe(first + 1);
    await signDue(new Date(now.getTime() + 3.9 * DAY_MS));
    expect(await numberOfList()).toBe(first + 1);
    await signDue(new Date(now.getTime() + 4 * DAY_MS));
    expect(await numberOfList()).toBe(first + 2);
  });

  test('success: it is public, like the certificate of the authority', async () => {
    await signDue(new Date());
    const list = await read(`${authority.id}.crl`);
    expect(list.headers.get('content-type')).toBe('application/pkix-crl');
    expect((await list.arrayBuffer()).byteLength).toBeGreaterThan(100);
    expect(await (await read(`${authority.id}.pem`)).text()).toBe(authority.certificate);
    const [listed] = (await listAuthorities(registry.sql)).filter(({ id }) => id === authority.id);
    expect(listed).toMatchObject({ status: 'signs', revocationListUntil: expect.any(Date) });
  });

  test('failure: of an unknown authority, or one without a list', async () => {
    for (const place of ['9999.crl', '9999.pem', 'x.crl', '99999999999999999999.pem', '.pem'])
      expect((await read(place)).status, place).toBe(404);
  });
});

test('success: a registrar is notified before a certificate expires, by poll message and mail, three times', async () => {
  const { certificate } = await signedFor(registry.sql, authority, 'alpha');
  await registry.sql.run(sql`update registrars set email = 'hostmaster@alpha.example' where code = 'ALPHA'`);
  const notices = async () => {
    const rows = await registry.sql.rows(sql`
      select from poll_messages where type = 'certificate_expiring' and text like ${`%${certificate.serial}%`}`);
    const mails = await registry.sql.rows(
      sql`select from mails where text like ${`%${certificate.serial}%`}`,
    );
    return { messages: rows.length, mails: mails.length };
  };
  const until = certificate.validUntil.getTime();
  const moveTo = (daysBefore: number) =>
    post(`${registry.url}/sandbox/clock`, { set: new Date(until - daysBefore * DAY_MS).toISOString() });
  await moveTo(31);
  expect(await notices()).toEqual({ messages: 0, mails: 0 });
  await moveTo(29);
  expect(await notices()).toEqual({ messages: 1, mails: 1 });
  await moveTo(0.5);
  expect(await notices()).toEqual({ messages: 3, mails: 3 });
  await moveTo(-10);
  expect(await notices()).toEqual({ messages: 3, mails: 3 });
  const { body } = await alpha(registry.url).get('/registrar/notifications/all_notifications?limit=200');
  expect(JSON.stringify(body)).toContain(`Certificate ${certificate.serial} of user alpha expires at`);
});
