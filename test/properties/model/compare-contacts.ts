import { expect } from 'vitest';
import type { Data } from '../../support/client.ts';
import { startOf, timestamp } from './calendar.ts';
import { WEBSITES } from './compare-domains.ts';
import { type Contact, type RegistryModel, rolesOf } from './state.ts';
import type { World } from './world.ts';

/** A contact as its sponsor reads it, with the domains that use it. */
export async function compareContact(model: RegistryModel, world: World, contact: Contact): Promise<void> {
  const { code, sponsor, data } = contact;
  const target = `/contacts/${encodeURIComponent(code)}`;
  const shown = (await world.read(sponsor, target)).body.data.contact;
  const using = [...model.domains.values()].filter((domain) => rolesOf(domain, contact).length > 0);
  expect(shown).toMatchObject({
    code,
    name: data.name,
    email: data.email,
    phone: data.phone,
    domains_count: using.length,
    ident: {
      code: data.ident.ident,
      type: data.ident.ident_type,
      country_code: data.ident.ident_country_code,
    },
    registrar: WEBSITES[sponsor],
  });
  expect(Object.keys(shown.statuses).includes('linked'), `${code} linked`).toBe(using.length > 0);
  const listed = shown.domains.map(({ name, roles, expire_time }: Data) => [
    name,
    roles.toSorted(),
    expire_time,
  ]);
  const expected = using.map((domain) => [
    domain.name,
    rolesOf(domain, contact).toSorted(),
    timestamp(startOf(domain.expiry)),
  ]);
  expect(listed.toSorted(), `domains of ${code}`).toEqual(expected.toSorted());
}
