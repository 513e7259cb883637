import { SANDBOX_TSIG } from '../doors/dns/sandbox-secondaries.ts';
import type { PortCommands } from '../doors/pages/home.ts';
import type {
  DnsAddress,
  EppAddress,
  SandboxAddresses,
  WhoisAddress,
} from '../doors/sandbox/sandbox-addresses.ts';
import type { OpenDoors } from './open-doors.ts';
import type { ProductDependencies } from './product-dependencies.ts';
import type { SandboxEppIdentity } from './sandbox-epp-identity.ts';
import { seed } from './seed.ts';

/** Where clients of the sandbox reach the doors with ports of their own, as far as they are open. */
export function portAddresses(
  { config: { host }, policy, eppIdentity }: ProductDependencies,
  open: OpenDoors,
): Pick<SandboxAddresses, 'epp' | 'dns' | 'whois'> {
  const [epp, dns, whois] = [open.portOf('epp'), open.portOf('dns'), open.portOf('whois')];
  const zones = policy.zones.map(({ origin }) => origin);
  return {
    ...(epp !== undefined && eppIdentity && { epp: eppAddress(host, epp, eppIdentity) }),
    ...(dns !== undefined && { dns: { host, port: dns, zones, tsig: SANDBOX_TSIG } }),
    ...(whois !== undefined && { whois: { host, port: whois } }),
  };
}

/** Commands that try these doors of a sandbox; none in production. */
export function portCommands(parts: ProductDependencies, open: OpenDoors): PortCommands {
  if (!parts.sandbox) return {};
  const { eppIdentity } = parts;
  const { epp, dns, whois } = portAddresses(parts, open);
  return {
    eppCommand: epp && eppIdentity && eppCommand(epp, eppIdentity),
    dnsCommand: dns && dnsCommand(dns),
    whoisCommand: whois && whoisCommand(whois, seed.blocked),
  };
}

const eppAddress = (host: string, port: number, { authority, clients }: SandboxEppIdentity): EppAddress => ({
  host,
  port,
  ca_certificate: authority,
  client_certificates: clients,
});

/** Connects as ALPHA and shows the greeting. */
function eppCommand({ host, port }: EppAddress, { folder }: SandboxEppIdentity): string {
  const file = (name: string) => quoted(`${folder}/${name}`);
  const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  return `openssl s_client -quiet -connect ${address} -CAfile ${file('authority.crt')} -cert ${file('alpha.crt')} -key ${file('alpha.key')}`;
}

/** As one word of a POSIX shell. */
const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** Transfers the first zone. */
const dnsCommand = ({ host, port, zones: [zone = ''], tsig }: DnsAddress): string =>
  `dig @${host} -p ${port} -y ${tsig.algorithm}:${tsig.name}:${tsig.secret} ${zone} AXFR`;

const whoisCommand = ({ host, port }: WhoisAddress, name: string): string =>
  `whois -h ${host} -p ${port} ${name}`;
