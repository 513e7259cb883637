import type { DailyLimit } from '../platform/jobs/job-limits.ts';
import type { Cents } from '../platform/values/money.ts';

/** The type of a country's rules. A country is one file of such data (ee.ts); the code has no other country-specific rules. */
export type IdentType = 'priv' | 'org' | 'birthday';

/** The statuses of a contact that RFC 5733 lets clients set. */
export type ContactClientStatus =
  | 'clientDeleteProhibited'
  | 'clientTransferProhibited'
  | 'clientUpdateProhibited';

export type IdentFormat = {
  readonly country: string;
  readonly type: IdentType;
  readonly accepts: (ident: string) => boolean;
  /** Completes "contact.ident.ident must be …". */
  readonly expected: string;
  /** The date of birth encoded in the identification, yyyy-mm-dd. */
  readonly birthDay?: (ident: string) => string;
};

export type Zone = {
  readonly origin: string;
  /** Offered by name suggestions. */
  readonly suggest: boolean;
  /** The start of authority without its serial; names in A-labels, times in seconds. */
  readonly soa: {
    readonly primary: string;
    /** As a name: the first dot stands for the @. */
    readonly mailbox: string;
    readonly refresh: number;
    readonly retry: number;
    readonly expire: number;
    readonly minimum: number;
  };
  /** The zone's own public servers. Those below the zone need addresses, and their names must not be registered. */
  readonly nameservers: readonly {
    readonly hostname: string;
    readonly addresses?: readonly string[];
  }[];
  /** Times to live in seconds: of the zone's own records, and of what domains have. */
  readonly ttls: {
    readonly apex: number;
    readonly nameservers: number;
    readonly delegationSigners: number;
    readonly glue: number;
  };
};

/** Both bounds included. */
export type NumberRange = { readonly first: number; readonly last: number };

/** Codes of the accounting service, as set up by its bookkeeper. */
export type Accounting = {
  /** Determine how a sale is taxed. */
  readonly vatCodes: {
    readonly home: string;
    /** Reverse charge: a customer elsewhere in the EU with a VAT number pays the tax itself. */
    readonly reverseCharge: string;
    readonly outside: string;
    /** An EU customer without a VAT number, by country. */
    readonly union: Readonly<Record<string, string>>;
  };
  /** Product codes, by the service that sells them. */
  readonly products: Readonly<Record<string, string>>;
  /** The customer code for sales to private persons who have no code of their own. */
  readonly privateCustomer: string;
  readonly paymentTerm: string;
  readonly salesAgent: string;
};

/** The issuer of the invoices, as printed on them. */
export type Seller = {
  readonly name: string;
  readonly registryCode: string;
  readonly vatNumber: string;
  /** Line by line, as printed. */
  readonly address: readonly string[];
  /** The structured address, for machine-readable documents. */
  readonly postalAddress: {
    readonly street: string;
    readonly city: string;
    readonly postalCode: string;
    readonly country: string;
  };
  readonly email: string;
  /** Accounts for bank transfers; the first is preferred. */
  readonly bankAccounts: readonly { readonly bank: string; readonly iban: string }[];
};

/** The statuses that RFC 5731 gives to registrars. */
export type ClientStatus =
  | 'clientDeleteProhibited'
  | 'clientHold'
  | 'clientRenewProhibited'
  | 'clientTransferProhibited'
  | 'clientUpdateProhibited';

/** Who looks a domain up: anybody, a registrar that does not sponsor it, its sponsor, or an authorised requester. */
export type Audience = 'public' | 'registrar' | 'sponsor' | 'requester';
export type DomainRole = 'registrant' | 'admin' | 'tech';
export type ContactKind = 'person' | 'organisation';
/** What there is to know of a contact. The identification is a personal or a registry code, or a date of birth. */
export type ContactField = 'code' | 'name' | 'ident' | 'country' | 'email' | 'phone' | 'address';
/** The fields about which a contact has a preference. */
export const DISCLOSED_ATTRIBUTES = ['name', 'email', 'phone', 'address'] as const;
export type DisclosedAttribute = (typeof DISCLOSED_ATTRIBUTES)[number];
/** `preference` leaves it to the contact, for the fields that it has one about. */
export type DisclosureRules = {
  readonly [Field in ContactField]:
    | 'shown'
    | 'hidden'
    | (Field extends DisclosedAttribute ? 'preference' : never);
};

/** What of a domain's contacts the look-up shows, to whom. */
export type Disclosure = Readonly<
  Record<Audience, Readonly<Record<DomainRole, Readonly<Record<ContactKind, DisclosureRules>>>>>
>;

export type Policy = {
  /** The reasons that operators may give for a change, beside a text. */
  readonly reasons: readonly string[];
  readonly country: string;
  readonly timeZone: string;
  readonly currency: string;
  /** Ends the identifiers of objects in EPP: at most eight letters, digits and underscores. */
  readonly repositoryId: string;
  readonly zones: readonly Zone[];
  /** Days for which secondaries can ask for the changes since a serial; after that they get the whole zone. */
  readonly zoneChangeDays: number;
  /** Allowed labels in Unicode; length and hyphens follow the rules of DNS. */
  readonly labels: RegExp;
  readonly domains: {
    /** Bounds on the number of nameservers, unless a domain has none. */
    readonly nameservers: { readonly min: number; readonly max: number };
    /** Whether addresses of private networks may be glue, for a zone that only a private network resolves. */
    readonly glueMayBePrivate: boolean;
    readonly mostDnssecKeys: number;
    readonly dnssecAlgorithms: readonly number[];
    readonly mostAdminContacts: number;
    readonly mostTechContacts: number;
    /** Whether organisations and minors need an admin contact. */
    readonly adminRequired: boolean;
    readonly adminAgeYears: number;
    /** The statuses that registrars may set and remove. */
    readonly clientStatuses: readonly ClientStatus[];
    /** An expiry must be less than this many years plus one ahead. */
    readonly longestYears: number;
    /** Days before expiry from which renewal is open; undefined for any time. */
    readonly renewalWindowDays: number | undefined;
    /** Days an expired domain stays in the zone, and days of redemption after that. */
    readonly expiryGraceDays: number;
    readonly redemptionDays: number;
    /** Days before expiry on which the registrar gets the event `domain.expiring`. */
    readonly expiryNoticeDays: number;
    /** Days after expiry on which the registrant is reminded. */
    readonly reminderDays: number;
    readonly disputeMonths: number;
    /** Deadline for a registrant's confirmation. */
    readonly confirmationHours: number;
    readonly transferCodeLength: { readonly min: number; readonly max: number };
    /** Wrong codes of one registrar for one name within an hour, before further ones are refused. */
    readonly wrongCodesPerHour: number;
  };
  /** What jobs may expire, hold, release, delete and archive within 24 hours, each, before an operator must approve. */
  readonly dailyLimit: DailyLimit;
  /** The same for rows that are deleted some time after they have lost their effect, such as sent mails. */
  readonly purgeLimit: DailyLimit;
  readonly contacts: {
    readonly codeLength: number;
    readonly nameLength: number;
    readonly emailLength: number;
    readonly identLength: number;
    readonly phone: RegExp;
    readonly phoneLength: number;
    /** Characters not allowed in names of persons; organisations are not restricted. */
    readonly forbiddenInPersonNames: RegExp;
    /** Characters not allowed in any text of a contact. */
    readonly forbiddenAnywhere: RegExp;
    readonly identFormats: readonly IdentFormat[];
    /** Countries that issue personal codes to all residents, so that a birthday is not sufficient. */
    readonly noBirthdayCountries: readonly string[];
    readonly oldestAgeYears: number;
    /** Whether contacts have a postal address: none (one that is given is discarded), optional, or required for a new contact. */
    readonly address: 'none' | 'optional' | 'required';
    /** Statuses that registrars may set on their contacts. */
    readonly clientStatuses: readonly ContactClientStatus[];
    /** A contact object lists at most this many of its domains; domains_count is complete. */
    readonly domainsShown: number;
    /** A contact that no domain has used for so many months is archived. */
    readonly archiveMonths: number;
  };
  /** The public look-up: RDAP, WHOIS and the page. */
  readonly lookup: {
    readonly disclosure: Disclosure;
    /** Days for which queries of authorised requesters are kept. */
    readonly requestDays: number;
    /** Hours in which the sender of a message to a registrant must confirm it, and days for which it is kept. */
    readonly messageHours: number;
    readonly messageDays: number;
    /** Messages forwarded to the registrant of one domain, and written in the name of one sender, within 24 hours. */
    readonly messagesPerDomain: number;
    readonly messagesPerSender: number;
    /** Messages that come from one client address (IPv6: /64), and from its network (/24, IPv6: /48), within 24 hours. */
    readonly messagesPerAddress: number;
    readonly messagesPerNetwork: number;
    /** Mails for confirmation that nobody has confirmed, within an hour: anybody can have them sent to anybody. */
    readonly unconfirmedMessagesPerHour: number;
    /** From so many of them on, networks that have sent more messages than this within 24 hours have to wait. */
    readonly busyFromUnconfirmedMessages: number;
    readonly busyMessagesPerNetwork: number;
  };
  /** Documents that registrars attach to their requests by EPP. */
  readonly legalDocuments: {
    /** Whether a registration and a change of registrant need one. */
    readonly required: boolean;
    /** Bounds on the length in Base64. */
    readonly minCharacters: number;
    readonly maxCharacters: number;
    readonly types: readonly string[];
    readonly retentionYears: number;
  };
  readonly certificates: {
    /** Validity of our own authority, and of the certificates it signs. */
    readonly authorityYears: number;
    readonly validDays: number;
    /** Days before expiry on which a registrar is reminded of a certificate. */
    readonly reminderDays: readonly number[];
    /** Validity of a revocation list, and how long before its end a new one is signed. */
    readonly listDays: number;
    readonly renewListDays: number;
  };
  readonly billing: {
    /** Value-added tax on top of the net price. */
    readonly vatPercent: number;
    readonly dueDays: number;
    /** Ranges of invoice numbers, by purpose. */
    readonly numberRanges: { readonly regular: NumberRange; readonly deposit: NumberRange };
    /** The smallest top-up of an account. */
    readonly leastTopUp: Cents;
    /** An unpaid invoice is cancelled so many days after its due date. */
    readonly cancelOverdueAfterDays: number;
    readonly seller: Seller;
    /** The buyer's name on documents that require one, if it is unknown. */
    readonly unnamedBuyer: string;
    readonly accounting: Accounting;
  };
  readonly reservations: {
    /** Validity of a free reservation, and of a paid one from its payment. */
    readonly freeDays: number;
    readonly paidYears: number;
    /** Per name in a paid reservation, in cents including VAT. */
    readonly price: bigint;
    readonly mostNames: number;
    readonly organizationNameLength: number;
    /** Legal forms before or after a company's name; matched without diacritics. */
    readonly legalForms: readonly string[];
  };
};
