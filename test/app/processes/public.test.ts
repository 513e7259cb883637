import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, test } from 'vitest';
import { TYPE } from '../../../src/doors/dns/codes.ts';
import { transferAnswers, transferZone } from '../../../src/doors/dns/transfer-client.ts';
import type { TsigKey } from '../../../src/doors/dns/tsig.ts';
import type { SoaRecord } from '../../../src/doors/dns/zone-source.ts';
import { readPage } from '../../docs/markdown.ts';
import { cadastre, startServe, startServeProcess, startWork } from '../../support/cadastre.ts';
import { alpha } from '../../support/client.ts';
import { hosts, Registrant } from '../../support/domains.ts';
import { productionWithEpp } from '../../support/epp-connection.ts';
import { freePort } from '../../support/free-port.ts';
import { listenForNotify } from '../../support/notify-listener.ts';
import { seededProduction } from '../../support/seeded-production.ts';
import { expect, onTestFinished } from '../../support/this-test.ts';
import { NOTICED } from '../../support/waiting.ts';
import { askWhois } from '../../support/whois.ts';

/** The options of `serve` in a unit. */
function optionsOf(unit: string): string[] {
  const line = /^ExecStart=\S+ serve (.*)$/m.exec(readPage(`deploy/systemd/cadastre-${unit}.service`));
  return line?.[1]?.split(' ') ?? [];
}

/** The processes of a machine share their settings: each takes the ports of its own doors alone. */
async function installation() {
  const [dnsPort, whoisPort] = [await freePort(), await freePort()];
  const parts = await productionWithEpp({
    DNS_PORT: String(dnsPort),
    WHOIS_PORT: String(whoisPort),
    LOOKUPS_PER_MINUTE: '1000',
  });
  const { url: database, settings, logIn } = parts;
  return { database, settings, logIn, dnsPort, whoisPort };
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isConnected = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isConnected;
}

const get = async (url: string) => {
  const reply = await fetch(url);
  return { status: reply.status, text: await reply.text() };
};
/** The result of a poll without a message. */
const EMPTY_QUEUE = 1300;
const UNKNOWN = { status: 404, text: '{"error":"Not found"}' };

/** What a registrar does all day, on the interface that must go on. */
async function registerOne(url: string): Promise<string> {
  const registrant = await Registrant.of(alpha(url));
  const name = await registrant.register({
    nameservers_attributes: hosts('ns1.example.net', 'ns2.example.net'),
  });
  const found = await alpha(url).get(`/domains/${name}`);
  expect(found.status).toBe(200);
  return name;
}

describe.concurrent('the public interfaces in a process of their own', () => {
  test('success: each process opens its own doors and ports, and knows no other path', async () => {
    const { database, settings, logIn, dnsPort, whoisPort } = await installation();
    const registrars = await startServe(database, settings, optionsOf('serve'));
    onTestFinished(registrars.stop);
    expect([await isOpen(dnsPort), await isOpen(whoisPort)]).toEqual([false, false]);
    const reader = await startServe(database, settings, optionsOf('public'));
    onTestFinished(reader.stop);

    const name = await registerOne(registrars.url);
    for (const path of [
      '/rdap',
      '/rdap/help',
      `/rdap/domain/${name}`,
      '/lookup',
      '/lookup/',
      '/lookup/contact',
    ])
      expect([path, await get(registrars.url + path)]).toEqual([path, UNKNOWN]);
    for (const path of [
      '/registry/v1',
      `/registry/v1/domains/${name}`,
      '/api/v1/business_registry/status',
      '/api/v1/invoice_generator/oneoff',
      '/confirm/unknown',
      '/console',
      '/console/login',
      '/ca/1.crl',
    ])
      expect([path, await get(reader.url + path)]).toEqual([path, UNKNOWN]);
    const posted = await fetch(`${reader.url}/registry/v1/contacts`, { method: 'POST', body: '{' });
    expect([posted.status, await posted.text()]).toEqual([UNKNOWN.status, UNKNOWN.text]);

    expect((await get(`${reader.url}/rdap/domain/${name}`)).status).toBe(200);
    expect((await get(`${reader.url}/lookup?name=${name}`)).text).toContain(name);
    expect(await askWhois(whoisPort, `${name}\r\n`)).toContain(`name:           ${name}\r\n`);
    expect(await isOpen(dnsPort)).toBe(true);
    const { client, code } = await logIn();
    expect(code).toBe(1000);
    client.close();
    for (const { url } of [registrars, reader])
      for (const path of ['/health', '/ready', '/favicon.svg', '/docs', '/guide'])
        expect([path, (await get(url + path)).status]).toEqual([path, 200]);
    // The way to the look-up is shown where it is.
    expect((await get(reader.url)).text).toContain('href="/lookup"');
    expect((await get(registrars.url)).text).not.toContain('href="/lookup"');
    // It is told neither how to pay nor how to send mails, and needs to know neither.
    expect(registrars.output()).toContain('nobody can pay');
    expect(reader.output()).not.toMatch(/nobody can pay|SMTP_URL/);
  });

  test('success: a door without a port is named all the same where it is off', async () => {
    const { url: database } = await seededProduction();
    const off = { EPP_PORT: 'off', DNS_PORT: 'off', WHOIS_PORT: 'off' };
    const server = await startServe(database, off, optionsOf('public'));
    onTestFinished(server.stop);
    expect((await get(`${server.url}/rdap/help`)).status).toBe(200);
  });

  test.runIf(process.platform !== 'darwin')(
    'success: several processes for registrars start beside the public one, which has its ports already',
    async () => {
      const { database, settings } = await installation();
      const reader = await startServe(database, settings, optionsOf('public'));
      onTestFinished(reader.stop);
      const options = [...optionsOf('serve'), '--processes', '2'];
      const registrars = await startServeProcess(database, settings, options);
      onTestFinished(registrars.kill);
      await registerOne(registrars.url);
    },
  );

  test('success: registrars go on while the public process hangs, is killed and starts again, and no change of a zone is lost', async () => {
    const { database, settings, logIn, dnsPort, whoisPort } = await installation();
    const run = (...args: string[]) => cadastre(args, { env: { DATABASE_URL: database } });
    const listener = await listenForNotify();
    await run('dns', 'secondary', 'add', 'signer', '127.0.0.1', '--port', String(listener.port));
    const { stdout } = await run('dns', 'key', 'create', 'first', '--secondary', 'signer', '--json');
    const { secret } = JSON.parse(stdout) as { secret: string };
    const key: TsigKey = { name: 'first', algorithm: 'hmac-sha256', secret: Buffer.from(secret, 'base64') };
    listener.answerWith(key);
    const notified = () =>
      Math.max(0, ...listener.notified.map(({ zone, serial }) => (zone === 'ee' ? serial : 0)));
    const request = { host: '127.0.0.1', port: dnsPort, zone: 'ee', key };
    const published = async (): Promise<SoaRecord> => {
      const first = (await transferZone(request).next()).value?.[0];
      if (first?.type !== 'SOA') throw new Error('no SOA');
      return first;
    };

    await startWork(database);
    const registrars = await startServeProcess(database, settings, optionsOf('serve'));
    onTestFinished(registrars.kill);
    const startPublic = async () => {
      const server = await startServeProcess(database, settings, optionsOf('public'));
      onTestFinished(server.kill);
      return server;
    };
    const reader = await startPublic();
    await registerOne(registrars.url);
    await expect.poll(notified, NOTICED).toBeGreaterThan(0);
    const { client: session } = await logIn();
    onTestFinished(() => session.close());

    // Stopped in the middle of what strangers ask it.
    const asked = Array.from({ length: 50 }, () => get(`${reader.url}/rdap/domain/puudub.ee`));
    const answers = Promise.all(asked);
    process.kill(reader.pid, 'SIGSTOP');
    const hanging = askWhois(whoisPort, 'puudub.ee\r\n');
    const duringHang = await registerOne(registrars.url);
    expect((await logIn()).code).toBe(1000);
    expect((await get(`${registrars.url}/ready`)).status).toBe(200);
    process.kill(reader.pid, 'SIGCONT');
    expect(await hanging).toContain('Domain not found');
    expect(new Set((await answers).map(({ status }) => status))).toEqual(new Set([404]));
    expect((await get(`${reader.url}/rdap/domain/${duringHang}`)).status).toBe(200);

    // As the kernel ends one that takes too much memory, again with requests under way.
    const before = await published();
    const cut = Promise.allSettled(
      Array.from({ length: 50 }, () => get(`${reader.url}/rdap/domain/puudub.ee`)),
    );
    const calls = Promise.all(Array.from({ length: 5 }, () => registerOne(registrars.url)));
    await reader.kill();
    const [name = ''] = await calls;
    await cut;
    const lastNotified = notified();
    expect(await isOpen(dnsPort)).toBe(false);
    const whileAway = await registerOne(registrars.url);
    expect(await session.poll()).toBe(EMPTY_QUEUE);

    const again = await startPublic();
    expect((await get(`${again.url}/rdap/domain/${whileAway}`)).status).toBe(200);
    await expect.poll(notified, NOTICED).toBeGreaterThan(lastNotified);
    /** The names of the first message, if it has differences: the second SOA is the one that the secondary has. */
    const differences = async (): Promise<string[]> => {
      for await (const { message } of transferAnswers(request, before))
        return message.answers[1]?.type === TYPE.SOA ? message.answers.map((record) => record.name) : [];
      return [];
    };
    await expect.poll(differences, NOTICED).toEqual(expect.arrayContaining([name, whileAway]));
  });
});
