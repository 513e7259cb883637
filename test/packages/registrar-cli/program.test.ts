import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../../packages/registrar-cli/package.json' with { type: 'json' };
import { findCommand } from '../../../packages/registrar-cli/src/find-command.ts';
import { COMMANDS } from '../../../packages/registrar-cli/src/program.ts';
import { VERSION } from '../../../packages/registrar-cli/src/version.ts';
import sdkManifest from '../../../packages/sdk/package.json' with { type: 'json' };
import { readPage } from '../../docs/markdown.ts';
import { selfSigned } from '../../support/certificates.ts';
import { freshName } from '../../support/domains.ts';
import { freePort } from '../../support/free-port.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { clientOf } from '../sdk/clients.ts';
import { homeForThisTest, type Ran, type RunOptions, registrarCommand } from './registrar-command.ts';

let registry: TestRegistry;
let as: (user: string) => Record<string, string>;
const used = new Set<string>();
beforeAll(async () => {
  registry = await startRegistry();
  as = (user) => ({
    CADASTRE_URL: registry.url,
    CADASTRE_USERNAME: user,
    CADASTRE_PASSWORD: `${user}-sandbox-password`,
  });
});
afterAll(() => registry.stop());

async function run(home: string, line: string, given: RunOptions = {}): Promise<Ran> {
  const words = line.split(' ');
  used.add(findCommand(COMMANDS, words)?.name ?? line);
  return registrarCommand(home, words, { variables: as('alpha'), ...given });
}

const KEY =
  '257 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==';
const HOLDER = {
  name: 'Mari',
  email: 'mari@example.ee',
  phone: '+372.5551234',
  ident: { ident: '60001019906', ident_type: 'priv', ident_country_code: 'EE' },
} as const;
const PERSON = '--name Mari --email mari@example.ee --phone +372.5551234 --ident priv:EE:60001019906';

describe('a registrar at work', () => {
  test('success: contacts, domains and money', async () => {
    const home = homeForThisTest();
    const done = async (line: string, given?: RunOptions) => {
      const { code, out, err } = await run(home, line, given);
      expect([line, code, err]).toEqual([line, 0, '']);
      return out;
    };
    const name = freshName();
    expect(await done(`contact create mari ${PERSON}`)).toBe('mari\n');
    expect(await done('contact update mari --phone +372.1')).toBe('mari is changed\n');
    expect(await done('contact list --query mari')).toBe('mari\tMari\tmari@example.ee\t+372.1\n');
    expect(await done(`domain check ${name} a_b.ee`)).toBe(
      `${name}\tavailable\t9.00 EUR\na_b.ee\tinvalid\t\n`,
    );
    expect(await done(`domain check ${name} --period 9y`)).toMatch(
      /^\S+\tavailable\t(\d+\.\d\d EUR|no price)\n$/,
    );
    expect(await done('prices')).toMatch(/^ee\tcreate\t1y\t9\.00 EUR\t\d{4}-\d\d-\d\d\t/m);
    expect(await run(home, `domain create ${name} --registrant mari --price 8.00`)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/\(otherPrice\); it costs 9\.00\n/),
    });
    const order = `domain create ${name} --price 9.00 --registrant mari --nameserver ns1.example.net --nameserver ns2.example.net`;
    expect(await done(`${order} --dry-run`)).toBe('possible; costs 9.00, leaves 99991.00\n');
    const until = (cost: string) => ` until \\d{4}-\\d\\d-\\d\\d, charged ${cost}\n$`;
    expect(await done(`${order} --key order-1`)).toMatch(
      new RegExp(`^${name} is registered${until('9.00')}`),
    );
    expect(await done(`${order} --key order-1`)).toMatch(
      new RegExp(`^${name} is registered, as before${until('9.00')}`),
    );
    expect(await done('contact show mari')).toMatch(/^domains_count +1$/m);
    expect(await done(`domain renew ${name} --period 1y --price 9.00`)).toMatch(
      new RegExp(`^${name} is renewed${until('9.00')}`),
    );
    expect(await done(`domain show ${name}`)).toMatch(/^nameservers .*ns2\.example\.net/m);
    expect(await done(`domain history ${name}`)).toMatch(
      /^\S+\trenew\talpha\t9\.00\t\S+\n\S+\tcreate\talpha\t9\.00\t\n$/,
    );
    expect(await done('domain list --sort name')).toMatch(
      new RegExp(`^${name}\t\\d{4}-\\d\\d-\\d\\d\tok\n$`),
    );
    expect(await done('domain list --updated-since 2999-01-01T00:00:00Z')).toBe('');
    expect(await done('domain list --expires-before 2999-01-01T00:00:00Z')).toContain(name);
    expect(JSON.parse(await done('domain list --json'))).toMatchObject({ name });
    expect(await done('balance')).toBe('99982.00 EUR\t\n');
    expect(await done('balance --detailed')).toContain(`-9.00\t99991.00\tCreate ${name}\n`);
    const { data } = await clientOf(registry.url).domains.read(name);
    const beta = { variables: as('beta'), input: `${data.domain.transfer_code}\n` };
    expect(await done(`domain transfer ${name}`, beta)).toMatch(
      new RegExp(`^${name} is yours${until('0.00')}`),
    );
    expect(await done('messages')).toContain(`\ttransferred_away\tDomain ${name} was transferred`);
    const [id] = (await done('messages')).split('\t');
    expect(await done(`message acknowledge ${id} --dry-run`)).toBe(`${id}\tpossible\n`);
    expect(await run(home, `message acknowledge ${id} 999999`)).toEqual({
      code: 1,
      out: `${id}\tread\n`,
      err: 'no messages of yours: 999999\n',
    });
    expect(await done('messages')).toBe('');
    expect(await done(`domain delete ${name} --verified`, { variables: as('beta') })).toBe(
      `${name} is deleted\n`,
    );
    const { data: spare } = await clientOf(registry.url).contacts.create({
      name: 'Mari',
      email: 'mari@example.ee',
      phone: '+372.1',
      ident: { ident: '60001019906', ident_type: 'priv', ident_country_code: 'EE' },
    });
    expect(await done(`contact delete ${spare.contact.code}`)).toContain('is deleted');
    expect(await done('invoice create 100.00')).toMatch(/^pay 124\.00 at http/);
    const [number] = (await done('invoice list')).split('\t');
    expect(await done(`invoice show ${number}`)).toMatch(/^total +124\.00$/m);
    const file = path.join(home, 'invoice.xml');
    expect(await done(`invoice save ${number} ${file}`)).toBe(`${file} is saved\n`);
    expect(readFileSync(file, 'utf8')).toContain('<Invoice');
  });

  test('success: bulk operations from files; the same file again is replayed, not repeated', async () => {
    const home = homeForThisTest();
    const client = clientOf(registry.url);
    const beta = clientOf(registry.url, 'beta');
    await client.contacts.create({
      id: 'bulk',
      name: 'Mari',
      email: 'mari@example.ee',
      phone: '+372.1',
      ident: { ident: '60001019906', ident_type: 'priv', ident_country_code: 'EE' },
    });
    const [one, two] = [freshName(), freshName()];
    const file = (name: string, text: string) => {
      const at = path.join(home, name);
      writeFileSync(at, text);
      return at;
    };
    const orders = file(
      'orders.csv',
      `\uFEFFDomain;Registrant;Period\r\n${one};bulk;1y\r\n"${two}";bulk;\r\n`,
    );
    const { data: before } = await client.billing.balance();
    const left = (price: number) => (Number(before.balance) - price).toFixed(2);
    expect(await run(home, `bulk register ${orders} --dry-run`)).toMatchObject({
      code: 0,
      out: `${one}\tpossible\n${two}\tpossible\n2 of 2 possible; all cost 18.00, leaves ${left(18)}\n`,
    });
    const [total = ''] = (await run(home, `bulk register ${orders} --dry-run --json`)).out
      .trim()
      .split('\n')
      .slice(-1);
    expect(JSON.parse(total)).toEqual({
      total: { possible: 2, of: 2, price: '18.00', balance_after: left(18) },
    });
    const first = await run(home, `bulk register ${orders}`, { isTerminal: true });
    expect([first.code, first.err]).toEqual([0, '\r1 of 2\r2 of 2\n']);
    expect(first.out).toBe(
      `Domain${' '.repeat(Math.max(0, one.length - 6))}  Outcome\n${one}  done\n${two}  done\n`,
    );
    expect(await run(home, `bulk register ${orders}`)).toMatchObject({
      code: 0,
      out: `${one}\tdone\n${two}\tdone\n`,
    });
    const poor = { variables: as('poor') };
    await run(home, `contact create poor-mari ${PERSON}`, poor);
    expect(await run(home, `domain create ${freshName()} --registrant poor-mari`, poor)).toMatchObject({
      code: 1,
      err: expect.stringContaining('(noFunds); it costs 9.00, missing are 4.00\n'),
    });
    const many = [freshName(), freshName()].map((name) => `${name},poor-mari,3m`);
    const tooMuch = file('too-much.csv', `Domain,Registrant,Period\n${many.join('\n')}\n`);
    expect((await run(home, `bulk register ${tooMuch} --dry-run`, poor)).out).toMatch(
      /2 of 2 possible; all cost 6\.00, the account lacks 1\.00\n$/,
    );
    const renewals = file('renewals.csv', `Domain\n${one}\n${two}\n`);
    for (let times = 0; times < 2; times++)
      expect((await run(home, `bulk renew ${renewals} --period 1y`)).code).toBe(0);
    const { data: after } = await client.billing.balance();
    expect(Number(before.balance) - Number(after.balance)).toBe(36);

    const codes = [];
    for (const name of [one, two]) codes.push((await client.domains.read(name)).data.domain.transfer_code);
    const transfers = file('transfers.csv', `Domain,Transfer code\n${one},${codes[0]}\n${two},wrong\n`);
    const { code, out, err } = await run(home, `bulk transfer ${transfers} --json`, {
      variables: as('beta'),
    });
    expect([code, err]).toEqual([1, '1 of 2 failed\n']);
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).done),
    ).toEqual([true, false]);
    expect((await beta.domains.read(one)).data.domain.transfer_code).toBeDefined();
    expect(await run(home, `bulk transfer ${orders}`)).toMatchObject({
      code: 2,
      err: expect.stringContaining('a row has no transfer code'),
    });
  });

  test('success: delegation, holders, contacts and codes of a domain', async () => {
    const home = homeForThisTest();
    const done = async (line: string, given?: RunOptions) => {
      const { code, out, err } = await run(home, line, given);
      expect([line, code, err]).toEqual([line, 0, '']);
      return out;
    };
    const name = freshName();
    for (const code of ['holder', 'helper', 'heir'])
      await done(`contact create ${code} ${PERSON} --disclose name,email`);
    expect(await done('contact check helper unheard-of')).toBe(
      'helper\ttaken or not possible\nunheard-of\tavailable\n',
    );
    await done('contact update heir --disclose none --name Heir --reference customer-1');
    expect(await done('contact show heir')).toMatch(/^reference +customer-1$/m);
    expect(await done('contact show heir')).toMatch(/^disclosed_attributes +\[\]$/m);
    await done(`domain create ${name} --registrant holder --reference order-7`);
    expect(await done(`domain show ${name}`)).toMatch(/^reference +order-7$/m);
    expect(await done(`domain reference ${name} --reference order-8`)).toBe(
      `${name} has another reference\n`,
    );
    expect(await done(`domain reference ${name} --reference=`)).toBe(`${name} has no reference\n`);

    await done(`nameserver add ${name} ns1.${name}=192.0.2.1,2001:db8::1 ns2.example.net`);
    expect(await done(`nameserver list ${name}`)).toBe(
      `ns1.${name}\t192.0.2.1 2001:db8::1\nns2.example.net\t\n`,
    );
    await done(`nameserver add ${name} ns3.example.net`);
    expect(await done('bulk replace-nameserver ns3.example.net ns4.example.net --dry-run')).toBe(
      `${name}\tpossible\n`,
    );
    expect(await done(`bulk replace-nameserver ns3.example.net ns4.example.net --domain ${name}`)).toBe(
      `${name}\tdone\n`,
    );
    expect(await done(`nameserver remove ${name} ns4.example.net`)).toContain('is removed');
    await done(`dnskey add ${name} ${KEY}`);
    expect(await done(`dnskey list ${name}`)).toBe(`${KEY.replaceAll(' ', '\t')}\n`);
    await done(`dnskey remove ${name} ${KEY}`);
    expect(await done(`nameserver remove ${name} --all`)).toBe(`every nameserver is removed from ${name}\n`);
    expect(await done(`domain hold ${name}`)).toBe(`${name} is on hold\n`);
    expect(await done('domain list')).toMatch(/\t(clientHold inactive|inactive clientHold)\n/);
    expect(await done(`domain unhold ${name}`)).toBe(`${name} is not on hold\n`);

    expect(await done(`domain contacts add ${name} --admin helper --tech helper`)).toBe(
      `${name} has 2 more\n`,
    );
    expect(await done(`domain contacts ${name}`)).toContain('tech\thelper\n');
    expect(await done(`bulk replace-contact helper heir`)).toBe(`${name}\tdone\n`);
    expect(await done(`domain contacts remove ${name} --tech heir`)).toBe(`${name} has 1 less\n`);
    expect(await done(`domain registrant ${name} heir --verified`)).toBe(`${name} belongs to heir\n`);

    const other = { input: 'another-code\n' };
    expect(await done(`domain transfer-code set ${name}`, other)).toContain('has another');
    expect(await done(`domain transfer-code ${name}`)).toBe('another-code\n');
    expect(await done(`domain transfer-info ${name} --own`)).toMatch(/^registrant .*"heir"/m);
    const beta = { variables: as('beta'), ...other };
    expect(await done(`domain transfer-info ${name} --json`, beta)).toContain('"heir"');
    await clientOf(registry.url, 'beta').transfers.transfer(name, { transfer_code: 'another-code' });
    const messages = (await done('messages')).split('\n');
    const [id] = messages.find((line) => line.includes(`Domain ${name} was transferred`))?.split('\t') ?? [];
    expect(await done(`message show ${id}`)).toMatch(/^type +transferred_away$/m);
    await done(`message acknowledge ${id}`);
  });

  test('success: keys and nameservers of a new domain, and a reserved name with its code', async () => {
    const home = homeForThisTest();
    const name = freshName();
    await run(home, `contact create keyed ${PERSON}`);
    const words = ['domain', 'create', name, '--registrant', 'keyed', '--dnskey', KEY];
    const hosts = ['--nameserver', 'ns1.example.net', '--nameserver', `ns2.${name}=192.0.2.2`];
    const given = { variables: as('alpha'), input: 'no code\n' };
    expect(await registrarCommand(home, [...words, ...hosts], given)).toMatchObject({ code: 0, err: '' });
    expect(await run(home, `domain show ${name} --json`)).toMatchObject({
      out: expect.stringContaining('"alg":13'),
    });
    const wrong = await run(home, 'domain create reserved.ee --registrant keyed --reserved', given);
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('(wrongCode)') });
    const right = { variables: as('alpha'), input: 'reserved-sandbox-code\n' };
    const order = 'domain create reserved.ee --registrant keyed --reserved';
    expect(await run(home, `${order} --dry-run`, right)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^possible/),
    });
    const both = { variables: as('alpha'), input: 'reserved-sandbox-code\nour-own-code\n' };
    expect(await run(home, `${order} --transfer-code`, both)).toMatchObject({ code: 0, err: '' });
    expect((await run(home, 'domain transfer-code reserved.ee')).out).toBe('our-own-code\n');
    const deletion = 'domain delete reserved.ee --verified --transfer-code';
    expect(await run(home, deletion, given)).toMatchObject({
      code: 1,
      err: expect.stringContaining('(wrongCode)'),
    });
    const code = { variables: as('alpha'), input: 'our-own-code\n' };
    expect(await run(home, deletion, code)).toMatchObject({ code: 0, err: '' });
  });

  test('success: lists in the order that is asked for, and prices that are expected', async () => {
    const home = homeForThisTest();
    for (const code of ['sorted1', 'sorted2']) await run(home, `contact create ${code} ${PERSON}`);
    const { out } = await run(home, 'contact list --query sorted --sort=-code');
    expect(out.split('\n').map((line) => line.split('\t')[0])).toEqual(['sorted2', 'sorted1', '']);
    expect((await run(home, 'contact list --sort size')).code).toBe(2);

    const [name, file] = [freshName(), path.join(home, 'renewed.csv')];
    const owned = await clientOf(registry.url).domains.create({
      name,
      registrant: 'sorted1',
      period: 1,
      period_unit: 'y',
      transfer_code: 'given-away',
    });
    writeFileSync(file, `Domain\n${owned.data.domain.name}\n`);
    expect(await run(home, `bulk renew ${file} --price 8.00`)).toMatchObject({ code: 1 });
    expect(await run(home, `bulk renew ${file} --price 9.00 --key renewed`)).toMatchObject({
      code: 0,
      err: '',
    });
    writeFileSync(file, `Domain\n${Array.from({ length: 101 }, freshName).join('\n')}\n`);
    expect(await run(home, `bulk renew ${file} --price 9.00`)).toMatchObject({ code: 2 });

    const taking = { variables: as('beta'), input: 'given-away\n' };
    const taken = (price: string) => run(home, `domain transfer ${name} --price ${price}`, taking);
    expect(await taken('1.00')).toMatchObject({ code: 1, err: expect.stringContaining('(otherPrice)') });
    expect(await taken('0.00')).toMatchObject({ code: 0, err: '' });
  });

  test('success: webhook endpoints and their deliveries', async () => {
    const home = homeForThisTest();
    const done = async (line: string) => {
      const { code, out, err } = await run(home, line);
      expect([line, code, err]).toEqual([line, 0, '']);
      return out;
    };
    const url = `http://127.0.0.1:${await freePort()}/hook`;
    expect(await done(`webhooks create ${url} --dry-run`)).toMatch(/^possible/);
    const [id = '', secret] = (await done(`webhooks create ${url} --types invoice.paid`)).trim().split('\t');
    expect(secret).toMatch(/^whsec_/);
    expect(await done('webhooks list')).toBe(`${id}\tenabled\t${url}\tinvoice.paid\t\n`);
    expect(await done(`webhooks update ${id} --types all --description shop`)).toBe(`${id} is changed\n`);
    expect(JSON.parse(await done(`webhooks show ${id} --json`))).toMatchObject({
      event_types: null,
      description: 'shop',
      enabled: true,
    });
    expect(await done(`webhooks rotate ${id}`)).toMatch(new RegExp(`^${id}\twhsec_`));
    const [event = ''] = (await done(`webhooks test ${id}`)).split(' ');
    expect(await done(`webhooks deliveries ${id} --type webhook.test --limit 1`)).toMatch(
      new RegExp(`^${event}\t.*\twebhook.test\t(waiting|sending)\t`),
    );
    expect(await done(`webhooks delivery ${id} ${event}`)).toMatch(/^type +webhook\.test$/m);
    expect(await done(`webhooks replay ${id} ${event}`)).toBe(`${event} is sent again\n`);
    expect(await done(`webhooks replay ${id} --since 2026-01-01T00:00:00Z`)).toMatch(/^\d are sent again\n$/);
    expect(await done(`webhooks update ${id} --disable`)).toBe(`${id} is changed\n`);
    expect(await done('webhooks list')).toContain('by the registrar');
    expect(await done(`webhooks delete ${id}`)).toBe(`${id} is deleted\n`);
  });

  test('success: messages --follow shows later messages, once, until it is stopped', async () => {
    const [alpha, beta] = [clientOf(registry.url), clientOf(registry.url, 'beta')];
    const controller = new AbortController();
    let printed = '';
    const following = run(homeForThisTest(), 'messages --follow --acknowledge --interval 0.05', {
      variables: as('beta'),
      signal: controller.signal,
      onOutput: (text) => (printed = text),
    });
    const name = freshName();
    const { items } = await beta.contacts.list().page();
    await beta.domains.create({
      name,
      registrant: items[0] ?? '',
      period: 1,
      period_unit: 'y',
      transfer_code: 'given-away',
    });
    await alpha.transfers.transfer(name, { transfer_code: 'given-away' });
    await expect.poll(() => printed).toContain(`Domain ${name} was transferred`);
    await expect.poll(async () => (await beta.messages.latest()).data.id).toBeUndefined();
    controller.abort();
    expect(await following).toMatchObject({ code: 0, err: '' });
    expect(printed.match(new RegExp(name, 'g'))).toHaveLength(1);
  });
});

describe('events', () => {
  test('success: all of them, those after a position, and later ones with --follow', async () => {
    const alpha = clientOf(registry.url);
    const create = async () =>
      (await alpha.contacts.create({ ...HOLDER, id: freshName() })).data.contact.code;
    const home = homeForThisTest();
    const eventsAfter = async (position = '') =>
      (await run(home, `events --json${position && ` --after ${position}`}`)).out
        .split('\n')
        .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    const code = await create();
    await expect.poll(async () => (await eventsAfter()).at(-1)).toMatchObject({ data: { contact: code } });
    const { position } = (await eventsAfter()).at(-1);
    expect(await eventsAfter(position)).toEqual([]);
    const controller = new AbortController();
    let printed = '';
    const following = run(home, `events --after ${position} --follow --interval 0.05`, {
      signal: controller.signal,
      onOutput: (text) => (printed = text),
    });
    const later = await create();
    await expect.poll(() => printed).toMatch(new RegExp(`\tcontact\\.created\t${later}\t\\d+-\\d+-\\d+\n$`));
    controller.abort();
    expect(await following).toMatchObject({ code: 0, err: '' });
    expect(printed).not.toContain(code);
  });
});

describe('profiles', () => {
  test('success: a profile has the registry, the user and where the password is', async () => {
    const home = homeForThisTest();
    const passwordFile = path.join(home, 'password');
    writeFileSync(passwordFile, 'alpha-sandbox-password\n', { mode: 0o600 });
    const alone = { variables: {} };
    const add = `profile add sandbox --url ${registry.url} --username alpha --password-file ${passwordFile}`;
    expect(await run(home, add, alone)).toMatchObject({ code: 0 });
    await run(home, `profile add other --url https://registry.example --username beta`, alone);
    expect((await run(home, 'balance', alone)).out).toContain('EUR');
    expect((await run(home, 'profile use other', alone)).code).toBe(0);
    expect((await run(home, 'profile list', alone)).out).toBe(
      ` \tsandbox\t${registry.url}/\talpha\n*\tother\thttps://registry.example/\tbeta\n`,
    );
    expect((await run(home, 'balance --profile sandbox', alone)).code).toBe(0);
    expect(await run(home, 'balance', alone)).toMatchObject({
      code: 2,
      err: expect.stringContaining('no password'),
    });
    expect((await run(home, 'profile remove other', alone)).code).toBe(0);
    expect(await run(home, 'profile use other', alone)).toMatchObject({ code: 2 });
    const file = path.join(home, '.config/cadastre-registrar/profiles.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toContain('sandbox-password');
    chmodSync(passwordFile, 0o644);
    expect(await run(home, 'balance --profile sandbox', alone)).toMatchObject({
      code: 2,
      err: expect.stringContaining('chmod 600'),
    });
    chmodSync(file, 0o644);
    expect(await run(home, 'profile list', alone)).toMatchObject({
      code: 2,
      err: expect.stringContaining('chmod 600'),
    });
  });
});

describe('an environment that differs from the default profile', () => {
  const setUp = async () => {
    const home = homeForThisTest();
    await run(home, `profile add production --url https://registry.example --username alpha`);
    return home;
  };

  test('failure: neither is preferred without a word', async () => {
    const home = await setUp();
    expect(await run(home, 'balance')).toEqual({
      code: 2,
      out: '',
      err: expect.stringContaining(
        `CADASTRE_URL is ${registry.url}, production has https://registry.example/. Choose by --profile production or --no-profile`,
      ),
    });
    const variables = { CADASTRE_USERNAME: 'beta', CADASTRE_PASSWORD: 'x' };
    expect(await run(home, 'balance', { variables })).toMatchObject({
      code: 2,
      err: expect.stringContaining('CADASTRE_USERNAME is beta, production has alpha'),
    });
    expect(await run(home, 'balance --no-profile --profile production')).toMatchObject({ code: 2 });
  });

  test('success: the one that was chosen, or that says the same', async () => {
    const home = await setUp();
    expect(await run(home, 'balance --no-profile')).toMatchObject({ code: 0, err: '' });
    await run(home, `profile add sandbox --url ${registry.url} --username alpha`);
    expect(await run(home, 'balance --profile sandbox')).toMatchObject({ code: 0, err: '' });
    const variables = { ...as('alpha'), CADASTRE_PROFILE: 'sandbox' };
    expect(await run(home, 'balance', { variables })).toMatchObject({ code: 0, err: '' });
    await run(home, 'profile use sandbox');
    expect(await run(home, 'balance')).toMatchObject({ code: 0, err: '' });
  });
});

describe.skipIf(process.platform === 'win32')('the key of a client certificate', () => {
  const refusal = { code: 2, out: '', err: expect.stringContaining('chmod 600') };

  test('success: a key that is readable by its owner alone; failure: one that others may read', async () => {
    const home = homeForThisTest();
    const { key, cert } = await selfSigned('alpha');
    const [keyFile, certificateFile] = [path.join(home, 'key.pem'), path.join(home, 'certificate.pem')];
    writeFileSync(keyFile, key, { mode: 0o600 });
    writeFileSync(certificateFile, cert, { mode: 0o644 });
    const files = `--certificate ${certificateFile} --certificate-key ${keyFile}`;
    await run(home, `profile add a --url ${registry.url} --username alpha ${files}`);
    expect(await run(home, 'balance --profile a')).toMatchObject({ code: 0 });
    for (const mode of [0o640, 0o604]) {
      chmodSync(keyFile, mode);
      expect(await run(home, 'balance --profile a')).toEqual(refusal);
    }
  });

  test('failure: one beside the certificate in its file', async () => {
    const home = homeForThisTest();
    const { key, cert } = await selfSigned('alpha');
    const file = path.join(home, 'both.pem');
    writeFileSync(file, cert + key, { mode: 0o644 });
    await run(home, `profile add a --url ${registry.url} --username alpha --certificate ${file}`);
    expect(await run(home, 'balance --profile a')).toEqual(refusal);
    chmodSync(file, 0o400);
    expect(await run(home, 'balance --profile a')).toMatchObject({ code: 0 });
  });
});

describe('failures', () => {
  test('failure: a refusal names its fields and reasons, exit code 1', async () => {
    const line = 'contact create --name Mari --email nobody --phone +372.1 --ident priv:EE:60001019906';
    const { code, out, err } = await run(homeForThisTest(), line);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^contact\.email: .* \(wrongSyntax\)\nrequest \S+\n$/);
    const json = await run(homeForThisTest(), `${line} --json`);
    expect(JSON.parse(json.err)).toMatchObject({ status: 400, errors: [{ reason: 'wrongSyntax' }] });
    const wrong = { ...as('alpha'), CADASTRE_PASSWORD: 'wrong' };
    expect(await run(homeForThisTest(), 'balance', { variables: wrong })).toMatchObject({ code: 1 });
  });

  test('failure: an unknown outcome says how to retry, exit code 3', async () => {
    const variables = { ...as('alpha'), CADASTRE_URL: `http://127.0.0.1:${await freePort()}` };
    const { code, err } = await run(homeForThisTest(), 'invoice create 1.00 --key order-7 --retries 0', {
      variables,
    });
    expect([code, err]).toEqual([3, expect.stringContaining('Repeat it with --key order-7')]);
  });

  test.each([
    ['domain show', 'NAME is missing'],
    ['domain show a b', 'what is b?'],
    ['domain show a --frobnicate', '--frobnicate'],
    ['domain list --sort colour', '--sort takes one of'],
    ['domain create a.ee', '--registrant is missing'],
    ['domain create a.ee --registrant x --period soon', 'no period'],
    ['contact create --name M --email e --phone p --ident EE', 'no identification'],
    ['messages --interval never', 'a number of seconds'],
    ['events --interval never', 'a number of seconds'],
    ['message acknowledge 1 two', 'two is no id of a message'],
    ['balance --profile nowhere', 'there is no profile nowhere'],
    ['balance --dry-run', '--dry-run'],
    ['balance --retries many', '--retries takes a number'],
    ['completion csh', 'bash, zsh or fish'],
    ['bulk renew /nonexistent.csv', 'ENOENT'],
    ['nameserver remove a.ee', 'either HOST or --all'],
    ['nameserver remove a.ee ns1.a.ee --all', 'either HOST or --all'],
    ['dnskey add a.ee 257 3', 'ALGORITHM is missing'],
    ['domain create a.ee --registrant x --dnskey 257', 'is no key such as'],
    ['domain contacts add a.ee', '--admin or --tech is missing'],
    ['domain reference a.ee', '--reference is missing'],
    ['contact update mari --disclose name,shoe-size', '--disclose takes name'],
    ['webhooks create https://a.example --types domain.eaten', 'domain.eaten is no type of event'],
    ['webhooks update whe_1', 'what is to be changed?'],
    ['webhooks update whe_1 --enable --disable', 'not both'],
    ['webhooks deliveries whe_1 --state lost', '--state takes one of'],
    ['webhooks deliveries whe_1 --limit few', '--limit takes a number'],
    ['webhooks replay whe_1', 'either EVENT or --since'],
    ['webhooks listen --forward-to localhost', '--forward-to takes an address'],
  ])('failure: %s', async (line, complaint) => {
    const { code, out, err } = await run(homeForThisTest(), line);
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(complaint)]);
  });

  test('failure: a file with a quotation mark that is not closed, of which nothing is ordered', async () => {
    const home = homeForThisTest();
    const file = path.join(home, 'renewals.csv');
    writeFileSync(file, 'Domain\na.ee\n"b.ee\nc.ee\n');
    const { code, out, err } = await run(home, `bulk renew ${file}`);
    expect([code, out, err]).toEqual([2, '', expect.stringContaining('line 3 is not closed')]);
  });

  test('failure: an unknown command, and none', async () => {
    const home = homeForThisTest();
    for (const [line, said] of [
      ['frobnicate', 'unknown command frobnicate\n'],
      ['domian', 'unknown command domian; did you mean domain?\n'],
      ['domain shwo a.ee', 'unknown command domain shwo; did you mean domain show?\n'],
      ['mesages --json', 'unknown command mesages; did you mean messages?\n'],
      ['bulk', 'which command? bulk register, bulk renew, '],
      ['\u001b[2J', 'unknown command \\u{1b}[2J\n'],
    ] as const) {
      const { code, out, err } = await registrarCommand(home, line.split(' '));
      expect([line, code, out, err]).toEqual([line, 2, '', expect.stringContaining(said)]);
    }
    expect(await registrarCommand(home, ['--version'])).toEqual({
      code: 0,
      out: `cadastre-registrar ${VERSION}\n`,
      err: '',
    });
    expect(await registrarCommand(home, [])).toMatchObject({
      code: 0,
      out: expect.stringContaining('domain create NAME'),
    });
    expect((await run(home, 'domain create --help')).out).toContain('--nameserver HOST');
  });
});

describe('the rest', () => {
  test('success: completion of words and options, and its scripts', async () => {
    const home = homeForThisTest();
    const complete = async (...words: string[]) =>
      (await registrarCommand(home, ['complete', '--', ...words])).out.trim().split('\n');
    expect(await complete('dom')).toEqual(['domain']);
    expect(await complete('domain', 'cr')).toEqual(['create']);
    expect(await complete('domain', 'contacts', 'add', 'a.ee', '--te')).toEqual(['--tech']);
    expect(await complete('domain', 'create', '--reg')).toEqual(['--registrant']);
    expect(await complete('domain', 'create', 'a.ee', '--dr')).toEqual(['--dry-run']);
    expect(await complete('webhooks', 'li')).toEqual(['list', 'listen']);
    expect(await complete('webhooks', 'listen', '--f')).toEqual(['--forward-to']);
    expect(await complete('balance', '--d')).toEqual(['--detailed']);
    for (const shell of ['bash', 'zsh', 'fish'])
      expect((await run(home, `completion ${shell}`)).out).toContain('cadastre-registrar complete --');
  });

  test('success: control characters in texts of others do not reach the terminal', async () => {
    const { printable } = await import('../../../packages/registrar-cli/src/output.ts');
    expect(printable('a\u001b[2Jb\u202ec\nd')).toBe('a\\u{1b}[2Jb\\u{202e}c\\u{a}d');
  });

  test('success: the versions agree, and the README has every command', () => {
    expect([VERSION, manifest.dependencies['cadastre-sdk']]).toEqual([manifest.version, sdkManifest.version]);
    const page = readPage('packages/registrar-cli/README.md');
    expect(COMMANDS.filter(({ name }) => !page.includes(`\`${name}`)).map(({ name }) => name)).toEqual([]);
  });

  test('success: every call of the API has a command', () => {
    const folder = path.join(import.meta.dirname, '../../../packages/registrar-cli/src');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    const code = files
      .map((file) => readFileSync(path.join(folder, file), 'utf8').replaceAll(/\s+/g, ''))
      .join('');
    const missing = Object.entries(clientOf(registry.url)).flatMap(([group, calls]) =>
      Object.getOwnPropertyNames(Object.getPrototypeOf(calls))
        .map((name) => `${group}.${name}`)
        .filter((call) => !call.endsWith('.constructor') && !code.includes(`${call}(`)),
    );
    // `messages` and `events` show all of them; what there is for many at once is used for one, too.
    expect(missing.sort()).toEqual([
      'domains.check',
      'events.read',
      'messages.acknowledge',
      'messages.latest',
    ]);
  });

  test('success: every command was run', () => {
    expect(COMMANDS.filter(({ name }) => !used.has(name)).map(({ name }) => name)).toEqual([]);
  });
});
