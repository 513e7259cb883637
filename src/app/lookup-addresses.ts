import { LOOKUP } from '../doors/pages/home.ts';
import { RDAP_PREFIX } from '../doors/rdap/prefix.ts';
import type { WhoisAddress } from '../doors/sandbox/sandbox-addresses.ts';
import type { Config } from '../platform/config/config.ts';

/** Of the page where people look domains up. */
export const LOOKUP_PATH = LOOKUP.href;
/** RDAP begins here; its clients need the final slash. */
export const RDAP_PATH = `${RDAP_PREFIX}/`;

export const whoisAddress = ({ host }: Pick<Config, 'host'>, port: number): WhoisAddress => ({ host, port });

/** A command that looks up a domain of the sandbox. */
export const whoisCommand = ({ host, port }: WhoisAddress, name: string): string =>
  `whois -h ${host} -p ${port} ${name}`;
