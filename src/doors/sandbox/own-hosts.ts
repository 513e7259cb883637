import { isIP } from 'node:net';
import { addressMatcher } from '../../platform/values/ip-addresses.ts';

type Settings = {
  readonly host: string;
  readonly publicUrl: string | undefined;
  /** Started with --expose: other machines reach it by whatever address it has. */
  readonly exposed: boolean;
  readonly port: () => number;
};

export type OwnHosts = {
  /** By the value of a Host header. */
  isOwnHost(host: string | undefined): boolean;
  /** By the value of an Origin header of a request that was sent to this, our own, Host. */
  isOwnOrigin(origin: string, host: string): boolean;
};

const isLoopback = addressMatcher(['127.0.0.0/8', '::1/128']);
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The names and addresses that are ours. A page of a stranger can have its own name resolve to loopback (DNS
 * rebinding), but its requests then still carry that name; an address cannot be rebound, hence any with --expose.
 */
export function ownHosts({ host, publicUrl, exposed, port }: Settings): OwnHosts {
  const publicAddress = publicUrl === undefined ? undefined : new URL(publicUrl);
  const names = new Set(['localhost', hostnameIn(host), publicAddress?.hostname]);
  const isOwnName = (hostname: string): boolean => {
    const address = hostname.replace(/^\[|\]$/g, '');
    return names.has(hostname) || isLoopback(address) || (exposed && isIP(address) !== 0);
  };
  return {
    isOwnHost(given) {
      const hostname = given === undefined ? undefined : hostnameIn(given);
      return hostname !== undefined && isOwnName(hostname);
    },
    isOwnOrigin(origin, given) {
      if (origin === publicAddress?.origin) return true;
      if (!URL.canParse(origin)) return false;
      const url = new URL(origin);
      return (
        url.host === given.toLowerCase() ||
        LOOPBACK_NAMES.some((name) => origin === `http://${name}:${port()}`)
      );
    },
  };
}

/** Without its port, in the one form in which a URL writes it. */
function hostnameIn(host: string): string | undefined {
  const text = `http://${isIP(host) === 6 ? `[${host}]` : host}`;
  return URL.canParse(text) ? new URL(text).hostname : undefined;
}
