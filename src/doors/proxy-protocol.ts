import { type Socket, SocketAddress } from 'node:net';
import { normaliseAddress } from '../platform/values/ip-addresses.ts';

/** Version 2 of haproxy's PROXY protocol. Version 1, a line of text, is not accepted. */
const SIGNATURE = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');
const FIXED_BYTES = 16;
/** Addresses take 36 bytes; the rest is for extensions (TLVs), which we skip. */
const MAX_VARIABLE_BYTES = 2_048;
const LOCAL = 0x20;
const PROXY = 0x21;
const UNSPECIFIED = 0x00;
const TCP4 = 0x11;
const TCP6 = 0x21;

export class InvalidProxyHeader extends Error {
  override name = 'InvalidProxyHeader';
}

/** The address is undefined if the proxy speaks for itself, as in a health check. */
export type ProxyHeader = { readonly address: string | undefined; readonly bytes: number };

/** Undefined until the header has arrived. */
export function parseProxyHeader(received: Buffer): ProxyHeader | undefined {
  const compared = Math.min(received.length, SIGNATURE.length);
  if (received.compare(SIGNATURE, 0, compared, 0, compared) !== 0)
    throw new InvalidProxyHeader('no PROXY header of version 2');
  if (received.length < FIXED_BYTES) return undefined;
  const variable = received.readUInt16BE(14);
  if (variable > MAX_VARIABLE_BYTES) throw new InvalidProxyHeader('the PROXY header is too long');
  const bytes = FIXED_BYTES + variable;
  if (received.length < bytes) return undefined;
  return { address: addressIn(received.subarray(0, bytes)), bytes };
}

function addressIn(header: Buffer): string | undefined {
  const [command, family] = [header[12], header[13]];
  if (command === LOCAL) return undefined;
  if (command !== PROXY) throw new InvalidProxyHeader('unknown command of the PROXY header');
  const rest = header.subarray(FIXED_BYTES);
  if (family === UNSPECIFIED) return undefined;
  if (family === TCP4 && rest.length >= 12) return rest.subarray(0, 4).join('.');
  if (family === TCP6 && rest.length >= 36) return ipv6(rest.subarray(0, 16));
  throw new InvalidProxyHeader('the PROXY header has no address of TCP');
}

function ipv6(bytes: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(2 * index).toString(16));
  return normaliseAddress(new SocketAddress({ address: groups.join(':'), family: 'ipv6' }).address);
}

/** Takes the header off a new connection and leaves what follows it, in the socket. */
export function readProxyHeader(
  socket: Socket,
  { done, failed }: { done: (header: ProxyHeader) => void; failed: () => void },
): void {
  let received: Buffer = Buffer.alloc(0);
  const read = (): void => {
    const chunk: Buffer | null = socket.read();
    if (chunk === null) return;
    received = Buffer.concat([received, chunk]);
    const header = tryParse(received);
    if (header === undefined) return;
    socket.off('readable', read);
    if (header === 'invalid') failed();
    else {
      if (received.length > header.bytes) socket.unshift(received.subarray(header.bytes));
      done(header);
    }
  };
  socket.on('readable', read);
}

function tryParse(received: Buffer): ProxyHeader | undefined | 'invalid' {
  try {
    return parseProxyHeader(received);
  } catch {
    return 'invalid';
  }
}
