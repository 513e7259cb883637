import { type Columns, jsonObject, pickColumns } from '../../../platform/sql/columns.ts';
import { textList } from '../../../platform/sql/json-text.ts';
import { type Fragment, quoted, sql } from '../../../platform/sql/statement.ts';
import { CONTACT } from '../../contacts/contact-members.ts';
import type { ContactRole } from '../domain.ts';

/** Rows linked to domains: their columns in the words of the registry, and their order within a domain. */
export type DomainLinks<Shown extends Columns = Columns> = {
  readonly columns: Shown;
  readonly from: Fragment;
  readonly domainId: Fragment;
  readonly order: Fragment;
};

export const CONTACT_LINKS = {
  columns: { ...CONTACT, role: sql`l.role` },
  from: sql`domain_contacts l join contacts c on c.id = l.contact_id`,
  domainId: sql`l.domain_id`,
  order: sql`l.role, c.id`,
};

export const NAMESERVER_LINKS = {
  columns: {
    id: sql`n.id`,
    hostname: sql`n.hostname`,
    ipv4: sql`n.ipv4`,
    ipv6: sql`n.ipv6`,
  },
  from: sql`domain_nameservers n`,
  domainId: sql`n.domain_id`,
  order: sql`n.id`,
};

const SIGNED_KEY = {
  flags: sql`k.flags`,
  protocol: sql`k.protocol`,
  alg: sql`k.alg`,
  publicKey: sql`k.public_key`,
  keyTag: sql`k.key_tag`,
  digestType: sql`k.digest_type`,
  digest: sql`k.digest`,
};
export const KEY_LINKS = {
  columns: { id: sql`k.id`, ...SIGNED_KEY },
  from: sql`domain_keys k`,
  domainId: sql`k.domain_id`,
  order: sql`k.id`,
};

/** Keys with their delegation signers. */
export const SIGNED_KEY_LINKS = { ...KEY_LINKS, columns: SIGNED_KEY };

const ofDomain = ({ from, domainId }: DomainLinks, list: Fragment): Fragment =>
  sql`(select coalesce(${list}, '[]') from ${from} where ${domainId} = d.id)`;

/** Those of a row `d` of domains as JSON text, each as an interface writes it. */
export const textOfLinks = <Shown extends Columns>(
  links: DomainLinks<Shown>,
  write: (columns: Shown) => Fragment,
): Fragment => ofDomain(links, textList(write(links.columns), links.order));

/** The same as values. */
export const jsonOfLinks = (links: DomainLinks): Fragment =>
  ofDomain(links, sql`json_agg(${jsonObject(links.columns)} order by ${links.order})`);

export const withColumns = <Name extends string>(
  links: DomainLinks<Readonly<Record<Name, Fragment>>>,
  ...names: readonly Name[]
): DomainLinks<Readonly<Record<Name, Fragment>>> => ({
  ...links,
  columns: pickColumns(links.columns, ...names),
});

/** The registrant of a row `d` of domains. */
export const ofRegistrant = (write: (contact: typeof CONTACT) => Fragment): Fragment =>
  sql`(select ${write(CONTACT)} from contacts c where c.id = d.registrant_id)`;

/** Of one role. */
export const contactsInRole = (role: ContactRole) => ({
  ...CONTACT_LINKS,
  from: sql`${CONTACT_LINKS.from} and l.role = ${quoted(role)}`,
  order: sql`c.id`,
});

/** The codes of the contacts of a domain in a role, as an array. */
export const codesInRole = (
  role: ContactRole,
  { id = sql`d.id`, order = sql`c.id` }: { readonly id?: Fragment; readonly order?: Fragment } = {},
): Fragment =>
  sql`array(select c.code from ${contactsInRole(role).from} where l.domain_id = ${id} order by ${order})`;

/** The names of its nameservers likewise. */
export const hostnames = (id = sql`d.id`): Fragment =>
  sql`array(select n.hostname from domain_nameservers n where n.domain_id = ${id} order by n.id)`;
