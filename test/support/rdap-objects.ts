import { sql } from '../../src/platform/sql/statement.ts';
import { alpha } from './client.ts';
import { freshCode } from './contacts.ts';
import { freshName, hosts, KEY, OTHER_KEY, Registrant } from './domains.ts';
import type { TestRegistry } from './registry.ts';
import { setStatuses } from './statuses.ts';

export const ORGANISATION = {
  name: 'Näidis OÜ',
  email: 'info@naidis.example',
  phone: '+372.6001000',
  ident: { ident: '12345678', ident_type: 'org', ident_country_code: 'EE' },
};
/** As newContact has it. */
export const PERSON = {
  name: 'Mari Maasikas',
  email: 'mari@example.ee',
  phone: '+372.5551234',
  code: '60001019906',
} as const;

/** Domains of every kind that readers of an answer tell apart, by kind. */
export async function domainsOfEveryKind({ url, sql: db }: Pick<TestRegistry, 'url' | 'sql'>) {
  const client = alpha(url);
  const person = await Registrant.of(client);
  const organisation = await Registrant.of(client, ORGANISATION);
  const nameservers = { nameservers_attributes: hosts('ns1.example.net', 'ns2.example.net') };
  const signedName = freshName();
  const names = {
    person: await person.register(nameservers),
    organisation: await organisation.register(nameservers),
    expired: await person.register(nameservers),
    held: await organisation.register(nameservers),
    signed: await organisation.register({
      name: signedName,
      nameservers_attributes: [
        { hostname: `ns1.${signedName}`, ipv4: ['8.8.8.8'], ipv6: ['2001:4860:4860::8888'] },
        ...hosts('ns2.example.net'),
      ],
      dnskeys_attributes: [KEY, OTHER_KEY],
    }),
    idn: await person.register({ name: `õ${freshCode()}.ee`, ...nameservers }),
  };
  await db.run(
    sql`update domains set statuses = '{"expired": ""}', expire_time = now() - interval '1 day' where name = ${names.expired}`,
  );
  await setStatuses(db, names.held, { serverHold: '' });
  return names;
}
