import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import { invitePerson } from '../../../src/registry/people/invite-person.ts';
import { withdrawInvitation } from '../../../src/registry/people/withdraw-invitation.ts';
import { ConsoleClient, historyOf, loggedIn, PEOPLE, setUpApp } from '../../support/console.ts';
import { operator } from '../../support/operator.ts';
import { freshRegistryForThisTest, startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { waitingFor } from '../../support/waiting.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.stop());

const PASSWORD = 'four unrelated words here';

/** The link in the mail. */
async function invited(email: string, registrar = 'ALPHA', { sql: db, url } = registry): Promise<string> {
  const details = { email, name: email, language: 'en', registrar, roles: ['reader'] } as const;
  await carryOut(db, invitePerson, { ...details, publicUrl: url, wallTime: new Date() }, operator());
  const { text } = await db.one(sql<{ text: string }>`
    select text from mails where recipient = ${email} order by id desc limit 1`);
  return /\/console\/invitation\/\S+/.exec(text)?.[0] ?? '';
}
const visitor = () => new ConsoleClient(registry.url);
const count = async (email: string) =>
  (await registry.sql.rows(sql`select from people where email_key = ${email}`)).length;

describe('an invitation', () => {
  test('success: opening it changes nothing; name and password create a person who is logged in', async () => {
    const address = await invited('mari@alpha.example');
    const client = visitor();
    for (const _time of [1, 2]) {
      const { status, text, headers } = await client.get(address);
      expect(status).toBe(200);
      expect(text).toContain('You are invited to work for Alpha Registrar');
      expect(text).toContain('mari@alpha.example');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cache-control')).toBe('no-store');
    }
    expect(await count('mari@alpha.example')).toBe(0);
    const accepted = await client.post(address, { name: ' Mari Maasikas ', password: PASSWORD });
    expect([accepted.status, accepted.to]).toEqual([303, '/console']);
    expect((await client.get('/console')).text).toContain('Mari Maasikas');
    expect((await visitor().logIn('mari@alpha.example', PASSWORD)).status).toBe(303);
    expect((await historyOf(registry.sql, 'mari@alpha.example'))[0]).toEqual({
      operation: 'accept invitation',
      actor: 'person:mari@alpha.example',
    });
  });

  test('success: in Estonian', async () => {
    const address = await invited('eesti@alpha.example');
    const { text } = await visitor().get(address.replace('lang=en', 'lang=et'));
    expect(text).toContain('<html lang="et">');
    expect(text).toContain('Võta kutse vastu');
  });

  test('success: a person with an account accepts when logged in, and the password stays', async () => {
    const [email, password] = PEOPLE.beta;
    const address = await invited(email);
    const asked = await visitor().get(address);
    expect(asked.text).toContain(`There is an account for ${email}`);
    expect(asked.text).not.toContain('type="password"');
    const fields = { name: 'Evil', password: PASSWORD };
    expect((await visitor().post(address, fields)).status).toBe(403);
    expect((await (await loggedIn(registry.url, 'reader')).post(address, fields)).status).toBe(403);

    const client = visitor();
    const login = await client.post('/console/login', { email, password, next: address });
    expect([login.status, login.to]).toEqual([303, address]);
    expect((await client.get(address)).text).toContain('You are logged in');
    const accepted = await client.post(address, {});
    expect([accepted.status, accepted.to]).toEqual([303, '/console?notice=invitationAccepted']);
    expect((await client.get(accepted.to ?? '')).text).toContain('The invitation is accepted.');
    expect((await client.post('/console/registrar', { registrar: 'ALPHA' })).status).toBe(303);
    expect((await client.post(address, {})).status).toBe(404);
    expect((await visitor().logIn(email, password)).status).toBe(303);
  });

  test('success: in production it leads to the second factor, and to nothing else before', async () => {
    const production = await freshRegistryForThisTest({ mode: 'production' });
    const client = new ConsoleClient(production.url);
    const first = await invited('new@alpha.example', 'ALPHA', production);
    expect((await client.post(first, { name: 'New', password: PASSWORD })).to).toBe('/console');
    expect((await client.get('/console')).to).toBe('/console/account/code');
    const second = await invited('new@alpha.example', 'BETA', production);
    expect((await client.post(second, {})).to).toBe('/console/account/code');
    await setUpApp(client);
    expect((await client.post(second, {})).to).toBe('/console?notice=invitationAccepted');
  });

  test.each([
    ['expired', sql`expires_at = now() - interval '1 second'`],
    ['used', sql`accepted_at = now()`],
  ])('failure: one that is %s', async (state, changed) => {
    const email = `${state}@alpha.example`;
    const address = await invited(email);
    await registry.sql.run(sql`update invitations set ${changed} where email = ${email}`);
    await expectClosed(address);
    expect(await count(email)).toBe(0);
  });

  test('failure: of two concurrent acceptances the second finds it used', async () => {
    const email = 'twice@alpha.example';
    const address = await invited(email);
    const { replies } = await registry.sql.begin(async (holding) => {
      await holding.run(sql`select from invitations where email = ${email} for update`);
      const replies = Promise.all(
        ['One', 'Two'].map((name) => visitor().post(address, { name, password: PASSWORD })),
      );
      await expect.poll(() => waitingFor(holding), { interval: 10 }).toBe(2);
      return { replies };
    });
    expect((await replies).map(({ status }) => status).sort()).toEqual([303, 404]);
  });

  test('failure: one that was withdrawn, and tokens that were never issued', async () => {
    const address = await invited('withdrawn@alpha.example');
    const membership = { email: 'withdrawn@alpha.example', registrar: 'ALPHA' };
    await carryOut(registry.sql, withdrawInvitation, { ...membership, wallTime: new Date() }, operator());
    await expectClosed(address);
    for (const token of ['x', 'x'.repeat(43), '%00', '..%2Flogin'])
      await expectClosed(`/console/invitation/${token}?lang=en`);
  });

  test.each([
    ['a short password', { name: 'Mari', password: 'short' }, 'Use 12 to 200 characters'],
    ['no password', { name: 'Mari' }, 'Use 12 to 200 characters'],
    ['no name', { name: ' ', password: PASSWORD }, 'Enter a name of 1 to 100 visible characters'],
    [
      'a hidden name',
      { name: 'a\u202Eb', password: PASSWORD },
      'Enter a name of 1 to 100 visible characters',
    ],
  ])('failure: %s; the invitation stays open', async (what, fields, message) => {
    const email = `${what.replaceAll(' ', '-')}@alpha.example`;
    const address = await invited(email);
    const refused = await visitor().post(address, fields as Record<string, string>);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(message);
    expect(refused.text).not.toContain(PASSWORD);
    expect(await count(email)).toBe(0);
    expect((await visitor().post(address, { name: 'Mari', password: PASSWORD })).status).toBe(303);
  });

  test('failure: a form of another site', async () => {
    const address = await invited('foreign@alpha.example');
    const fields = { name: 'Mari', password: PASSWORD };
    for (const site of ['cross-site', 'same-site'])
      expect((await visitor().post(address, fields, { 'sec-fetch-site': site })).status).toBe(403);
    expect(await count('foreign@alpha.example')).toBe(0);
  });
});

async function expectClosed(address: string): Promise<void> {
  const answers = [
    await visitor().get(address),
    await visitor().post(address, { name: 'Mari', password: PASSWORD }),
  ];
  for (const { status, text, headers } of answers) {
    expect([address, status]).toEqual([address, 404]);
    expect(text).toContain('This invitation is not valid');
    expect(headers.getSetCookie()).toEqual([]);
  }
}
