import { type Addresses, type Link, selfLink } from './rdap-objects.ts';

type Host = {
  /** In Unicode. */
  readonly hostname: string;
  readonly asciiHostname: string;
  readonly ipv4: readonly string[];
  readonly ipv6: readonly string[];
};

export type NameserverObject = {
  readonly objectClassName: 'nameserver';
  readonly ldhName: string;
  readonly unicodeName?: string;
  readonly ipAddresses?: { readonly v4?: readonly string[]; readonly v6?: readonly string[] };
  readonly links?: readonly Link[];
};

/** `unicodeName` only where it says more than `ldhName`. */
export const namesOf = (ascii: string, unicode: string) => ({
  ldhName: ascii,
  ...(unicode !== ascii && { unicodeName: unicode }),
});

/** A host with the addresses that are glue. */
export function nameserverObject({ hostname, asciiHostname, ipv4, ipv6 }: Host): NameserverObject {
  return {
    objectClassName: 'nameserver',
    ...namesOf(asciiHostname, hostname),
    ...((ipv4.length > 0 || ipv6.length > 0) && {
      ipAddresses: { ...(ipv4.length > 0 && { v4: ipv4 }), ...(ipv6.length > 0 && { v6: ipv6 }) },
    }),
  };
}

/** The same with a link, for a host that the zone publishes and that can so be looked up itself. */
export function publishedNameserver(host: Host, addresses: Addresses): NameserverObject {
  const object = nameserverObject(host);
  return { ...object, links: [selfLink(addresses, 'nameserver', object.ldhName)] };
}
