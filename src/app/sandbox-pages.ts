import { BILLING_PREFIX } from '../doors/billing-api/prefix.ts';
import { CONSOLE_PREFIX } from '../doors/console/prefix.ts';
import { type Credential, EXAMPLE_DATA, LOOKUP, type SeedPerson } from '../doors/pages/home.ts';
import { RDAP_PREFIX } from '../doors/rdap/prefix.ts';
import { PREFIX } from '../doors/registrar-api/prefix.ts';
import { RESERVATION_PREFIX } from '../doors/reservation-api/prefix.ts';
import type { SandboxAddresses } from '../doors/sandbox/sandbox-addresses.ts';
import type { Origin } from '../platform/config/origin.ts';
import { IDENTITY_PATH } from './identity-settings.ts';
import { seed } from './seed.ts';

/** Of the page where people look domains up. */
export const LOOKUP_PATH = LOOKUP.href;
/** RDAP begins here; its clients need the final slash. */
export const RDAP_PATH = `${RDAP_PREFIX}/`;

export const SANDBOX_LINKS = [
  { what: 'Where everything is, for programs', path: '/sandbox' },
  { what: 'The clock: read it, move it forward', path: '/sandbox/clock' },
  { what: 'Back to the seed', path: '/sandbox/reset' },
  { what: 'Fill it with a registrar of 300 domains', path: EXAMPLE_DATA },
  { what: "Put money on a registrar's account", path: '/sandbox/topup' },
  { what: 'Tell a DNS secondary of changes of the zones', path: '/sandbox/secondaries' },
  { what: 'Mails: what was sent, what waits', path: '/sandbox/mail' },
  { what: 'Messages to other services, and what became of them', path: '/sandbox/deliveries' },
  { what: 'The accounting service: the invoices that it has', path: '/sandbox/accounting' },
  { what: 'The e-invoice operator: what it has received', path: '/sandbox/einvoice' },
  { what: 'Webhooks: what came to the catcher of the sandbox', path: '/sandbox/webhooks' },
  { what: 'Make an outside service fail', path: '/sandbox/faults' },
  { what: 'Pay an invoice by its link', path: '/sandbox/provider/pay' },
  { what: 'The registrars’ console', path: CONSOLE_PREFIX },
  { what: 'Look up a domain', path: LOOKUP_PATH },
  { what: 'RDAP', path: RDAP_PATH },
  { what: 'The reservation API of the business portal', path: '/api/v1/business_registry' },
  { what: 'The billing API of the calling services', path: '/api/v1' },
];

/** Passkeys need the name of the host. */
export const consoleAddress = ({ urlForPeople }: Origin): string => urlForPeople + CONSOLE_PREFIX;

export const sandboxAddresses = (
  origin: Origin,
  metrics: string | undefined,
  ports: Pick<SandboxAddresses, 'epp' | 'dns' | 'whois'>,
): SandboxAddresses => ({
  home: `${origin.urlForPeople}/`,
  docs: `${origin.urlForPeople}/docs`,
  metrics,
  registrar_api: origin.url + PREFIX,
  reservation_api: origin.url + RESERVATION_PREFIX,
  billing_api: origin.url + BILLING_PREFIX,
  rdap: origin.url + RDAP_PATH,
  lookup: origin.urlForPeople + LOOKUP_PATH,
  console: consoleAddress(origin),
  identity: origin.urlForPeople + IDENTITY_PATH,
  ...ports,
  webhooks: { catch: `${origin.ownUrl}/sandbox/webhooks/catch` },
});

export const seedCredentials = (): Credential[] =>
  seed.users.map(({ username, password, registrar, roles }) => ({
    registrar,
    username,
    password,
    roles: roles.join(', '),
    balance: seed.registrars.find(({ code }) => code === registrar)?.balance ?? '',
  }));

export const seedPeople = (): SeedPerson[] =>
  seed.people.map(({ email, password, registrar, roles }) => ({
    registrar,
    email,
    password,
    roles: roles.join(', '),
  }));
