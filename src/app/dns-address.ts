import { SANDBOX_TSIG } from '../doors/dns/sandbox-secondaries.ts';
import type { DnsAddress } from '../doors/sandbox/sandbox-addresses.ts';
import type { Config } from '../platform/config/config.ts';
import type { Policy } from '../policy/policy.ts';

/** Of several processes of one `serve`, the one that serves the zones. */
export const DNS_PROCESS = 1;

export const dnsAddress = ({ host }: Pick<Config, 'host'>, port: number, policy: Policy): DnsAddress => ({
  ...{ host, port, zones: policy.zones.map(({ origin }) => origin), tsig: SANDBOX_TSIG },
});

/** A command that transfers the first zone. */
export function dnsCommand({ host, port, zones: [zone = ''], tsig }: DnsAddress): string {
  return `dig @${host} -p ${port} -y ${tsig.algorithm}:${tsig.name}:${tsig.secret} ${zone} AXFR`;
}
