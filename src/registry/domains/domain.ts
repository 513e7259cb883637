import type { Cents } from '../../platform/values/money.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Ident } from '../contacts/ident.ts';
import type { DelegationSigner, DnsKey } from './rules/dnssec-keys.ts';
import type { Nameserver } from './rules/parse-nameservers.ts';
import type { DomainStatus, HoldCause, Statuses } from './rules/domain-statuses.ts';

export type ContactRole = 'admin' | 'tech';
export type LinkedContact = {
  readonly id: number;
  readonly code: string;
  readonly name: string;
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

export const linkOf = ({ id, code, name, email }: ContactInfo, role: ContactRole): LinkedContact => ({
  id,
  code,
  name,
  email,
  role,
});

/** A force delete by the registry, with its reason and what is needed to lift it. */
export type ForceDelete = {
  readonly kind: 'soft' | 'fast track';
  readonly reason: string;
  /** When the grace period begins, and the day of deletion; null if the domain just expires. */
  readonly start: string | null;
  readonly date: string | null;
  /** Statuses that only the force delete added; lifting it removes them. */
  readonly added: readonly DomainStatus[];
  /** Statuses that it removed; lifting it restores them. */
  readonly taken: Statuses;
  readonly warned: boolean;
  readonly held: boolean;
};

/** Numbers of linked rows, by the hostname and by the public key. Only interfaces show them. */
export type LinkIds = {
  readonly nameservers: ReadonlyMap<string, number>;
  readonly dnsKeys: ReadonlyMap<string, number>;
};

/** A domain as decisions see it. A change is a new value; the difference is written. */
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
  /** When a deleteCandidate is deleted. */
  readonly purgeAt: Date | null;
  /** When the registrant was reminded of the current expiry. */
  readonly remindedAt: Date | null;
  readonly forceDelete: ForceDelete | null;
  readonly statuses: Statuses;
  /** Why it has serverHold; empty without it. */
  readonly holdCauses: readonly HoldCause[];
  /** The name has an open dispute; see disputes. */
  readonly disputed: boolean;
  readonly transferCode: string;
  /** The sponsor's own note. */
  readonly reference: string | null;
  readonly contacts: readonly LinkedContact[];
  readonly nameservers: readonly Nameserver[];
  readonly dnsKeys: readonly SignedKey[];
  /** Where they were read too. */
  readonly linkIds?: LinkIds;
};

/** What decisions of time and policy need. */
export type DecisionContext = { readonly now: Date; readonly policy: Policy };

/** What became of a domain. */
export type DomainResult = {
  readonly name: string;
  /** Nothing was changed yet: the registrant must confirm it first. */
  readonly isPending: boolean;
};

export const changed = ({ name }: Domain): DomainResult => ({ name, isPending: false });
export const waiting = ({ name }: Domain): DomainResult => ({ name, isPending: true });

/** The same with the whole domain as it was written, for its sponsor. */
export type WholeDomain = DomainResult & {
  readonly domain: Omit<Domain, 'id' | 'version' | 'zone' | 'registrarId' | 'transferCode'>;
  readonly updatedAt: Date;
  readonly charged: Cents;
};

export type SignedKey = DnsKey & DelegationSigner;

type Shown = Omit<
  Domain,
  'id' | 'version' | 'transferCode' | 'reference' | 'disputed' | 'purgeAt' | 'remindedAt' | 'linkIds'
>;

/** A domain as stored in history: everything but the transfer code and the sponsor's reference. */
export type DomainInHistory = {
  readonly name: string;
  readonly registrant: string;
  readonly expire_time: string;
  readonly outzone_at: string | null;
  readonly delete_date: string | null;
  readonly force_delete?: ForceDelete;
  readonly statuses: Statuses;
  readonly hold_causes?: readonly HoldCause[];
  readonly admin_contacts: readonly string[];
  readonly tech_contacts: readonly string[];
  readonly nameservers: readonly Nameserver[];
  readonly dnssec_keys: readonly KeyInHistory[];
};
export type KeyInHistory = Pick<DnsKey, 'flags' | 'protocol' | 'alg'> & { readonly public_key: string };

export function shownInHistory(domain: Shown): DomainInHistory {
  const { registrant, expireTime, outzoneAt, contacts, dnsKeys } = domain;
  return {
    name: domain.name,
    registrant: registrant.code,
    expire_time: expireTime.toISOString(),
    outzone_at: outzoneAt?.toISOString() ?? null,
    delete_date: domain.deleteDate,
    ...(domain.forceDelete && { force_delete: domain.forceDelete }),
    statuses: domain.statuses,
    ...(domain.holdCauses.length > 0 && { hold_causes: domain.holdCauses }),
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

/** The day of deletion, as far as it is known: by expiry or deletion, or by a force delete, whichever is earlier. */
export function lastDayOf({
  deleteDate,
  forceDelete,
}: Pick<Domain, 'deleteDate' | 'forceDelete'>): string | null {
  const days = [deleteDate, forceDelete?.date].filter((day) => typeof day === 'string');
  return days.toSorted()[0] ?? null;
}

export const codesOf = (contacts: readonly LinkedContact[], role: ContactRole): string[] =>
  contacts.filter((contact) => contact.role === role).map(({ code }) => code);
