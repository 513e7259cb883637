import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha } from '../../support/client.ts';
import { type ConsoleClient, hiddenField, loggedIn } from '../../support/console.ts';
import { Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let console: ConsoleClient;
let mari: Registrant;
beforeAll(async () => {
  registry = await startRegistry();
  mari = await Registrant.of(alpha(registry.url));
  console = await loggedIn(registry.url);
});
afterAll(() => registry.stop());

const pathOf = (name: string) => `/console/domains/${name}/renew`;
const state = (name: string) =>
  registry.sql.one(sql<{ expires: string; charges: number; actors: string[] }>`
    select (d.expire_time at time zone 'Europe/Tallinn')::date::text as expires,
      (select count(*)::int from ledger_entries where description = ${`Renew ${name}`}) as charges,
      array(select actor from history where object_name = ${name} and operation = 'renew') as actors
    from domains d where d.name = ${name}`);

/** Fills in the form and asks for its preview. */
async function preview(name: string, years = '2') {
  const form = await console.get(pathOf(name));
  const fields = { years, expires: hiddenField(form.text, 'expires') };
  const shown = await console.post(pathOf(name), { ...fields, step: 'preview' });
  const key = hiddenField(shown.text, 'key');
  const price = hiddenField(shown.text, 'price');
  return { shown, fields: { ...fields, key, price, step: 'confirm' } };
}

describe('a form of an operation', () => {
  test('success: the preview changes nothing and shows the effect; the confirmation applies it, once', async () => {
    const name = await mari.register();
    const before = await state(name);
    const { shown, fields } = await preview(name);
    expect([shown.status, fields.price]).toEqual([200, '18.00']);
    for (const text of ['€18.00', '2 years', 'Balance afterwards', 'Nothing has been changed yet'])
      expect(shown.text).toContain(text);
    expect(await state(name)).toEqual(before);

    const answers = await Promise.all([1, 2, 3].map(() => console.post(pathOf(name), fields)));
    expect(answers.map(({ status, to }) => [status, to])).toEqual(
      [1, 2, 3].map(() => [303, `/console/domains/${name}?notice=domainRenewed`]),
    );
    expect(await state(name)).toEqual({
      expires: before.expires.replace(/^\d+/, (year) => String(Number(year) + 2)),
      charges: 1,
      actors: ['person:alpha@sandbox.example'],
    });
  });

  test.each<[string, (fields: Record<string, string>) => Record<string, string>, number, string]>([
    ['with a key of another content', (fields) => ({ ...fields, years: '3' }), 400, 'already submitted'],
    [
      'with another key, which is stale',
      (f) => ({ ...f, key: f.key?.replace(/^./, (first) => (first === 'f' ? '0' : 'f')) ?? '' }),
      400,
      'meanwhile',
    ],
  ])('failure: sent again %s', async (_how, changed, status, text) => {
    const name = await mari.register();
    const { fields } = await preview(name);
    expect((await console.post(pathOf(name), fields)).status).toBe(303);
    const after = await state(name);
    const again = await console.post(pathOf(name), changed(fields));
    expect(again.status).toBe(status);
    expect(again.text).toContain(text);
    expect(await state(name)).toEqual(after);
  });

  test.each<[string, Record<string, string>, number, string]>([
    ['a different price', { price: '1.00' }, 400, 'The price has changed: it is 18.00 now.'],
    ['no price', { price: '' }, 200, 'This is a preview'],
    ['no key', { key: '' }, 200, 'This is a preview'],
    ['an invalid key', { key: 'x'.repeat(300) }, 200, 'This is a preview'],
    ['a wrong period', { years: '0' }, 400, 'There is no price for this period.'],
    ['no number', { years: 'ten' }, 400, 'There is no price for this period.'],
    ['more than the maximum', { years: '10' }, 400, 'would expire too late'],
    ['a wrong expiry', { expires: '2001-01-01' }, 400, 'renewed meanwhile'],
  ])('failure: %s changes nothing', async (_what, wrong, status, text) => {
    const name = await mari.register();
    const before = await state(name);
    const { fields } = await preview(name);
    const answer = await console.post(pathOf(name), { ...fields, ...wrong });
    expect([answer.status, answer.text.includes(text)]).toEqual([status, true]);
    expect(await state(name)).toEqual(before);
  });

  test('success: back to the form with the values that were filled in', async () => {
    const name = await mari.register();
    const { fields } = await preview(name);
    const { status, text } = await console.post(pathOf(name), { ...fields, step: 'edit' });
    expect(status).toBe(200);
    expect(text).toContain('<option value="2" selected>');
  });

  test('failure: a key of another person is not the same key', async () => {
    const name = await mari.register();
    const { fields } = await preview(name);
    expect((await console.post(pathOf(name), fields)).status).toBe(303);
    const other = await loggedIn(registry.url, 'reader');
    expect((await other.post(pathOf(name), fields)).status).toBe(403);
  });
});
