import type { Ident } from '../contacts/ident.ts';
import type { DelegationSigner, DnsKey } from './dnssec.ts';
import type { Nameserver } from './nameservers.ts';
import type { Statuses } from './statuses.ts';

export type ContactRole = 'admin' | 'tech';
export type LinkedContact = { readonly id: number; readonly code: string; readonly role: ContactRole };
export type ContactInfo = { readonly id: number; readonly code: string; readonly ident: Ident };

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
  readonly statuses: Statuses;
  /** Somebody has a claim to the name; see disputes. */
  readonly disputed: boolean;
  readonly transferCode: string;
  readonly contacts: readonly LinkedContact[];
  readonly nameservers: readonly Nameserver[];
  readonly dnsKeys: readonly SignedKey[];
};

export type SignedKey = DnsKey & DelegationSigner;

/** A domain as history keeps it: everything but the transfer code. */
export function shownInHistory(domain: Omit<Domain, 'id' | 'version' | 'transferCode' | 'disputed'>): object {
  const { name, registrant, expireTime, outzoneAt, deleteDate, statuses, contacts, nameservers, dnsKeys } =
    domain;
  return {
    name,
    registrant: registrant.code,
    expire_time: expireTime.toISOString(),
    outzone_at: outzoneAt?.toISOString() ?? null,
    delete_date: deleteDate,
    statuses,
    admin_contacts: codesOf(contacts, 'admin'),
    tech_contacts: codesOf(contacts, 'tech'),
    nameservers,
    dnssec_keys: dnsKeys.map(({ flags, protocol, alg, publicKey }) => ({
      flags,
      protocol,
      alg,
      public_key: publicKey,
    })),
  };
}

export const codesOf = (contacts: readonly LinkedContact[], role: ContactRole): string[] =>
  contacts.filter((contact) => contact.role === role).map(({ code }) => code);
