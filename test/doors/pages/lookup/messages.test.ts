import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha } from '../../../support/client.ts';
import { Registrant } from '../../../support/domains.ts';
import { moveClock, sentMails } from '../../../support/life.ts';
import { confirmationLink, headingOf, MESSAGE, postMessage } from '../../../support/lookup.ts';
import {
  freshRegistryForThisTest,
  startFreshRegistry,
  type TestRegistry,
} from '../../../support/registry.ts';
import { sql } from '../../../support/sql.ts';
import { NOTICED } from '../../../support/waiting.ts';

let registry: TestRegistry;
let number = 0;
beforeAll(async () => {
  registry = await startFreshRegistry({ trustedProxies: ['127.0.0.0/8'] });
});
afterAll(() => registry.stop());

/** A domain whose registrant has a mailbox of its own, and a sender of its own. */
async function setUpRegistrant(own: { url: string } = registry) {
  const email = `mari${++number}@example.ee`;
  const domain = await (await Registrant.of(alpha(own.url), { email })).register();
  return { domain, email, fields: { ...MESSAGE, senderEmail: `jaan${number}@example.ee` } };
}
const mailsTo = async (address: string, own: { url: string } = registry) =>
  (await sentMails(own)).filter(({ to }) => to === address);
const rows = (domain: string) =>
  registry.sql.rows(
    sql`select forwarded_at is not null as forwarded from registrant_messages where domain_name = ${domain}`,
  );
const open = async (link: string) => {
  const reply = await fetch(link);
  const page = await reply.text();
  return { status: reply.status, page, heading: headingOf(page), headers: reply.headers };
};
const press = (link: string) =>
  fetch(link, { method: 'POST', redirect: 'manual', body: new URLSearchParams() });

describe('writing to a registrant', () => {
  test('success: the form, the mail to the sender, the link, the button, the mail to the registrant', async () => {
    const { domain, email, fields } = await setUpRegistrant();
    const form = await open(`${registry.url}/lookup/contact?name=${domain}&lang=en`);
    expect([form.status, form.heading]).toEqual([200, `Write to the registrant of ${domain}`]);
    expect(form.headers.get('referrer-policy')).toBe('same-origin');
    const posted = await postMessage(registry, domain, fields);
    expect([posted.status, posted.headers.get('location')]).toEqual([303, '/lookup/contact/sent?lang=en']);
    expect((await open(`${registry.url}/lookup/contact/sent?lang=en`)).heading).toBe(
      'Look into your mailbox',
    );

    const link = await confirmationLink(registry, fields.senderEmail);
    for (const method of ['GET', 'HEAD', 'GET']) expect((await fetch(link, { method })).status).toBe(200);
    const question = await open(link);
    expect(question.page).toContain('Is the domain for sale?');
    expect(question.headers.get('referrer-policy')).toBe('no-referrer');
    expect(question.headers.get('x-robots-tag')).toBe('noindex, nofollow');
    expect(await rows(domain)).toEqual([{ forwarded: false }]);
    expect(await mailsTo(email)).toEqual([]);

    const pressed = await press(link);
    expect([pressed.status, pressed.headers.get('location')]).toEqual([303, '?lang=en']);
    expect((await open(link)).page).toContain('Your message was forwarded.');
    expect((await press(link)).status).toBe(303);
    expect((await open(link)).page).toContain('It is forwarded once only');
    expect(await mailsTo(email)).toMatchObject([
      { reply_to: fields.senderEmail, text: expect.stringContaining('\n> Is the domain for sale?') },
    ]);
    for (const { page } of [form, question, await open(link)]) expect(page).not.toContain(email);
  });

  test('success: the mail is in the language of the page', async () => {
    const { domain, fields } = await setUpRegistrant();
    const reply = await fetch(`${registry.url}/lookup/contact?name=${domain}&lang=et`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(fields),
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    expect(reply.headers.get('location')).toBe('/lookup/contact/sent?lang=et');
    const [mail] = await mailsTo(fields.senderEmail);
    expect(mail?.subject).toBe(`Palun kinnitage oma kiri domeeni ${domain} registreerijale`);
    expect((await open(await confirmationLink(registry, fields.senderEmail))).heading).toBe(
      `Teie kiri domeeni ${domain} registreerijale`,
    );
  });

  test('success: a sender at a limit gets the same answer, and no mail', async () => {
    const { domain, fields } = await setUpRegistrant();
    const answers: unknown[] = [];
    for (let turn = 0; turn < 6; turn++) {
      const reply = await postMessage(registry, domain, fields);
      const varying = ['date', 'x-request-id', 'keep-alive', 'connection'];
      const headers = [...reply.headers].filter(([name]) => !varying.includes(name));
      answers.push({ status: reply.status, headers, body: await reply.text() });
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await rows(domain)).toHaveLength(5);
    expect(await mailsTo(fields.senderEmail)).toHaveLength(5);
  });

  test('failure: errors are shown in the form, with the input, escaped', async () => {
    const { domain } = await setUpRegistrant();
    const reply = await postMessage(registry, domain, {
      senderName: '"><b>',
      senderEmail: 'x',
      message: '</textarea><b>',
    });
    const page = await reply.text();
    expect(reply.status).toBe(400);
    expect(page).toContain('<title>Error: Write to the registrant');
    expect(page).toContain('<a href="#senderEmail">Enter an e-mail address such as mari@example.ee</a>');
    expect(page).toContain('aria-describedby="senderEmail-hint senderEmail-fault" aria-invalid="true"');
    expect(page).toContain('value="&quot;&gt;&lt;b&gt;"');
    expect(page).toContain('&lt;/textarea&gt;&lt;b&gt;</textarea>');
    expect(await rows(domain)).toEqual([]);
  });

  test.each([
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, 303],
    [{ 'sec-fetch-site': 'none' }, 403],
  ])('failure: a form of another site is refused: %j', async (headers, status) => {
    const { domain, fields } = await setUpRegistrant();
    expect((await postMessage(registry, domain, fields, headers as Record<string, string>)).status).toBe(
      status,
    );
    expect(await rows(domain)).toHaveLength(status === 303 ? 1 : 0);
  });

  test('success: a form of our own page is accepted where the browser sends only its origin', async () => {
    const { domain, fields } = await setUpRegistrant();
    expect((await postMessage(registry, domain, fields, { origin: registry.url })).status).toBe(303);
  });

  test.each([
    ['freenome.ee', 404],
    ['reserved.ee', 404],
    ['blocked.ee', 404],
    ['com.ee', 404],
    ['a_b.ee', 400],
    ['', 400],
  ])('failure: %j has no registrant to write to', async (name, status) => {
    expect((await open(`${registry.url}/lookup/contact?name=${name}`)).status).toBe(status);
    expect((await postMessage(registry, name)).status).toBe(status);
    expect(await rows(name)).toEqual([]);
  });

  test.each([
    [{ 'content-type': 'application/json' }, '{}', 415],
    [{ 'content-type': 'application/x-www-form-urlencoded' }, 'x'.repeat(70_000), 413],
    [{ 'content-type': 'application/x-www-form-urlencoded' }, '', 400],
    [
      { 'content-type': 'application/x-www-form-urlencoded' },
      `${new URLSearchParams(MESSAGE)}&message=another`,
      400,
    ],
  ])('failure: a malformed body: %j', async (headers, body, status) => {
    const { domain } = await setUpRegistrant();
    const address = `${registry.url}/lookup/contact?name=${domain}`;
    const sent = { 'sec-fetch-site': 'same-origin', ...(headers as Record<string, string>) };
    expect((await fetch(address, { method: 'POST', headers: sent, body })).status).toBe(status);
    expect(await rows(domain)).toEqual([]);
  });

  test('failure: one address sends ten messages a day; the text of a refused one is shown again', async () => {
    const { domain } = await setUpRegistrant();
    const send = (address: string) =>
      postMessage(
        registry,
        domain,
        { ...MESSAGE, senderEmail: `a${++number}@example.ee` },
        { 'x-forwarded-for': address },
      );
    for (let turn = 0; turn < 10; turn++) expect((await send('192.0.2.1')).status).toBe(303);
    const refused = await send('192.0.2.1');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000);
    const page = await refused.text();
    expect(page).toContain('Your message was not sent: too many');
    expect(page).toContain('Is the domain for sale?</textarea>');
    expect((await send('192.0.2.2')).status).toBe(303);
    expect(await rows(domain)).toHaveLength(11);
  });

  test.each([
    ['/24', (host: number) => `198.51.100.${host}`, '198.51.101.1'],
    ['/48', (host: number) => `2001:db8:7:${host}::1`, '2001:db8:8::1'],
  ])('failure: the addresses of a %s together send fifty messages a day', async (_size, address, other) => {
    const { domain } = await setUpRegistrant();
    const send = async (from: string) => {
      const fields = { ...MESSAGE, senderEmail: `n${++number}@example.ee` };
      return (await postMessage(registry, domain, fields, { 'x-forwarded-for': from })).status;
    };
    // None of the addresses goes beyond its own limit of ten.
    for (let turn = 0; turn < 10; turn++)
      expect(await Promise.all([1, 2, 3, 4, 5].map((host) => send(address(host))))).toEqual(
        Array(5).fill(303),
      );
    expect(await send(address(6))).toBe(429);
    expect(await send(other)).toBe(303);
    expect(await rows(domain)).toHaveLength(51);
  });

  test('success: twenty addresses that write as much as they may do not close the form for others', async () => {
    const own = await freshRegistryForThisTest({ trustedProxies: ['127.0.0.0/8'] });
    const { domain } = await setUpRegistrant(own);
    const send = async (from: string) => {
      const fields = { ...MESSAGE, senderEmail: `t${++number}@example.ee` };
      return (await postMessage(own, domain, fields, { 'x-forwarded-for': from })).status;
    };
    const addresses = [1, 2, 3, 4].flatMap((network) =>
      [1, 2, 3, 4, 5].map((host) => `10.0.${network}.${host}`),
    );
    for (let turn = 0; turn < 10; turn++)
      expect(new Set(await Promise.all(addresses.map(send)))).toEqual(new Set([303]));
    expect(await send('10.0.1.6')).toBe(429);
    for (const status of [303, 303, 303, 503]) expect(await send('192.0.2.1')).toBe(status);
    expect(await send('192.0.2.2')).toBe(503);
    expect(await send('198.51.100.1')).toBe(303);
  });

  test('failure: a message that is refused by the rate limit, or in maintenance, is shown again', async () => {
    const own = await freshRegistryForThisTest({ lookupsPerMinute: 2, trustedProxies: ['127.0.0.0/8'] });
    const { domain } = await setUpRegistrant(own);
    const from = { 'x-forwarded-for': '192.0.2.7' };
    for (const status of [303, 303, 429])
      expect((await postMessage(own, domain, MESSAGE, from)).status).toBe(status);
    const limited = await (await postMessage(own, domain, MESSAGE, from)).text();
    expect(limited).toContain('Is the domain for sale?</textarea>');
    await own.sql.run(sql`update installation set maintenance_since = now()`);
    await expect.poll(async () => (await postMessage(own, domain)).status, NOTICED).toBe(503);
    const reply = await postMessage(own, domain);
    expect(reply.headers.get('retry-after')).toBe('60');
    expect(await reply.text()).toContain('Is the domain for sale?</textarea>');
    const form = await open(`${own.url}/lookup/contact?name=${domain}&lang=en`);
    expect([form.status, form.heading]).toEqual([503, 'Messages cannot be sent at the moment']);
    expect((await postMessage(own, '<b>')).status).toBe(503);
  });

  test('failure: unknown links are not found; neither log nor metrics hold a token or a word of a message', async () => {
    const own = await freshRegistryForThisTest();
    const { domain, email, fields } = await setUpRegistrant(own);
    await postMessage(own, domain, fields);
    const link = await confirmationLink(own, fields.senderEmail);
    const token = /message\/([\w-]{43})\?/.exec(link)?.[1] ?? '';
    expect(token).toHaveLength(43);
    for (const target of [link.replace(token, 'A'.repeat(43)), link.replace(token, 'x')]) {
      expect((await open(target)).status).toBe(404);
      expect((await press(target)).status).toBe(404);
    }
    await press(link);
    await expect.poll(own.logged).toContain('"route":"/lookup/message/:token","status":303');
    const metrics = await (await fetch(own.metricsUrl)).text();
    for (const secret of [token, fields.senderEmail, email, 'for sale', domain]) {
      expect(own.logged()).not.toContain(secret);
      expect(metrics).not.toContain(secret);
    }
  });

  // The last one: it moves the clock for all.
  test('failure: after 24 hours nothing is forwarded', async () => {
    const { domain, email, fields } = await setUpRegistrant();
    await postMessage(registry, domain, fields);
    const link = await confirmationLink(registry, fields.senderEmail);
    await moveClock(registry, { advance: 'PT24H' });
    await press(link);
    expect((await open(link)).page).toContain('The time to confirm is over.');
    expect(await mailsTo(email)).toEqual([]);
  });
});
