import type { Path } from '../../../operations/refusal.ts';

type NameserverIn<List extends Path> =
  | List
  | readonly [...List, 'hostname' | 'ipv4' | 'ipv6']
  | readonly [...List, 'ipv4' | 'ipv6', number];
type KeyIn<List extends Path> = List | readonly [...List, 'flags' | 'protocol' | 'alg' | 'publicKey'];

/** Where a command has a nameserver, or a key. */
export type NameserverPlace =
  | readonly ['nameservers', number]
  | readonly ['add' | 'remove', 'nameservers', number]
  | readonly ['next'];
export type KeyPlace = readonly ['dnsKeys', number] | readonly ['add' | 'remove', 'dnsKeys', number];
/** Where it has a list of them. */
export type NameserversPlace = readonly ['nameservers'] | readonly ['add' | 'remove', 'nameservers'];
export type KeysPlace = readonly ['dnsKeys'] | readonly ['add' | 'remove', 'dnsKeys'];
/** Where it names a contact of the registrar. */
export type ContactPlace =
  | readonly ['registrant' | 'current' | 'next']
  | readonly ['admins' | 'techs' | 'contacts', number]
  | readonly ['add' | 'remove', 'contacts', number];

/** Every place in a command about domains that a refusal is about. */
export type DomainPath =
  | ContactPlace
  | NameserverIn<NameserverPlace>
  | KeyIn<KeyPlace>
  | readonly [
      | 'name'
      | 'period'
      | 'reservationCode'
      | 'transferCode'
      | 'reference'
      | 'disputeCode'
      | 'expiry'
      | 'agreedPrice'
      | 'legalDocument'
      | 'admins'
      | 'techs'
      | 'contacts'
      | 'nameservers'
      | 'dnsKeys',
    ]
  | readonly ['legalDocument', 'type']
  | readonly ['add' | 'remove', 'statuses', number]
  | readonly ['domains', number];
