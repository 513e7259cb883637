import type { Refusal } from '../../../operations/refusal.ts';
import type { DnsKey } from './dnssec-keys.ts';
import type { ContactRole, Domain } from '../domain.ts';
import type { ContactPlace } from './domain-paths.ts';
import type { Nameserver } from './parse-nameservers.ts';

export type NamedContact = {
  readonly code: string;
  readonly role: ContactRole;
  /** Where the command names it, if not at its place among those that are added. */
  readonly at?: ContactPlace;
};
export type NamedStatus = { readonly status: string };
/** Refused where the domain has it, unless the request only says how it is to be. */
export type NewStatus = NamedStatus & { readonly mayBePresent?: boolean };

/** What one request removes from a domain and adds to it, apart from the registrant and the transfer code. */
export type DomainParts = {
  readonly remove: {
    readonly contacts: readonly NamedContact[];
    readonly nameservers: readonly Pick<Nameserver, 'hostname'>[];
    readonly statuses: readonly NamedStatus[];
    readonly keys: 'all' | readonly DnsKey[];
  };
  readonly add: {
    readonly contacts: readonly NamedContact[];
    readonly nameservers: readonly Nameserver[];
    readonly statuses: readonly NewStatus[];
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
