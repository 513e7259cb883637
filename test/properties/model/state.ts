import type { Day, Moment, Span } from './calendar.ts';

export const REGISTRARS = ['ALPHA', 'BETA', 'POOR'] as const;
export type RegistrarCode = (typeof REGISTRARS)[number];

export type Ident = {
  readonly ident: string;
  readonly ident_type: 'priv' | 'org' | 'birthday';
  readonly ident_country_code: string;
};
export type ContactData = {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly ident: Ident;
};
export type Contact = {
  readonly code: string;
  readonly sponsor: RegistrarCode;
  data: ContactData;
  /** Since when no domain uses it. */
  idle?: Span | undefined;
};

/** What a registrant was asked to decide. */
export type RegistrantRequest = {
  readonly kind: 'update' | 'delete';
  readonly made: Span;
  readonly newRegistrant?: Contact;
  readonly newCode?: string | undefined;
  /** Where the registrant decides. */
  readonly link: string;
};

export type Domain = {
  readonly name: string;
  sponsor: RegistrarCode;
  registrant: Contact;
  admins: Contact[];
  techs: Contact[];
  hosts: string[];
  /** Those that are stored; `ok` and `inactive` follow from the rest. */
  readonly statuses: Set<string>;
  /** It expires as this day begins. */
  expiry: Day;
  outzone: Span | undefined;
  deleteDate: Day | undefined;
  request: RegistrantRequest | undefined;
  /** Unknown after the registry made a new one, until the sponsor has read it. */
  transferCode: string | undefined;
  /** Earlier codes, which must not be generated again. */
  readonly formerCodes: Set<string>;
};

export type Message = { readonly to: RegistrarCode; readonly type: string; readonly about: string };
export type Kind = 'contact' | 'domain';
/** A wrong code for a name, and whether its sponsor was notified with it. */
export type WrongCode = { readonly who: RegistrarCode; readonly at: Moment; readonly notified: boolean };

/** The registry according to its rules, independent of the implementation. */
export class RegistryModel {
  /** Every name and code of this sequence begins like this. */
  readonly prefix: string;
  readonly names: readonly string[];
  now: Moment;
  readonly contacts = new Map<string, Contact>();
  readonly domains = new Map<string, Domain>();
  readonly balances: Record<RegistrarCode, bigint>;
  unread: Message[] = [];
  /** Registrars with new messages since their messages were last read. */
  readonly notified = new Set<RegistrarCode>();
  /** The newest link that was mailed about a domain, by its name. */
  readonly links = new Map<string, { readonly link: string; readonly domain: Domain }>();
  readonly wrongCodes = new Map<string, WrongCode[]>();
  /** Names that were registered at the last comparison, and its time. */
  seen: ReadonlySet<string> = new Set();
  seenAt: Moment;
  /** Codes of removed contacts. */
  readonly removedCodes: string[] = [];
  readonly #removed = new Set<string>();
  readonly #lost = new Set<string>();

  constructor(prefix: string, now: Moment, balances: Record<RegistrarCode, bigint>) {
    this.prefix = prefix;
    this.names = [`${prefix}a.ee`, `${prefix}b.pri.ee`, `${prefix}õ.ee`];
    this.now = now;
    this.seenAt = now;
    this.balances = balances;
  }

  contactsOf(registrar: RegistrarCode): Contact[] {
    return [...this.contacts.values()].filter(({ sponsor }) => sponsor === registrar);
  }

  domainsOf(registrar: RegistrarCode): Domain[] {
    return [...this.domains.values()].filter(({ sponsor }) => sponsor === registrar);
  }

  tell(to: RegistrarCode, type: string, about: string): void {
    this.unread.push({ to, type, about });
    this.notified.add(to);
  }

  remove(registrar: RegistrarCode, kind: Kind, name: string): void {
    if (kind === 'contact' && this.contacts.delete(name)) this.removedCodes.unshift(name);
    if (kind === 'domain') {
      const domain = this.domains.get(name);
      if (domain) domain.request = undefined;
      this.domains.delete(name);
    }
    this.#removed.add(`${registrar} ${kind} ${name}`);
  }

  wasRemoved(registrar: RegistrarCode, kind: Kind, name: string): boolean {
    return this.#removed.has(`${registrar} ${kind} ${name}`);
  }

  lose(registrar: RegistrarCode, name: string): void {
    this.#lost.add(`${registrar} ${name}`);
  }

  /** Whether the registrar had the domain before another took it over. */
  wasLost(registrar: RegistrarCode, name: string): boolean {
    return this.#lost.has(`${registrar} ${name}`);
  }

  /** Marks a domain as waiting for its registrant. */
  ask(domain: Domain, request: RegistrantRequest): void {
    if (this.links.get(domain.name)?.link === request.link)
      throw new Error(`nobody was asked about ${domain.name}`);
    domain.statuses.add(request.kind === 'update' ? 'pendingUpdate' : 'pendingDeleteConfirmation');
    domain.request = request;
    this.links.set(domain.name, { link: request.link, domain });
  }

  /** Whether a domain uses the contact, or waits to. */
  isUsed(contact: Contact): boolean {
    return [...this.domains.values()].some(
      (domain) => rolesOf(domain, contact).length > 0 || domain.request?.newRegistrant === contact,
    );
  }
}

/** The roles of a contact in a domain, as a contact object names them. */
export function rolesOf(domain: Domain, contact: Contact): string[] {
  return [
    ...(domain.registrant === contact ? ['Registrant'] : []),
    ...(domain.admins.includes(contact) ? ['AdminDomainContact'] : []),
    ...(domain.techs.includes(contact) ? ['TechDomainContact'] : []),
  ];
}

/** Gives the domain a code: the chosen one, or one that the registry makes. */
export function recode(domain: Domain, chosen: string | undefined): void {
  if (domain.transferCode !== undefined && chosen !== domain.transferCode)
    domain.formerCodes.add(domain.transferCode);
  domain.transferCode = chosen;
  if (chosen !== undefined) domain.formerCodes.delete(chosen);
}
