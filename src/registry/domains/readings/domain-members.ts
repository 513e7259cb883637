import { textObject, textOf } from '../../../platform/sql/json-text.ts';
import { type Fragment, sql } from '../../../platform/sql/statement.ts';
import { STATUSES } from '../rules/computed-statuses.ts';
import { CONTACT_LINKS } from './domain-links.ts';

/** As text, whatever the date style of the server. */
const day = (date: Fragment): Fragment => sql`to_char(${date}, 'YYYY-MM-DD')`;

/**
 * The members of a domain in the words of the registry, for a row `d` of domains and its `state`: each reading takes
 * those that it shows, in the form and under the names of its interface.
 */
export const DOMAIN = {
  id: sql`d.id`,
  version: sql`d.version`,
  name: sql`d.name`,
  zone: sql`d.zone`,
  registrarId: sql`d.registrar_id`,
  transferCode: sql`d.transfer_code`,
  createdAt: sql`d.created_at`,
  updatedAt: sql`d.updated_at`,
  transferredAt: sql`(select t.transferred_at from transfers t where t.domain_id = d.id order by t.id desc limit 1)`,
  expireTime: sql`d.expire_time`,
  outzoneAt: sql`d.outzone_at`,
  deleteDate: day(sql`d.delete_date`),
  purgeAt: sql`d.purge_at`,
  remindedAt: sql`d.reminded_at`,
  forceDeleteReason: sql`d.force_delete ->> 'reason'`,
  forceDeleteStart: day(sql`d.force_delete_start`),
  forceDeleteDate: day(sql`d.force_delete_date`),
  /** Stored and computed ones. */
  statuses: STATUSES,
  /** JSON text; each has id, hostname, ipv4 and ipv6. */
  nameservers: sql`coalesce(state.nameservers, '[]')`,
};

/** JSON text with the name and the website of a registrar. */
export const sponsorText = (registrarId: Fragment): Fragment => sql`(
  select ${textObject({ name: textOf(sql`r.name`), website: textOf(sql`r.website`) })} from registrars r where r.id = ${registrarId})`;

type View = { readonly isSponsor: Fragment; readonly sponsor: Fragment };

/** What registrars read of a domain: its sponsor everything, others neither the transfer code, the reference nor names of contacts. */
export const domainMembers = ({ isSponsor, sponsor }: View) => ({
  ...DOMAIN,
  sponsor,
  isDisputed: sql`state.disputed`,
  transferCode: sql`case when ${isSponsor} then d.transfer_code end`,
  /** JSON text: a text or null; null for others. */
  reference: sql`case when ${isSponsor} then coalesce(to_json(d.reference)::text, 'null') end`,
  contacts: {
    ...CONTACT_LINKS,
    columns: {
      code: CONTACT_LINKS.columns.code,
      role: CONTACT_LINKS.columns.role,
      name: sql`case when ${isSponsor} then c.name end`,
    },
  },
});
export type DomainMembers = ReturnType<typeof domainMembers>;
