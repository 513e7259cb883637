import type { DailyLimit } from '../platform/jobs/job-limits.ts';
import type { Cents } from '../platform/values/money.ts';

/** The shape of a country's rules. A country is one file of such data (ee.ts); code asks it and knows no country. */
export type IdentType = 'priv' | 'org' | 'birthday';

export type IdentFormat = {
  readonly country: string;
  readonly type: IdentType;
  readonly accepts: (ident: string) => boolean;
  /** Completes "contact.ident.ident must be …". */
  readonly expected: string;
  /** The day of birth that the code tells, yyyy-mm-dd. */
  readonly birthDay?: (ident: string) => string;
};

export type Zone = { readonly origin: string /** Offered by name suggestions. */; readonly suggest: boolean };

/** Numbers from the first to the last, both included. */
export type NumberRange = { readonly first: number; readonly last: number };

/** How the accounting service is spoken to: its own codes, which its bookkeeper knows. */
export type Accounting = {
  /** By which it knows how a sale is taxed. */
  readonly vatCodes: {
    readonly home: string;
    /** A customer elsewhere in the union who has a VAT number owes the tax himself. */
    readonly reverseCharge: string;
    readonly outside: string;
    /** A customer of the union without a VAT number, by his country. */
    readonly union: Readonly<Record<string, string>>;
  };
  /** What is sold, by the service that sells it. */
  readonly products: Readonly<Record<string, string>>;
  /** Whom it books the sales to people under who are no customers of their own. */
  readonly privateCustomer: string;
  readonly paymentTerm: string;
  readonly salesAgent: string;
};

/** Who issues the invoices, as printed on them. */
export type Seller = {
  readonly name: string;
  readonly registryCode: string;
  readonly vatNumber: string;
  /** Line by line, as it is printed. */
  readonly address: readonly string[];
  /** The same in its parts, for documents that programs read. */
  readonly postalAddress: {
    readonly street: string;
    readonly city: string;
    readonly postalCode: string;
    readonly country: string;
  };
  readonly email: string;
  /** Where a transfer can go; the first is the one preferred. */
  readonly bankAccounts: readonly { readonly bank: string; readonly iban: string }[];
};

export type Policy = {
  readonly country: string;
  readonly timeZone: string;
  readonly currency: string;
  readonly zones: readonly Zone[];
  /** What a label may look like in Unicode; length and hyphens are DNS's own rules. */
  readonly labels: RegExp;
  readonly domains: {
    /** A domain has no nameservers at all, or a number between these. */
    readonly nameservers: { readonly least: number; readonly most: number };
    readonly mostDnssecKeys: number;
    readonly dnssecAlgorithms: readonly number[];
    readonly mostAdminContacts: number;
    readonly mostTechContacts: number;
    /** Whether organisations and minors need an admin contact. */
    readonly adminRequired: boolean;
    readonly adminAgeYears: number;
    /** No expiry may lie further away than this many years and one more. */
    readonly longestYears: number;
    /** Days before expiry from which renewal is open; undefined for any time. */
    readonly renewalWindowDays: number | undefined;
    /** An expired domain stays in the zone for so many days, and can be redeemed for so many after that. */
    readonly expiryGraceDays: number;
    readonly redemptionDays: number;
    /** Days after expiry on which the registrant is reminded. */
    readonly reminderDays: number;
    readonly disputeMonths: number;
    /** How long a registrant has to confirm. */
    readonly confirmationHours: number;
    readonly transferCodeLength: { readonly least: number; readonly most: number };
    /** Wrong codes for one name within an hour, before nobody is listened to. */
    readonly wrongCodesPerHour: number;
  };
  /** What jobs may expire, hold, release, delete and archive within 24 hours, each, before an operator is asked. */
  readonly dailyLimit: DailyLimit;
  readonly contacts: {
    readonly codeLength: number;
    readonly nameLength: number;
    readonly emailLength: number;
    readonly identLength: number;
    readonly phone: RegExp;
    readonly phoneLength: number;
    /** What the name of a person may not hold; organisations are free. */
    readonly forbiddenInPersonNames: RegExp;
    /** What no text of a contact may hold. */
    readonly forbiddenAnywhere: RegExp;
    readonly identFormats: readonly IdentFormat[];
    /** Countries that give everybody a personal code, so that a birthday is not enough. */
    readonly noBirthdayCountries: readonly string[];
    readonly oldestAgeYears: number;
    /** A contact object shows at most this many of its domains; domains_count tells them all. */
    readonly domainsShown: number;
    /** A contact that no domain has used for so many months is archived. */
    readonly archiveMonths: number;
  };
  readonly certificates: {
    /** Of an authority of our own, and of the certificates that it signs. */
    readonly authorityYears: number;
    readonly validDays: number;
    /** Days before its end on which a registrar is reminded of a certificate. */
    readonly reminderDays: readonly number[];
    /** How long a list of revoked certificates holds, and how long before its end it is signed anew. */
    readonly listDays: number;
    readonly renewListDays: number;
  };
  readonly billing: {
    /** Value-added tax on top of the net price. */
    readonly vatPercent: number;
    /** An invoice is due so many days after its issue. */
    readonly dueDays: number;
    /** Invoices are numbered within these, by what they are for. */
    readonly numberRanges: { readonly regular: NumberRange; readonly deposit: NumberRange };
    /** The smallest amount by which an account can be topped up. */
    readonly leastTopUp: Cents;
    /** An unpaid invoice is cancelled so many days after its due date. */
    readonly cancelOverdueAfterDays: number;
    /** Whom the invoices come from. */
    readonly seller: Seller;
    /** What a buyer is called whose name nobody told, where a document must have one. */
    readonly unnamedBuyer: string;
    readonly accounting: Accounting;
  };
  readonly reservations: {
    /** How long a free reservation holds, and a paid one from its payment. */
    readonly freeDays: number;
    readonly paidYears: number;
    /** Of one name in a paid reservation, in cents with VAT. */
    readonly price: bigint;
    readonly mostNames: number;
    readonly organizationNameLength: number;
    /** Forms of companies as they stand before or behind a name; with and without diacritics is the same. */
    readonly legalForms: readonly string[];
  };
};
