import { BILLING_PREFIX } from '../doors/billing-api/prefix.ts';
import { CONSOLE_PREFIX } from '../doors/console/prefix.ts';
import type { Credential, SeedPerson } from '../doors/pages/home.ts';
import { PREFIX } from '../doors/registrar-api/prefix.ts';
import { RESERVATION_PREFIX } from '../doors/reservation-api/prefix.ts';
import type {
  DnsAddress,
  EppAddress,
  SandboxAddresses,
  WhoisAddress,
} from '../doors/sandbox/sandbox-addresses.ts';
import type { Origin } from '../platform/config/origin.ts';
import { IDENTITY_PATH } from './identity-settings.ts';
import { LOOKUP_PATH, RDAP_PATH } from './lookup-addresses.ts';
import type { SandboxEppIdentity } from './sandbox-epp-identity.ts';
import { seed } from './seed.ts';

export const SANDBOX_LINKS = [
  { what: 'Where everything is, for programs', path: '/sandbox' },
  { what: 'The clock: read it, move it forward', path: '/sandbox/clock' },
  { what: 'Back to the seed', path: '/sandbox/reset' },
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

/** Of the doors with ports of their own, as far as they are open. */
type PortAddresses = {
  readonly epp: EppAddress | undefined;
  readonly dns: DnsAddress | undefined;
  readonly whois: WhoisAddress | undefined;
};

/** Passkeys need the name of the host. */
export const consoleAddress = ({ urlForPeople }: Origin): string => urlForPeople + CONSOLE_PREFIX;

export const sandboxAddresses = (
  origin: Origin,
  metrics: string | undefined,
  { epp, dns, whois }: PortAddresses,
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
  ...(epp && { epp }),
  ...(dns && { dns }),
  ...(whois && { whois }),
  webhooks: { catch: `${origin.ownUrl}/sandbox/webhooks/catch` },
});

export const eppAddress = (
  host: string,
  port: number,
  { authority, clients }: SandboxEppIdentity,
): EppAddress => ({ host, port, ca_certificate: authority, client_certificates: clients });

/** A command that connects as ALPHA and shows the greeting. */
export function eppCommand({ host, port }: EppAddress, { folder }: SandboxEppIdentity): string {
  const file = (name: string) => quoted(`${folder}/${name}`);
  const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  return `openssl s_client -quiet -connect ${address} -CAfile ${file('authority.crt')} -cert ${file('alpha.crt')} -key ${file('alpha.key')}`;
}

/** As one word of a POSIX shell. */
const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

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
    ...{ registrar, email, password },
    roles: roles.join(', '),
  }));
