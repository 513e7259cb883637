import type { NewContactRole } from '../../../registry/domains/create-domain-with-contact.ts';
import type { DomainAction } from '../../../registry/domains/readings/possible-domain-changes.ts';

type ChangeField =
  | ('name' | 'period' | 'registrant' | 'admins' | 'techs' | 'nameservers' | 'keys' | 'newKeys')
  | ('reservationCode' | 'disputeCode' | 'transferCode');
type Titled = { readonly title: (name: string) => string; readonly confirm: string };

export type ChangeTexts = {
  readonly back: string;
  readonly backToList: string;
  readonly actions: {
    readonly label: string;
    readonly names: Readonly<Record<DomainAction | 'release' | 'register' | 'transfer', string>>;
    readonly forbidden: string;
    readonly more: string;
  };
  readonly fields: Readonly<Record<ChangeField, string>>;
  readonly hints: Readonly<Record<'name' | 'registrant' | 'codes' | 'nameservers' | 'keys', string>> &
    Readonly<Record<'reservationCode' | 'disputeCode', string>>;
  readonly years: (count: number) => string;
  readonly none: string;
  readonly added: string;
  readonly removed: string;
  readonly happens: string;
  /** Before the buttons that fill in a set of nameservers. */
  readonly presets: string;
  readonly find: {
    readonly label: string;
    readonly hint: string;
    readonly button: string;
    readonly found: string;
    readonly none: string;
    readonly create: string;
  };
  /** What the script says that offers contacts while one is typed. */
  readonly picker: Readonly<Record<'label' | 'none' | 'same' | 'create', string>>;
  readonly newContact: {
    readonly legend: string;
    readonly hint: string;
    readonly as: string;
    readonly roles: Readonly<Record<NewContactRole, string>>;
    readonly shown: (name: string) => string;
  };
  readonly register: {
    readonly title: string;
    readonly confirm: string;
    readonly holder: string;
    readonly contacts: string;
    readonly technical: string;
    readonly expires: string;
  };
  readonly renew: Titled & {
    readonly expires: (day: string) => string;
    readonly before: string;
    readonly after: string;
  };
  readonly transfer: { readonly title: string; readonly confirm: string; readonly happens: string };
  readonly registrant: Titled & {
    readonly present: string;
    readonly verified: string;
    readonly verifiedHint: string;
    readonly pending: (hours: number) => string;
    readonly atOnce: string;
  };
  readonly contacts: Titled;
  readonly nameservers: Titled & { readonly inactive: string };
  readonly keys: Titled & {
    readonly present: string;
    readonly remove: (tag: number, flags: number, algorithm: number) => string;
    readonly unsigned: string;
  };
  readonly transferCode: Titled & { readonly happens: string };
  readonly delete: Titled & {
    readonly verified: string;
    readonly verifiedHint: string;
    readonly pending: (hours: number) => string;
    readonly ifVerified: string;
    readonly atOnce: (day: string) => string;
  };
};
