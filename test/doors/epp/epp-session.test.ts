import { afterAll, beforeAll, describe, test } from 'vitest';
import type { EppAddress } from '../../../src/doors/sandbox/sandbox-addresses.ts';
import { freshName } from '../../support/domains.ts';
import { EppClient } from '../../support/epp.ts';
import { eis, envelope, fee, logInCommand, poll, secDns } from '../../support/epp-frames.ts';
import { objectCommands } from '../../support/epp-objects.ts';
import { startFreshRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { expect, onTestFinished } from '../../support/this-test.ts';
import { NOTICED } from '../../support/waiting.ts';

const IETF = 'urn:ietf:params:xml:ns:epp-1.0';
const EE = 'https://epp.tld.ee/schema/epp-ee-1.0.xsd';
const ietf = objectCommands('ietf');
const ee = objectCommands('ee');
const former = objectCommands('ee-1.1');

let registry: TestRegistry;
let epp: EppAddress;
beforeAll(async () => {
  registry = await startFreshRegistry({ eppPort: 0 });
  ({ epp } = (await (await fetch(`${registry.url}/sandbox`)).json()) as { epp: EppAddress });
});
afterAll(() => registry.stop());

async function connect(): Promise<EppClient> {
  const client = await EppClient.connect({ port: epp.port, ca: epp.ca_certificate });
  onTestFinished(() => client.close());
  return client;
}

async function logIn(user = 'alpha', options: Parameters<EppClient['logIn']>[2] = {}): Promise<EppClient> {
  const client = await connect();
  expect((await client.logIn(user, `${user}-sandbox-password`, options)).code).toBe(1000);
  return client;
}

describe('before the login', () => {
  test('success: the greeting comes first and answers hello, in the envelope of the frame', async () => {
    const client = await connect();
    expect(client.greeting.text('greeting/svcMenu/version')).toBe('1.0');
    expect(Date.parse(client.greeting.text('greeting/svDate') ?? '')).toBeGreaterThan(Date.now() - 30_000);
    expect((await client.hello()).root.namespace).toBe(IETF);
    expect((await client.send(`<epp xmlns="${EE}"><hello/></epp>`)).root.namespace).toBe(EE);
  });

  test.each([
    ['malformed XML', 'hello', 2001, IETF],
    ['a document of another kind', '<html/>', 2001, IETF],
    [
      'another version of the protocol',
      '<epp xmlns="urn:ietf:params:xml:ns:epp-2.0"><hello/></epp>',
      2100,
      IETF,
    ],
    ['an empty envelope', `<epp xmlns="${EE}"/>`, 2001, EE],
    ['an answer', `<epp xmlns="${EE}"><response/></epp>`, 2001, EE],
    ['an empty command', `<epp xmlns="${IETF}"><command/></epp>`, 2001, IETF],
    ['a command that EPP does not have', envelope({ body: '<list/>', envelope: EE }), 2000, EE],
    ['two commands in one', envelope({ body: '<logout/><logout/>' }), 2001, IETF],
    ['a document type', `<!DOCTYPE epp [<!ENTITY a "b">]><epp xmlns="${IETF}"><hello/></epp>`, 2001, IETF],
    ['a transaction id of two characters', envelope({ body: '<logout/>' }, [], 'ab'), 2005, IETF],
    ['a command about objects', envelope(ietf.domain.check('a.ee')), 2002, IETF],
    ['poll', envelope(poll.request), 2002, IETF],
    ['logout', envelope({ body: '<logout/>' }), 2002, IETF],
    ['an element in hello', `<epp xmlns="${EE}"><hello><a/></hello></epp>`, 2001, EE],
    ['a thousand in hello', `<epp xmlns="${EE}"><hello>${'<a/>'.repeat(1_000)}</hello></epp>`, 2001, IETF],
    ['text in hello', `<epp xmlns="${IETF}"><hello>there</hello></epp>`, 2001, IETF],
    [
      'an element in a transaction id',
      `<epp xmlns="${IETF}"><command><logout/><clTRID>ABC<a/></clTRID></command></epp>`,
      2001,
      IETF,
    ],
  ])('failure: %s', async (_, frame, code, namespace) => {
    const client = await connect();
    const answer = await client.send(frame);
    expect(answer.codes).toEqual([code]);
    expect(answer.root.namespace).toBe(namespace);
    expect((await client.hello()).root.name).toBe('epp');
  });

  test('failure: the fourth frame is 2501 and the end, unread; the third may log in', async () => {
    const [patient, late] = [await connect(), await connect()];
    for (const client of [patient, late]) for (let frame = 0; frame < 2; frame += 1) await client.hello();
    expect((await patient.logIn('alpha', 'alpha-sandbox-password')).code).toBe(1000);
    for (let frame = 0; frame < 5; frame += 1) await patient.hello();
    await late.hello();
    expect((await late.send('no XML')).codes).toEqual([2501]);
    await late.closed();
  });

  test('failure: of 16,000 elements that are not known twenty are told', async () => {
    const client = await logIn();
    const unknown = '<domain:x/>'.repeat(16_000);
    const check = `<check><domain:check xmlns:domain="urn:ietf:params:xml:ns:domain-1.0">${unknown}</domain:check></check>`;
    expect((await client.send(envelope({ body: check }))).codes).toEqual(Array(20).fill(2001));
  });

  test('success: an empty transaction id counts as absent', async () => {
    const client = await connect();
    const answer = await client.send(envelope({ body: '<logout/>' }, [], ''));
    expect(answer.clTRID).toBeUndefined();
    expect(answer.svTRID).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('login', () => {
  test('success: each command is counted for its user, the login and the logout too', async () => {
    const client = await logIn('poor');
    expect((await client.logIn('poor', 'poor-sandbox-password')).code).toBe(2002);
    for (const code of [1000, 1000])
      expect((await client.command(ietf.domain.check(freshName()))).code).toBe(code);
    expect((await client.logOut()).code).toBe(1500);
    const counted = () =>
      registry.sql.rows(sql`
        select c.call, c.result, c.calls from api_calls c join api_users u on u.id = c.user_id
        where u.username = 'poor' and c.interface = 'epp' order by c.call, c.result`);
    await expect.poll(counted, NOTICED).toEqual([
      { call: 'domain check', result: 1000, calls: 2 },
      { call: 'login', result: 1000, calls: 1 },
      { call: 'login', result: 2002, calls: 1 },
      { call: 'logout', result: 1500, calls: 1 },
    ]);
  });

  test.each([
    ['a wrong password', 'alpha', 'wrong-password'],
    ['an unknown user', 'nobody', 'wrong-password'],
    ['a user that has no right to objects', 'alpha-billing', 'alpha-billing-sandbox-password'],
  ])('failure: %s is 2501 with the same text, and the connection ends', async (_, user, password) => {
    const client = await connect();
    const answer = await client.logIn(user, password);
    expect(answer.codes).toEqual([2501]);
    await client.closed();
  });

  test.each([
    ['another version', { version: '1.1' }, 2100],
    ['another language', { lang: 'et' }, 2102],
    ['none of our objects', { objects: ['urn:ietf:params:xml:ns:host-1.0'] }, 2307],
    ['no objects', { objects: [] }, 2003],
  ])('failure: %s, and the session can try again', async (_, options, code) => {
    const client = await connect();
    expect((await client.logIn('alpha', 'alpha-sandbox-password', options)).codes).toEqual([code]);
    expect((await client.logIn('alpha', 'alpha-sandbox-password')).codes).toEqual([1000]);
  });

  test('success: an unknown object beside a known one, and a long password without the extension', async () => {
    const client = await connect();
    const objects = ['urn:ietf:params:xml:ns:host-1.0', 'urn:ietf:params:xml:ns:domain-1.0'];
    const answer = await client.logIn('alpha', 'alpha-sandbox-password', { objects, loginSecurity: false });
    expect(answer.codes).toEqual([1000]);
  });

  test.each([
    ['an object', '<objURI>', '<objURI><a/>'],
    ['a service', '<extURI>', '<extURI><a/>'],
    ['the name of the client', '<loginSec:app>', '<loginSec:app><loginSec:a/>'],
    ['what the client is', '<loginSec:userAgent>', '<loginSec:userAgent><loginSec:a/>'],
  ])('failure: an element in %s', async (_, before, after) => {
    const client = await connect();
    const [command, security = ''] = logInCommand('alpha', 'alpha-sandbox-password', client.greeting, {});
    const agent = '<loginSec:userAgent><loginSec:app>client</loginSec:app></loginSec:userAgent><loginSec:pw>';
    const frame = envelope(command, [security.replace('<loginSec:pw>', agent)]);
    expect((await client.send(frame.replace(before, after))).codes).toEqual([2001]);
    expect((await client.send(frame)).codes).toEqual([1000]);
  });

  test('failure: the extension is announced by the password, and is missing', async () => {
    const client = await connect();
    const answer = await client.logIn('alpha', '[LOGIN-SECURITY]', { loginSecurity: false });
    expect(answer.codes).toEqual([2003]);
  });

  test('success: a new password, which the next login needs', async () => {
    const client = await connect();
    const options = { newPassword: 'another-password-of-poor', loginSecurity: true };
    expect((await client.logIn('poor', 'poor-sandbox-password', options)).code).toBe(1000);
    expect((await (await connect()).logIn('poor', 'poor-sandbox-password')).code).toBe(2501);
    expect((await (await connect()).logIn('poor', 'another-password-of-poor')).code).toBe(1000);
  });

  test('failure: a new password that is too short changes nothing and ends no connection', async () => {
    const client = await connect();
    const answer = await client.logIn('beta', 'beta-sandbox-password', { newPassword: 'short' });
    expect(answer.codes.every((code) => code >= 2000 && code < 2500)).toBe(true);
    expect((await client.command(poll.request)).code).toBe(2002);
    expect((await client.logIn('beta', 'beta-sandbox-password')).code).toBe(1000);
  });

  test('failure: a new password that is the present one is 2306, and no login', async () => {
    const client = await connect();
    const [user, password] = ['beta', 'beta-sandbox-password'] as const;
    expect((await client.logIn(user, password, { newPassword: password })).codes).toEqual([2306]);
    expect((await client.command(poll.request)).code).toBe(2002);
    expect((await client.logIn(user, password)).code).toBe(1000);
  });

  test('failure: a second login on a connection; logout ends it', async () => {
    const client = await logIn();
    expect((await client.logIn('alpha', 'alpha-sandbox-password')).code).toBe(2002);
    expect((await client.logOut()).code).toBe(1500);
    await client.closed();
  });
});

describe('frames of a session', () => {
  test('success: the dialect of each answer is that of its frame', async () => {
    const client = await logIn();
    const name = freshName();
    for (const commands of [ee, ietf, objectCommands('ee-1.1'), ietf]) {
      const answer = await client.command(commands.domain.check(name));
      expect(answer.root.namespace).toBe(commands.namespaces.envelope);
      expect(answer.first('chkData')?.namespace).toBe(commands.namespaces.domain);
    }
  });

  test('success: the public client of .ee logs in and polls in the envelope of the standard, and has its own namespaces', async () => {
    const objects = ['urn:ietf:params:xml:ns:epp-1.0', former.namespaces.domain, former.namespaces.contact];
    const extensions = ['urn:ietf:params:xml:ns:secDNS-1.1', 'https://epp.tld.ee/schema/eis-1.0.xsd'];
    const client = await logIn('alpha', { objects, extensions, loginSecurity: false });
    const { domain, contact, namespaces } = objectCommands('eis');
    expect(client.greeting.texts('svcMenu/objURI')).not.toContain(namespaces.domain);
    const person = { name: 'Mari Maasikas', voice: '+372.5551234', email: 'mari@example.ee' };
    const ident = eis({ ident: { type: 'priv', cc: 'EE', code: '60001019906' } });
    const registrant = (await client.command(contact.create(undefined, person), ident)).text('creData/id');
    const name = freshName();
    const create = domain.create({ name, period: '1y', registrant: registrant ?? '', code: 'abcdefgh' });
    for (const command of [domain.check(name), create, domain.info(name)]) {
      const answer = await client.command(command);
      expect(answer.first('resData')?.children[0]?.namespace, answer.frame).toBe(namespaces.domain);
    }
    await (await logIn('beta')).command(ietf.domain.transfer('request', name, { code: 'abcdefgh' }));
    const message = await client.command(poll.request);
    expect(message.root.namespace).toBe(IETF);
    expect(message.first('trnData')?.namespace).toBe(former.namespaces.domain);
  });

  test('success: white space in elements that are empty', async () => {
    const client = await logIn();
    expect((await client.send(`<epp xmlns="${EE}"><hello>\n</hello></epp>`)).root.namespace).toBe(EE);
    expect((await client.command({ body: '<poll op="req">\n</poll>' })).code).toBeLessThan(2000);
    expect((await client.command({ body: '<logout> </logout>' })).code).toBe(1500);
  });

  test('success: pipelined frames are answered in their order', async () => {
    const client = await logIn();
    const ids = Array.from({ length: 30 }, (_, index) => `PIPE-${index}`);
    for (const id of ids) client.write(envelope(ietf.domain.check(freshName()), [], id));
    const answers = [];
    for (const _ of ids) answers.push((await client.answer()).clTRID);
    expect(answers).toEqual(ids);
  });

  test.each([
    [
      'an object that is not announced',
      {
        body: '<info><host:info xmlns:host="urn:ietf:params:xml:ns:host-1.0"><host:name>ns.a.ee</host:name></host:info></info>',
      },
      [],
      2307,
    ],
    [
      'the transfer of a contact',
      {
        body: '<transfer op="query"><contact:transfer xmlns:contact="urn:ietf:params:xml:ns:contact-1.0"><contact:id>mari</contact:id></contact:transfer></transfer>',
      },
      [],
      2101,
    ],
    [
      'another command inside',
      {
        body: '<info><domain:check xmlns:domain="urn:ietf:params:xml:ns:domain-1.0"><domain:name>a.ee</domain:name></domain:check></info>',
      },
      [],
      2001,
    ],
    [
      'an unknown element',
      {
        body: '<info><domain:info xmlns:domain="urn:ietf:params:xml:ns:domain-1.0"><domain:name>a.ee</domain:name><domain:colour>red</domain:colour></domain:info></info>',
      },
      [],
      2001,
    ],
    [
      'an element twice',
      {
        body: '<info><domain:info xmlns:domain="urn:ietf:params:xml:ns:domain-1.0"><domain:name>a.ee</domain:name><domain:name>b.ee</domain:name></domain:info></info>',
      },
      [],
      2001,
    ],
    [
      'no name',
      { body: '<info><domain:info xmlns:domain="urn:ietf:params:xml:ns:domain-1.0"/></info>' },
      [],
      2003,
    ],
    ['an extension of another command', ietf.domain.check('a.ee'), [secDns.update({ rem: 'all' })], 2103],
    ['an unknown extension', ietf.domain.check('a.ee'), ['<x:check xmlns:x="urn:example:x"/>'], 2103],
    [
      'an extension twice',
      ietf.domain.update('a.ee', {}),
      [secDns.update({ rem: 'all' }), secDns.update({ rem: 'all' })],
      2001,
    ],
    ['an update that changes nothing', ietf.domain.update('a.ee', {}), [], 2003],
    ['poll without an operation', { body: '<poll/>' }, [], 2003],
    ['an acknowledgement without an id', { body: '<poll op="ack"/>' }, [], 2003],
    ['an element in poll', { body: '<poll op="req"><a/></poll>' }, [], 2001],
    ['text in poll', { body: '<poll op="req">all</poll>' }, [], 2001],
    ['an element in logout', { body: '<logout><a/></logout>' }, [], 2001],
    ['text in logout', { body: '<logout>now</logout>' }, [], 2001],
    [
      'an element in the status of a domain',
      {
        body: '<update><domain:update xmlns:domain="urn:ietf:params:xml:ns:domain-1.0"><domain:name>a.ee</domain:name><domain:add><domain:status s="clientHold"><domain:a/></domain:status></domain:add></domain:update></update>',
      },
      [],
      2001,
    ],
    [
      'one in the status of a contact',
      {
        body: '<update><contact:update xmlns:contact="urn:ietf:params:xml:ns:contact-1.0"><contact:id>mari</contact:id><contact:add><contact:status s="clientUpdateProhibited"><contact:a/></contact:status></contact:add></contact:update></update>',
      },
      [],
      2001,
    ],
    [
      'one in what a contact discloses',
      {
        body: '<update><contact:update xmlns:contact="urn:ietf:params:xml:ns:contact-1.0"><contact:id>mari</contact:id><contact:chg><contact:disclose flag="1"><contact:voice><contact:a/></contact:voice></contact:disclose></contact:chg></contact:update></update>',
      },
      [],
      2001,
    ],
    [
      'text in what a contact discloses',
      {
        body: '<update><contact:update xmlns:contact="urn:ietf:params:xml:ns:contact-1.0"><contact:id>mari</contact:id><contact:chg><contact:disclose flag="1"><contact:voice>yes</contact:voice></contact:disclose></contact:chg></contact:update></update>',
      },
      [],
      2001,
    ],
    [
      'an element in the period of a transfer',
      {
        body: '<transfer op="query"><domain:transfer xmlns:domain="urn:ietf:params:xml:ns:domain-1.0"><domain:name>a.ee</domain:name><domain:period>0<domain:a/></domain:period></domain:transfer></transfer>',
      },
      [],
      2001,
    ],
    ['a transfer operation that does not exist', ietf.domain.transfer('steal', 'a.ee'), [], 2005],
    [
      'a delegation signer',
      ietf.domain.update('a.ee', {}),
      [
        '<secDNS:update xmlns:secDNS="urn:ietf:params:xml:ns:secDNS-1.1"><secDNS:add><secDNS:dsData><secDNS:keyTag>1</secDNS:keyTag><secDNS:alg>13</secDNS:alg><secDNS:digestType>2</secDNS:digestType><secDNS:digest>00</secDNS:digest></secDNS:dsData></secDNS:add></secDNS:update>',
      ],
      2306,
    ],
    [
      'a lifetime of signatures',
      ietf.domain.update('a.ee', {}),
      [
        '<secDNS:update xmlns:secDNS="urn:ietf:params:xml:ns:secDNS-1.1"><secDNS:chg><secDNS:maxSigLife>60</secDNS:maxSigLife></secDNS:chg></secDNS:update>',
      ],
      2102,
    ],
    [
      'a restore',
      ietf.domain.update('a.ee', {}),
      ['<rgp:update xmlns:rgp="urn:ietf:params:xml:ns:rgp-1.0"><rgp:restore op="request"/></rgp:update>'],
      2308,
    ],
    [
      'a transfer code that is removed',
      {
        body: '<update><domain:update xmlns:domain="urn:ietf:params:xml:ns:domain-1.0"><domain:name>a.ee</domain:name><domain:chg><domain:authInfo><domain:null/></domain:authInfo></domain:chg></domain:update></update>',
      },
      [],
      2306,
    ],
    [
      'a fee in another currency',
      ietf.domain.renew('a.ee', '2027-01-01'),
      [fee.agreed('renew', '9.00', 'USD')],
      2004,
    ],
    [
      'a fee for the transfer of a domain that is not there',
      ietf.domain.transfer('request', 'a.ee', { code: 'abcdefgh' }),
      [fee.agreed('transfer', '9.00')],
      2303,
    ],
    [
      'prices of more commands than one answer may have',
      ietf.domain.check('a.ee'),
      [fee.check(Array.from({ length: 21 }, () => ({ name: 'create' })))],
      2004,
    ],
    [
      'more prices of all names than one answer may have',
      ietf.domain.check(...Array.from({ length: 1_000 }, (_, index) => `a${index}.ee`)),
      [fee.check(Array.from({ length: 6 }, () => ({ name: 'create' })))],
      2004,
    ],
    [
      'a fee that is not an amount',
      ietf.domain.renew('a.ee', '2027-01-01'),
      [fee.agreed('renew', 'much')],
      2005,
    ],
  ])('failure: %s', async (_, command, extensions, code) => {
    const client = await logIn();
    expect((await client.command(command, ...extensions)).codes).toEqual([code]);
    expect((await client.command(poll.request)).code).toBeLessThan(2000);
  });

  test('failure: every error of a command is a result of its own, with its element', async () => {
    const client = await logIn();
    const answer = await client.command(
      ietf.domain.create({
        name: 'no_name.ee',
        period: '1y',
        registrant: 'nobody',
        code: 'short',
        nameservers: [{ name: 'ns1.example.com', addresses: ['256.1.1.1'] }],
      }),
      secDns.create([{ flags: 1, publicKey: 'AAAA' }]),
    );
    expect(answer.codes).toEqual([2005, 2005, 2005, 2005]);
    const values = answer.all('value').map(({ children }) => [children[0]?.name, children[0]?.text]);
    expect(values).toEqual([
      ['name', 'no_name.ee'],
      ['pw', ''],
      ['hostAddr', '256.1.1.1'],
      ['flags', '1'],
    ]);
    expect(answer.messages[2]).toBe('domain:hostAddr must be an IPv4 address');
  });

  test('success: extensions that the client did not name are left out of answers', async () => {
    const client = await logIn('alpha', { extensions: [] });
    const contact = {
      name: 'Mari Maasikas',
      voice: '+372.5551234',
      email: 'mari@example.ee',
      code: 'abcdefgh',
    };
    const address = { city: 'Tallinn', cc: 'EE' };
    const id = `mari${Date.now() % 1e9}`;
    const ident = eis({ ident: { type: 'priv', cc: 'EE', code: '60001019906' } });
    expect((await client.command(ietf.contact.create(id, { ...contact, address }), ident)).code).toBe(1000);
    expect((await client.command(ietf.contact.info(id))).first('extdata')).toBeUndefined();
    expect((await client.command(ee.contact.info(id))).first('extdata')).toBeDefined();
  });
});
