import { isIPv6 } from 'node:net';
import type { NameserverPlace, NameserversPlace } from '../../../registry/domains/rules/domain-paths.ts';
import type { NameserverText } from '../../../registry/domains/rules/parse-nameservers.ts';
import type { CommandReader } from '../command-reader.ts';
import type { XmlElement } from '../xml/element.ts';

/** `<ns>` with host attributes, as the registry's parser takes them, and where its command has the list. */
export function readNameservers(
  ns: XmlElement | undefined,
  list: NameserversPlace,
  reader: CommandReader,
): NameserverText[] {
  if (!ns) return [];
  const { hostObj, hostAttr } = reader.children(ns, { hostObj: 'list', hostAttr: 'list' });
  const [object] = hostObj;
  if (object) reader.refuseKind('hostObjects', object);
  else if (hostAttr.length === 0) reader.refuse('elementMissing', ns);
  return hostAttr.map((host, index) => readHost(host, [...list, index], reader));
}

function readHost(host: XmlElement, at: NameserverPlace, reader: CommandReader): NameserverText {
  const { hostName, hostAddr } = reader.children(host, { hostName: 'one', hostAddr: 'list' });
  reader.from(at, host);
  const addresses = { v4: [] as string[], v6: [] as string[] };
  for (const address of hostAddr) {
    const version = reader.choice(address, 'ip', ['v4', 'v6'], 'v4');
    const list = addresses[version];
    list.push(reader.text(address, [...at, `ip${version}`, list.length]));
  }
  return {
    hostname: reader.text(hostName, [...at, 'hostname']),
    ipv4: addresses.v4,
    ipv6: addresses.v6,
  };
}

/** The address family of a stored address, as the attribute `ip` has it. */
export const familyOf = (address: string): 'v4' | 'v6' => (isIPv6(address) ? 'v6' : 'v4');
