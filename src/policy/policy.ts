/** The shape of a country's rules. A country is one file of such data (ee.ts); code asks it and knows no country. */
export type IdentType = 'priv' | 'org' | 'birthday';

export type IdentFormat = {
  readonly country: string;
  readonly type: IdentType;
  readonly accepts: (ident: string) => boolean;
  /** Completes "contact.ident.ident must be …". */
  readonly expected: string;
};

export type Policy = {
  readonly country: string;
  readonly timeZone: string;
  readonly currency: string;
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
  };
};
