import type { Reply } from './client.ts';
import { hosts, KEY, OTHER_KEY, type Registrant } from './domains.ts';

/** One random change of one of the names over the registrar API. False if it is refused: others change them too. */
export async function requestChange(
  registrant: Registrant,
  names: readonly string[],
  random: () => number,
): Promise<boolean> {
  const { status, text } = await anyRequest(registrant, names, random);
  if (status === 429 || status >= 500) throw new Error(`a change ended in ${status}: ${text}`);
  return status === 200;
}

function anyRequest(registrant: Registrant, names: readonly string[], random: () => number): Promise<Reply> {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const { client } = registrant;
  const name = pick(names);
  const path = `/domains/${encodeURIComponent(name)}`;
  const own = { hostname: `ns1.${name}`, ipv4: [pick(['192.0.2.1', '192.0.2.2'])] };
  const servers = pick([
    hosts('ns1.example.net', 'ns2.example.net'),
    [own, ...hosts('ns1.example.net')],
    [own, { hostname: `ns2.${name}`, ipv4: [], ipv6: ['2001:db8::1'] }],
  ]);
  const key = pick([KEY, OTHER_KEY, { ...OTHER_KEY, flags: '257' }]);
  return pick<() => Promise<Reply>>([
    () => registrant.try({ name, nameservers_attributes: servers, dnskeys_attributes: [key] }),
    () => client.post(`${path}/nameservers`, { nameservers: servers }),
    () => client.post(`${path}/nameservers`, { nameservers: [pick(servers)] }),
    () => client.delete(`${path}/nameservers`),
    () => client.delete(`${path}/nameservers/${encodeURIComponent(pick(servers).hostname)}`),
    () => client.post(`${path}/dnssec`, { dns_keys: [key] }),
    () => client.delete(`${path}/dnssec`, { dns_keys: [key] }),
    () => client.put(`${path}/statuses/clientHold`),
    () => client.delete(`${path}/statuses/clientHold`),
  ])();
}
