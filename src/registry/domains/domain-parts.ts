import type { Refusal } from '../../operations/refusal.ts';
import type { DnsKey } from './dnssec-keys.ts';
import type { ContactRole, Domain } from './domain.ts';
import type { Nameserver } from './nameservers.ts';

/** Something that a request names, with the field that refusals of it name. */
export type Named<Key extends string> = { readonly [name in Key | 'field']: string };
export type NamedContact = Named<'code'> & { readonly role: ContactRole };

/** What one request removes from a domain and adds to it, apart from the registrant and the transfer code. */
export type DomainParts = {
  readonly remove: {
    readonly contacts: readonly NamedContact[];
    readonly nameservers: readonly Named<'hostname'>[];
    readonly statuses: readonly Named<'status'>[];
    readonly keys: 'all' | readonly DnsKey[];
  };
  readonly add: {
    readonly contacts: readonly NamedContact[];
    readonly nameservers: readonly Nameserver[];
    readonly statuses: readonly Named<'status'>[];
    readonly keys: readonly DnsKey[];
  };
};

/** A request that changes none of these. */
export const NO_PARTS: DomainParts = {
  remove: { contacts: [], nameservers: [], statuses: [], keys: [] },
  add: { contacts: [], nameservers: [], statuses: [], keys: [] },
};

/** A domain after a change, and everything that is wrong with the change. */
export type Changed = { readonly domain: Domain; readonly refusals: readonly Refusal[] };

/** Applies changes one after the other, each to the result of the one before. */
export function applyAll(domain: Domain, changes: readonly ((domain: Domain) => Changed)[]): Changed {
  return changes.reduce<Changed>(
    (sofar, change) => {
      const next = change(sofar.domain);
      return { domain: next.domain, refusals: [...sofar.refusals, ...next.refusals] };
    },
    { domain, refusals: [] },
  );
}
