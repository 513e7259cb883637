import { isoTimeIn } from '../../platform/values/dates.ts';
import type { ContactRole, WholeDomain } from '../../registry/domains/domain.ts';
import type { Context } from '../../registry/operation.ts';
import { ROLES } from './contact-json.ts';
import { renderSponsor } from './render-results.ts';

type Shown = Pick<WholeDomain, 'domain' | 'updatedAt'>;

/** A domain that was written, with the members that `domain-json.ts` reads, in the same order; without the transfer code. */
export function renderWholeDomain(
  { domain, updatedAt }: Shown,
  { principal, policy: { timeZone } }: Pick<Context, 'principal' | 'policy'>,
) {
  const { registrant, outzoneAt, nameservers, dnsKeys, linkIds } = domain;
  const timeOf = (at: Date) => isoTimeIn(timeZone, at);
  return {
    name: domain.name,
    registrant: { name: registrant.name, code: registrant.code },
    created_at: timeOf(domain.createdAt),
    updated_at: timeOf(updatedAt),
    expire_time: timeOf(domain.expireTime),
    outzone_at: outzoneAt && timeOf(outzoneAt),
    delete_date: domain.deleteDate,
    force_delete_date: domain.forceDelete?.date ?? null,
    contacts: domain.contacts
      .toSorted((one, other) => rankOf(one.role) - rankOf(other.role) || one.id - other.id)
      .map(({ code, role, name }) => ({ code, type: ROLES[role], name })),
    nameservers: nameservers.map(({ hostname, ipv4, ipv6 }) => ({
      id: linkIds?.nameservers.get(hostname) ?? UNKNOWN_ID,
      hostname,
      ipv4,
      ipv6,
    })),
    dnssec_keys: dnsKeys.map(({ flags, protocol, alg, publicKey }) => ({
      id: linkIds?.dnsKeys.get(publicKey) ?? UNKNOWN_ID,
      flags,
      protocol,
      alg,
      public_key: publicKey,
    })),
    statuses: statusesOf(domain),
    registrar: renderSponsor(principal),
    dispute: domain.disputed,
    reference: domain.reference,
  };
}

/** Of what is not stored yet. */
export const UNKNOWN_ID = 0;

const rankOf = (role: ContactRole): number => (role === 'admin' ? 0 : 1);

/** Stored and computed ones as PostgreSQL orders the members of a JSON object: by length, then by letter. */
function statusesOf({ statuses, disputed, nameservers }: Shown['domain']): Readonly<Record<string, unknown>> {
  const all = {
    ...statuses,
    ...(disputed && { disputed: '' }),
    ...(nameservers.length === 0 && { inactive: '' }),
  };
  const sorted = Object.entries(all).toSorted(
    ([one], [other]) => one.length - other.length || (one < other ? -1 : 1),
  );
  return sorted.length === 0 ? { ok: '' } : Object.fromEntries(sorted);
}
