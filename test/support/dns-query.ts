import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { type Message, readMessage } from '../../src/doors/dns/message-reader.ts';
import { encodeName } from '../../src/doors/dns/dns-names.ts';

export const QUERY_TYPE = { A: 1, NS: 2, SOA: 6, DS: 43, RRSIG: 46, DNSKEY: 48, NSEC3: 50 } as const;
export type QueryType = keyof typeof QUERY_TYPE;
export type NameServer = { readonly host?: string; readonly port: number };

const ANSWER_TIMEOUT_MS = 1_000;
let nextId = 1;

/** Asks as a resolver does that validates (EDNS with DO), over UDP; undefined without an answer. */
export async function askDns(
  { host = '127.0.0.1', port }: NameServer,
  name: string,
  type: QueryType,
): Promise<Message | undefined> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  try {
    const id = nextId++ & 0xffff;
    const header = Buffer.from([id >> 8, id & 0xff, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1]);
    const question = Buffer.from([0, QUERY_TYPE[type], 0, 1]);
    const edns = Buffer.from([0, 0, 41, 0x04, 0xd0, 0, 0, 0x80, 0, 0, 0]);
    const answered = once(socket, 'message', { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    socket.send(Buffer.concat([header, encodeName(name), question, edns]), port, host);
    const [bytes] = (await answered) as [Buffer];
    return readMessage(bytes);
  } catch (error) {
    const { name: kind, code } = error as NodeJS.ErrnoException;
    if (kind === 'AbortError' || code === 'ECONNREFUSED') return undefined;
    throw error;
  } finally {
    socket.close();
  }
}

/** The types of the records that a server has of a name, in its answer or in a referral, each once. */
export async function typesAt(server: NameServer, name: string, type: QueryType): Promise<string[]> {
  const message = await askDns(server, name, type);
  if (!message) return ['no answer'];
  const records = [...message.answers, ...message.authority].filter((record) => record.name === name);
  const names = new Map<number, string>(Object.entries(QUERY_TYPE).map(([each, number]) => [number, each]));
  return [...new Set(records.map((record) => names.get(record.type) ?? String(record.type)))].toSorted();
}
