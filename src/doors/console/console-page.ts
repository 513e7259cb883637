import type { PaymentProvider } from '../../billing/provider/provider.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { Mode } from '../../platform/config/config.ts';
import type { Logger } from '../../platform/logging.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Principal } from '../../registry/actor.ts';
import type { AuthenticatorKeys } from '../../registry/people/authenticator-secrets.ts';
import type { IdentityProvider } from '../../registry/people/identity-provider.ts';
import type { PasswordLogins } from '../../registry/people/log-in.ts';
import type { PersonRight } from '../../registry/people/person.ts';
import type { PersonSession, SessionClient } from '../../registry/people/person-sessions.ts';
import type { WebhookSettings } from '../../registry/webhooks/known-webhooks.ts';
import type { Html, Language } from '../html/layout.ts';
import type { IsOwnOrigin } from '../http/cross-site.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { MenuItem } from './frame-texts.ts';
import type { Notice } from './notice-texts.ts';
import { CONSOLE_PREFIX } from './prefix.ts';

/** What pages read and change. */
export type ConsoleParts = {
  readonly mode: Mode;
  readonly database: Database;
  readonly policy: Policy;
  /** The registry's clock. */
  readonly clock: Clock;
  /** The clock of sessions and codes: that of the sandbox jumps by months, and must not end them. */
  readonly wallClock: Clock;
  /** Where links in mails lead; its host is the one that passkeys are bound to. */
  readonly publicUrl: () => string;
  readonly isOwnOrigin: IsOwnOrigin;
  readonly logins: PasswordLogins;
  readonly authenticatorKeys: AuthenticatorKeys;
  readonly identity: IdentityProvider;
  readonly provider: PaymentProvider;
  readonly webhooks: WebhookSettings;
  readonly log: Logger;
  readonly metrics: Metrics;
};

/** Who asks for a page, and when. */
export type Visit = {
  readonly session: PersonSession;
  /** The same person, as the operations of the registry know it. */
  readonly principal: Principal;
  readonly lang: Language;
  /** By the registry's clock. */
  readonly now: Date;
  readonly requestId: string;
  readonly client: SessionClient;
  readonly may: (right: PersonRight) => boolean;
};

/** For those who pay, and those who see the account. */
export const maySeePrices = ({ may }: Visit): boolean => may('objects') || may('money');

/** Parameters of the path and of the query. */
export type PageInput = {
  readonly params: Readonly<Record<string, string>>;
  /** Empty if it was not given, or given twice. */
  readonly query: (name: string) => string;
};

export type View = {
  readonly title: string;
  readonly body: Html;
  /** Addresses of the browser modules that the page uses. */
  readonly scripts?: readonly string[];
  /** 200 if absent. */
  readonly status?: number;
};

type Described = {
  /** Below /console. */
  readonly path: string;
  /** Undefined for what every person may see. */
  readonly right: PersonRight | undefined;
  /** What a person needs besides it. */
  readonly alsoRight?: PersonRight;
  /** Open to somebody who still has to set up the second factor that is demanded. */
  readonly beforeSecondFactor?: boolean;
  /** Dangerous changes ask who it is again, unless that was proved within the last minutes; so do their forms, before they are filled in. */
  readonly needsRecentLogin?: boolean;
};

export const isOpenTo = (
  { right, alsoRight }: Pick<Described, 'right' | 'alsoRight'>,
  { may }: Pick<Visit, 'may'>,
): boolean => [right, alsoRight].every((each) => each === undefined || may(each));

/** One page. The menu, the check of rights and the tests of all pages are made from the list of these objects. */
export type ConsolePage = Described & {
  readonly menu?: MenuItem;
  /** Undefined where there is nothing to show: 404. A page shows a form of its own again that was refused. */
  readonly answer: (
    parts: ConsoleParts,
    visit: Visit,
    input: PageInput,
    refused?: RefusedForm,
  ) => Promise<View | undefined>;
};

/** What the fields of a page begin with, and what is wrong with those of a form that was sent. */
export type RefusedForm = {
  /** What was sent in a field of this form, or else what the page has. */
  readonly value: (field: string, initial?: string) => string;
  readonly fault: (field: string) => string | undefined;
};
const NOTHING_REFUSED: RefusedForm = { value: (_, initial = '') => initial, fault: () => undefined };

/** A file to download, written while it is read; what fails before its first piece is a page of its own. */
export type Download = {
  readonly fileName: string;
  readonly type: string;
  readonly pieces: AsyncGenerator<string | Uint8Array>;
};

/** A file that was made as a whole. */
export const wholeFile = (fileName: string, type: string, content: string | Uint8Array): Download => ({
  fileName,
  type,
  pieces: (async function* () {
    yield content;
  })(),
});

export type ConsoleExport = Described & {
  readonly download: (parts: ConsoleParts, visit: Visit, input: PageInput) => Promise<Download | undefined>;
};

type PageOf<Loaded> = Described & {
  readonly menu?: MenuItem;
  readonly load: (parts: ConsoleParts, visit: Visit, input: PageInput) => Promise<Loaded | undefined>;
  readonly view: (loaded: Loaded, visit: Visit, parts: ConsoleParts, refused: RefusedForm) => View;
};

export const definePage = <Loaded>({ load, view, ...described }: PageOf<Loaded>): ConsolePage => ({
  ...described,
  answer: async (parts, visit, input, refused = NOTHING_REFUSED) => {
    const loaded = await load(parts, visit, input);
    return loaded === undefined ? undefined : view(loaded, visit, parts, refused);
  },
});

export type FormInput = PageInput & {
  /** A field of the form that was sent; empty if it was missing, sent twice, or holds what no database stores. */
  readonly field: (name: string) => string;
  /** All values of a field that may be sent several times, as checkboxes are. */
  readonly fields: (name: string) => readonly string[];
};

/** A form that takes a change back: one at once, with what it sends. */
export type Undo = { readonly path: string; readonly fields?: Readonly<Record<string, string>> };

/** Where the browser goes after a change, with what it is told there; or the form again, or a file. */
export type Redirect = { readonly to: string; readonly notice?: Notice; readonly undo?: Undo | undefined };
export type ChangeOutcome = (Redirect | View | Download) & {
  /** Of the session, where its rights have risen. */
  readonly sessionToken?: string;
};

/** What a form of a page does, by POST. */
export type ConsoleChange = Described & {
  /** Of the form; 64 KiB if left out. */
  readonly maxBytes?: number;
  /** Fields of many lines; every other one is short. */
  readonly longFields?: readonly string[];
  readonly run: (parts: ConsoleParts, visit: Visit, input: FormInput) => Promise<ChangeOutcome | undefined>;
  /** Its preview is asked for while the form is filled in. */
  readonly hasDryRun?: boolean;
  /**
   * Shows the form as it was sent, and does nothing: after a login that it had to wait for. Forms with passwords have none,
   * and are not stored.
   */
  readonly refill?: (
    parts: ConsoleParts,
    visit: Visit,
    input: FormInput,
  ) => Promise<ChangeOutcome | undefined>;
};

/** How long ago somebody may have logged in who does something dangerous. */
const RECENT_LOGIN_MS = 5 * 60_000;
export const isRecentLogin = (
  { authenticatedAt }: Pick<PersonSession, 'authenticatedAt'>,
  now: Date,
): boolean => now.getTime() - authenticatedAt.getTime() <= RECENT_LOGIN_MS;

/** An address of the console. */
export function consoleAddress(path: string, query: Readonly<Record<string, string>> = {}): string {
  const parameters = new URLSearchParams(query).toString();
  return `${CONSOLE_PREFIX}${path}${parameters === '' ? '' : `?${parameters}`}`;
}
