import type { Ident } from '../contacts/ident.ts';
import type { DelegationSigner, DnsKey } from './dnssec-keys.ts';
import type { Nameserver } from './nameservers.ts';
import type { DomainStatus, Statuses } from './statuses.ts';

export type ContactRole = 'admin' | 'tech';
export type LinkedContact = {
  readonly id: number;
  readonly code: string;
  readonly email: string;
  readonly role: ContactRole;
};
export type ContactInfo = {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly email: string;
  readonly ident: Ident;
};

/** The registry takes the domain away, with its reason and what is needed to take that back. */
export type ForceDelete = {
  readonly kind: 'soft' | 'fast track';
  readonly reason: string;
  /** When the grace period begins, and the day on which the domain goes; null where it just runs out. */
  readonly start: string | null;
  readonly date: string | null;
  /** Statuses that are there by its doing alone, and go with it. */
  readonly added: readonly DomainStatus[];
  /** Statuses that it took away, and gives back. */
  readonly taken: Statuses;
  readonly warned: boolean;
  readonly held: boolean;
};

/** A domain as decisions see it. A change is a new value; what differs is written. */
export type Domain = {
  readonly id: number;
  readonly version: number;
  readonly name: string;
  readonly zone: string;
  readonly registrarId: number;
  readonly registrant: ContactInfo;
  readonly createdAt: Date;
  readonly expireTime: Date;
  readonly outzoneAt: Date | null;
  readonly deleteDate: string | null;
  /** When a deleteCandidate goes. */
  readonly purgeAt: Date | null;
  /** When the registrant was reminded of the present expiry. */
  readonly remindedAt: Date | null;
  readonly forceDelete: ForceDelete | null;
  readonly statuses: Statuses;
  /** Somebody has a claim to the name; see disputes. */
  readonly disputed: boolean;
  readonly transferCode: string;
  readonly contacts: readonly LinkedContact[];
  readonly nameservers: readonly Nameserver[];
  readonly dnsKeys: readonly SignedKey[];
};

export type SignedKey = DnsKey & DelegationSigner;

type Shown = Omit<Domain, 'id' | 'version' | 'transferCode' | 'disputed' | 'purgeAt' | 'remindedAt'>;

/** A domain as history keeps it: everything but the transfer code. */
export function shownInHistory(domain: Shown): object {
  const { registrant, expireTime, outzoneAt, contacts, dnsKeys } = domain;
  return {
    name: domain.name,
    registrant: registrant.code,
    expire_time: expireTime.toISOString(),
    outzone_at: outzoneAt?.toISOString() ?? null,
    delete_date: domain.deleteDate,
    ...(domain.forceDelete && { force_delete: domain.forceDelete }),
    statuses: domain.statuses,
    admin_contacts: codesOf(contacts, 'admin'),
    tech_contacts: codesOf(contacts, 'tech'),
    nameservers: domain.nameservers,
    dnssec_keys: dnsKeys.map(({ flags, protocol, alg, publicKey }) => ({
      flags,
      protocol,
      alg,
      public_key: publicKey,
    })),
  };
}

/** The day on which it goes, as far as that is known: by expiry or deletion, or by a force delete, whichever is earlier. */
export function lastDayOf({
  deleteDate,
  forceDelete,
}: Pick<Domain, 'deleteDate' | 'forceDelete'>): string | null {
  const days = [deleteDate, forceDelete?.date].filter((day) => typeof day === 'string');
  return days.toSorted()[0] ?? null;
}

export const codesOf = (contacts: readonly LinkedContact[], role: ContactRole): string[] =>
  contacts.filter((contact) => contact.role === role).map(({ code }) => code);
