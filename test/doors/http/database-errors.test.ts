import { afterAll, beforeAll, expect, test } from 'vitest';
import { Service } from '../../support/billing.ts';
import { alpha } from '../../support/client.ts';
import { createContact, freshCode, newContact } from '../../support/contacts.ts';
import { freshName } from '../../support/domains.ts';
import { Portal } from '../../support/portal.ts';
import { startFreshRegistry, type TestRegistry } from '../../support/registry.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startFreshRegistry();
});
afterAll(() => registry.stop());

/** Every insert into these tables fails with the error of a server in that state. */
async function failWith(code: string): Promise<void> {
  await registry.sql.script(`
    create or replace function fail_on_purpose() returns trigger language plpgsql as
      $$ begin raise exception 'on purpose' using errcode = '${code}'; end $$`);
  for (const table of ['contacts', 'reservations', 'invoices'])
    await registry.sql.script(
      `create or replace trigger fail_on_purpose before insert on ${table} for each row execute function fail_on_purpose()`,
    );
}
const recover = async () => {
  for (const table of ['contacts', 'reservations', 'invoices'])
    await registry.sql.script(`drop trigger fail_on_purpose on ${table}`);
};

test.each([
  ['53100', 'a full disk'],
  ['08P01', 'a pooler that ended the connection'],
  ['58030', 'a disk that fails'],
  ['53200', 'no memory'],
])('failure: %s (%s) is 503 with Retry-After in every API, and nothing is written', async (code) => {
  const [registrar, portal, service] = [
    alpha(registry.url),
    new Portal(registry.url),
    new Service(registry.url),
  ];
  const number = await service.number();
  const contacts = async () => (await registrar.get('/contacts')).body.data.total_number_of_records;
  const before = await contacts();
  await failWith(code);
  const replies = [
    await registrar.post('/contacts', newContact({ id: freshCode() })),
    await portal.reserve(freshName()),
    await service.post('/invoice_generator/invoice_generator', {
      invoice_number: number,
      transaction_amount: '10.00',
      custom_field2: 'auction',
    }),
  ];
  await recover();
  expect(replies.map(({ status }) => status)).toEqual([503, 503, 503]);
  for (const { headers } of replies) expect(headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await contacts()).toBe(before);
  expect(registry.logged()).toContain(`"code":"${code}"`);
  expect(registry.logged()).not.toContain('unexpected error');
  await createContact(registrar);
});
