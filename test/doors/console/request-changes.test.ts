import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha } from '../../support/client.ts';
import { type ConsoleClient, loggedIn } from '../../support/console.ts';
import { Registrant } from '../../support/domains.ts';
import { askForDeletion, askForNewRegistrant, messagesAbout } from '../../support/requests.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let console: ConsoleClient;
beforeAll(async () => {
  registry = await startRegistry();
  console = await loggedIn(registry.url);
});
afterAll(() => registry.stop());

const pathOf = (domain: string, change = '') => `/console/domains/${domain}${change}`;
const resend = (domain: string) => console.post(pathOf(domain, '/request/resend'), {});
const withdraw = (domain: string) => console.post(pathOf(domain, '/request/withdraw'), {});
/** As if the last mail had been sent earlier. */
const age = (domain: string, minutes = 11) =>
  registry.sql.run(sql`
    update registrant_requests set requested_at = requested_at - make_interval(mins => ${minutes}), sent_at = sent_at - make_interval(mins => ${minutes})
    where domain_id = (select id from domains where name = ${domain})`);
const linksTo = async (domain: string) => {
  const mails = (await (await fetch(`${registry.url}/sandbox/mail`)).json()) as {
    subject: string;
    to: string;
    links: string[];
  }[];
  return mails.filter(({ subject, links }) => subject.includes(domain) && links.length > 0);
};
const historyOf = (domain: string) =>
  registry.sql.rows(sql<{ operation: string; actor: string }>`
    select operation, actor from history where object_kind = 'domain' and object_name = ${domain} order by id desc limit 1`);
const answers = async (link: string) => (await fetch(link)).text();

describe('a request of the registrant that waits', () => {
  test.each([
    ['registrant change', askForNewRegistrant],
    ['deletion', askForDeletion],
  ] as const)('success: a %s is sent again, with another link until the same day', async (kind, ask) => {
    const { domain, link } = await ask(alpha(registry.url));
    const page = await console.get(pathOf(domain));
    for (const change of ['resend', 'withdraw'])
      expect(page.text).toContain(`action="/console/domains/${domain}/request/${change}"`);
    const before = await registry.sql.one(sql<{ until: Date; version: number }>`
      select q.expires_at as until, d.version from registrant_requests q join domains d on d.id = q.domain_id where d.name = ${domain}`);
    await age(domain);
    expect((await resend(domain)).to).toBe(`${pathOf(domain)}?notice=requestSentAgain`);
    const [newest, first, ...others] = await linksTo(domain);
    expect(others).toEqual([]);
    expect(newest?.to).toBe(first?.to);
    expect(newest?.links).not.toEqual(first?.links);
    expect(await answers(link)).toContain('link');
    expect(await answers(newest?.links[0] ?? '')).toContain(domain);
    expect(await answers(link)).not.toContain(domain);
    expect(
      await registry.sql.one(sql`
        select q.expires_at as until, d.version from registrant_requests q join domains d on d.id = q.domain_id where d.name = ${domain}`),
    ).toEqual(before);
    expect(await historyOf(domain)).toEqual([
      { operation: `ask again for ${kind}`, actor: 'person:alpha@sandbox.example' },
    ]);
    expect((await console.get(pathOf(domain))).text).toContain('The registrant was asked again');
  });

  test('failure: again within ten minutes, and a sixth time', async () => {
    const { domain } = await askForDeletion(alpha(registry.url));
    const soon = await resend(domain);
    expect([soon.status, soon.text.includes('Try again in 10 min.')]).toEqual([409, true]);
    for (let count = 0; count < 5; count += 1) {
      await age(domain);
      expect((await resend(domain)).status).toBe(303);
    }
    await age(domain);
    const often = await resend(domain);
    expect([often.status, often.text.includes('was already sent again 5 times')]).toEqual([409, true]);
    expect(await linksTo(domain)).toHaveLength(6);
  });

  test.each([
    ['registrant change', 'pendingUpdate', askForNewRegistrant],
    ['deletion', 'pendingDeleteConfirmation', askForDeletion],
  ] as const)('success: a %s is withdrawn', async (kind, status, ask) => {
    const client = alpha(registry.url);
    const { domain, link } = await ask(client);
    expect((await withdraw(domain)).to).toBe(`${pathOf(domain)}?notice=requestWithdrawn`);
    const { statuses, outcome } = await registry.sql.one(sql<{ statuses: object; outcome: string }>`
      select d.statuses, q.outcome from registrant_requests q join domains d on d.id = q.domain_id where d.name = ${domain}`);
    expect([statuses, outcome]).toEqual([expect.not.objectContaining({ [status]: '' }), 'withdrawn']);
    expect(await historyOf(domain)).toEqual([
      { operation: `withdraw ${kind}`, actor: 'person:alpha@sandbox.example' },
    ]);
    expect(await messagesAbout(client, domain)).toEqual([
      {
        type: 'request_withdrawn',
        text: `The registrant is no longer asked about domain ${domain}: the registrar has withdrawn the request`,
      },
    ]);
    expect(await answers(link)).toContain('withdrawn');
    // The domain can be changed at once, and asked about again.
    expect(
      (await client.delete(`/domains/${domain}`, { domain: { delete: { verified: false } } })).status,
    ).toBe(200);
  });

  test('success: withdrawn twice, and after the registrant has answered', async () => {
    const { domain } = await askForDeletion(alpha(registry.url));
    await withdraw(domain);
    expect((await withdraw(domain)).to).toBe(`${pathOf(domain)}?notice=requestWithdrawn`);
  });

  test('failure: nothing waits, or it has expired', async () => {
    const name = await (await Registrant.of(alpha(registry.url))).register();
    const none = await resend(name);
    expect([none.status, none.text.includes('No request to the registrant is open')]).toEqual([409, true]);
    const { domain } = await askForDeletion(alpha(registry.url));
    await registry.sql.run(sql`
      update registrant_requests set expires_at = requested_at where domain_id = (select id from domains where name = ${domain})`);
    await age(domain);
    expect((await resend(domain)).status).toBe(409);
  });

  test('failure: a reader sees no button', async () => {
    const { domain } = await askForDeletion(alpha(registry.url));
    const reader = await loggedIn(registry.url, 'reader');
    const page = await reader.get(pathOf(domain));
    expect([page.status, page.text.includes('/request/')]).toEqual([200, false]);
  });
});
