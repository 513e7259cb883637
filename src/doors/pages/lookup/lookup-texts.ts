import type { ContactField, DomainRole } from '../../../policy/policy.ts';
import type { MessageFault, MessageField } from '../../../registry/lookup/message-fields.ts';
import type { MessageState } from '../../../registry/lookup/registrant-messages.ts';
import type { Html, HtmlValue } from '../../html/layout.ts';

/** The state of a domain in one sentence, by the most important of its statuses. */
export type Situation =
  | 'working'
  | 'unused'
  | 'held'
  | 'expired'
  | 'stopped'
  | 'redemption'
  | 'forced'
  | 'leaving';
/** Days as they are written in the language. */
export type SituationDetails = {
  /** When it is going to leave the zone. */
  readonly outzone: string | undefined;
  /** When it is going to be deleted, if that is known. */
  readonly deletion: string | undefined;
  /** Unless the registry has locked the release of the name. */
  readonly isGoingToBeDeleted: boolean;
  readonly isDelegated: boolean;
  readonly isRenewable: boolean;
  /** A renewal does not end such a hold. */
  readonly isHeldByRegistrar: boolean;
  readonly isDisputed: boolean;
};
type SituationWords = readonly [what: string, advice: (details: SituationDetails) => string];

/** Why the page shows nothing else. */
export type LookupNotice =
  | 'unknown'
  | 'notUnderstood'
  | 'foreign'
  | 'tooMany'
  | 'otherMethod'
  | 'noMessages'
  | 'unavailable'
  | 'fault';
/** Why a message was not taken, though nothing is wrong with it. */
export type MessageRefusal = 'tooMany' | 'unavailable';

/** All texts of the look-up pages in one language. */
export type LookupTexts = {
  readonly lookUp: string;
  readonly registrars: string;
  readonly heading: string;
  readonly lead: string;
  readonly nameLabel: string;
  readonly nameHint: (zone: string) => string;
  readonly search: string;
  readonly title: (name: string) => string;
  readonly unregistered: readonly [heading: (name: string) => string, advice: string, link: string];
  readonly blocked: readonly [heading: (name: string) => string, advice: string];
  readonly zone: readonly [heading: (name: string) => string, advice: string];
  readonly invalid: readonly [heading: string, advice: (zones: string) => string];
  /** Instead of `invalid`, where the text leads to a name. */
  readonly didYouMean: readonly [
    heading: (name: string) => string,
    advice: (zones: string) => string,
    link: (name: string) => string,
  ];
  readonly inDns: (ascii: Html) => Html;
  readonly situations: Readonly<Record<Situation, SituationWords>>;
  /** Added where a disputed domain is going to be deleted. */
  readonly disputedDeletion: string;
  readonly dates: Readonly<
    Record<'heading' | 'registered' | 'changed' | 'transferred' | 'expires' | 'outzone' | 'deletion', string>
  >;
  readonly statusHeading: string;
  readonly registrar: Readonly<
    Record<'heading' | 'name' | 'website' | 'phone' | 'abuse' | 'notGiven', string>
  >;
  readonly contacts: {
    readonly heading: string;
    readonly roles: Readonly<Record<DomainRole, string>>;
    readonly fields: Readonly<Record<ContactField, string>>;
    /** Instead of a person of whom nothing is shown. */
    readonly hiddenPerson: string;
    readonly hiddenOrganisation: string;
    readonly omitted: string;
    readonly write: string;
    readonly writeHint: string;
  };
  readonly nameservers: Readonly<Record<'heading' | 'host' | 'addresses' | 'none' | 'notDelegated', string>>;
  readonly dnssec: {
    readonly heading: string;
    readonly signed: string;
    readonly unsigned: string;
    /** Keys were given, but the zone has no DS record of the domain. */
    readonly unpublished: string;
    readonly columns: readonly [keyTag: string, algorithm: string, digestType: string, digest: string];
  };
  readonly registrarList: {
    readonly heading: string;
    readonly lead: string;
    readonly label: string;
    readonly search: string;
    readonly columns: readonly [name: string, website: string, phone: string];
    readonly none: (text: string) => string;
    readonly all: string;
  };
  readonly message: MessageTexts;
  readonly back: string;
  readonly notice: Readonly<Record<LookupNotice, readonly [heading: string, advice: string]>>;
};

export type MessageTexts = {
  readonly heading: (name: string) => string;
  readonly lead: string;
  readonly rules: (hours: number, days: number) => readonly string[];
  readonly labels: Readonly<Record<MessageField, string>>;
  readonly hints: Readonly<Record<MessageField, string>>;
  readonly faults: Readonly<Record<MessageField, Readonly<Record<MessageFault, string>>>>;
  readonly faultHeading: string;
  readonly faultTitle: string;
  readonly refused: Readonly<Record<MessageRefusal, string>>;
  readonly submit: string;
  readonly sent: readonly [heading: string, ...advice: ((values: SentDetails) => string)[]];
  readonly confirmHeading: (name: string) => string;
  readonly confirmLead: string;
  readonly facts: Readonly<Record<'domain' | 'from' | 'written' | 'validUntil' | 'text', string>>;
  readonly forward: string;
  readonly outcome: Readonly<Record<Exclude<MessageState, 'open'>, readonly [string, HtmlValue]>>;
};
export type SentDetails = { readonly hours: number; readonly perSender: number; readonly perDomain: number };
