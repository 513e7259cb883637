import type { DnsAddress } from '../doors/sandbox/sandbox-addresses.ts';
import type { Config } from '../platform/config/config.ts';
import type { Policy } from '../policy/policy.ts';

/** Of several processes of one `serve`, the one that serves the zones. */
export const DNS_PROCESS = 1;

/** The key of the sandbox is public, like its passwords. */
export const SANDBOX_TSIG = {
  name: 'sandbox-key',
  algorithm: 'hmac-sha256',
  secret: 'c2FuZGJveC10c2lnLXNlY3JldC1jYWRhc3RyZS0wMDE=',
} as const;

export const dnsAddress = ({ host }: Pick<Config, 'host'>, port: number, policy: Policy): DnsAddress => ({
  ...{ host, port, zones: policy.zones.map(({ origin }) => origin), tsig: SANDBOX_TSIG },
});

/** A command that transfers the first zone. */
export function dnsCommand({ host, port, zones: [zone = ''], tsig }: DnsAddress): string {
  return `dig @${host} -p ${port} -y ${tsig.algorithm}:${tsig.name}:${tsig.secret} ${zone} AXFR`;
}
