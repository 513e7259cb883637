import type { ContactText } from '../../registry/contacts/contact-fields.ts';
import type { KeyText } from '../../registry/domains/rules/dnssec-keys.ts';
import type { NameserverText } from '../../registry/domains/rules/parse-nameservers.ts';
import type { NewDomainText } from '../../registry/domains/rules/parse-new-domain.ts';
import { monthsOf } from '../../registry/domains/rules/periods.ts';

/** Objects as bodies of this API have them, of which any member may be absent, in the words of the registry. */

type SentKey = Omit<KeyText, 'publicKey'> & { readonly public_key?: string };

export const keyIn = ({ flags, protocol, alg, public_key: publicKey }: SentKey): KeyText => ({
  flags,
  protocol,
  alg,
  publicKey,
});

type SentDomain = {
  readonly name?: string;
  readonly reserved_pw?: string;
  readonly transfer_code?: string;
  readonly reference?: string;
  readonly registrant?: string;
  readonly period_unit?: string;
  readonly period?: number;
  readonly admin_contacts?: readonly string[];
  readonly tech_contacts?: readonly string[];
  readonly nameservers_attributes?: readonly NameserverText[];
  readonly dnskeys_attributes?: readonly SentKey[];
};

export const newDomainIn = ({ period, period_unit: unit, ...sent }: SentDomain): NewDomainText => ({
  name: sent.name,
  reservationCode: sent.reserved_pw,
  transferCode: sent.transfer_code,
  reference: sent.reference,
  registrant: sent.registrant,
  months: period === undefined || (unit !== 'y' && unit !== 'm') ? undefined : monthsOf(period, unit),
  admins: sent.admin_contacts,
  techs: sent.tech_contacts,
  nameservers: sent.nameservers_attributes,
  dnsKeys: sent.dnskeys_attributes?.map(keyIn),
});

type SentContact = {
  readonly id?: string;
  readonly name?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly ident?: {
    readonly ident?: string;
    readonly ident_type?: string;
    readonly ident_country_code?: string;
  };
  readonly address?: {
    readonly street?: readonly string[];
    readonly city?: string;
    readonly state?: string;
    readonly postal_code?: string;
    readonly country_code?: string;
  };
  readonly disclosed_attributes?: readonly string[];
  readonly reference?: string | null;
};

export const contactIn = ({ id, name, email, phone, ident, address, ...sent }: SentContact): ContactText => ({
  code: id,
  name,
  email,
  phone,
  ident: ident && {
    ident: ident.ident,
    type: ident.ident_type,
    countryCode: ident.ident_country_code,
  },
  address: address && {
    street: address.street,
    city: address.city,
    state: address.state,
    postalCode: address.postal_code,
    countryCode: address.country_code,
  },
  disclosedAttributes: sent.disclosed_attributes,
  reference: sent.reference,
});
