import { createHmac, timingSafeEqual } from 'node:crypto';
import { CLASS, TSIG_ERROR } from './codes.ts';
import type { Message } from './message-reader.ts';
import { encodeName, InvalidMessage } from './dns-names.ts';
import { appendTsig, number16, type Times, type Tsig, timesBytes, withLength } from './tsig-record.ts';

export const TSIG_ALGORITHMS = ['hmac-sha256', 'hmac-sha512'] as const;
export type TsigAlgorithm = (typeof TSIG_ALGORITHMS)[number];
export type TsigKey = { readonly name: string; readonly algorithm: TsigAlgorithm; readonly secret: Buffer };

/** RFC 8945, 10: recommended. What others sign is accepted for no longer either. */
export const FUDGE_SECONDS = 300;
/** RFC 8945, 5.2.2.1: shorter ones are no signatures. */
const MIN_MAC_BYTES = 10;

export type TsigOutcome = 'valid' | 'BADSIG' | 'BADTIME' | 'BADTRUNC';
type Variables = Times & Pick<Tsig, 'error' | 'other'>;

const hashOf = (algorithm: TsigAlgorithm): string => algorithm.slice('hmac-'.length);
/** RFC 8945, 4.3.3. */
const variableBytes = (key: TsigKey, variables: Variables): Buffer =>
  Buffer.concat([
    encodeName(key.name),
    number16(CLASS.ANY),
    Buffer.alloc(4),
    encodeName(key.algorithm),
    timesBytes(variables),
    number16(variables.error),
    withLength(variables.other),
  ]);

function hmac({ algorithm, secret }: TsigKey, parts: readonly Buffer[]): Buffer {
  const mac = createHmac(hashOf(algorithm), secret);
  for (const part of parts) mac.update(part);
  return mac.digest();
}

/** As it was before it was signed. */
function unsignedBytes({ bytes }: Message, { offset, originalId }: Tsig): Buffer {
  const unsigned = Buffer.from(bytes.subarray(0, offset));
  unsigned.writeUInt16BE(originalId, 0);
  unsigned.writeUInt16BE(unsigned.readUInt16BE(10) - 1, 10);
  return unsigned;
}

const unixTime = (now: number): number => Math.floor(now / 1000);

/** How far the time of a signature may be from ours; a fudge of 18 hours would let it be replayed for that long. */
const windowSeconds = ({ fudge }: Times): number => Math.min(fudge, FUDGE_SECONDS);

/** From now on it is BADTIME. */
export const isExpired = (times: Times, now: number): boolean =>
  unixTime(now) > times.timeSigned + windowSeconds(times);

/** What a digest begins with: the MAC of the request, or of the previous signed message. */
type Chain = {
  readonly prior?: Buffer;
  readonly unsigned?: readonly Buffer[];
  readonly isContinued?: boolean;
};

/** Signature first, time afterwards (RFC 8945, 5.2): only a holder of the key learns our time. */
export function verifyTsig(
  message: Message,
  tsig: Tsig,
  key: TsigKey,
  now: number,
  chain: Chain = {},
): TsigOutcome {
  const { prior, unsigned = [], isContinued } = chain;
  const expected = hmac(key, [
    ...(prior ? [withLength(prior)] : []),
    ...unsigned,
    unsignedBytes(message, tsig),
    isContinued ? timesBytes(tsig) : variableBytes(key, tsig),
  ]);
  const { mac } = tsig;
  if (mac.length > expected.length || mac.length < Math.max(MIN_MAC_BYTES, expected.length / 2))
    throw new InvalidMessage('a signature of a wrong length');
  if (!timingSafeEqual(mac, expected.subarray(0, mac.length))) return 'BADSIG';
  if (mac.length < expected.length) return 'BADTRUNC';
  return Math.abs(unixTime(now) - tsig.timeSigned) > windowSeconds(tsig) ? 'BADTIME' : 'valid';
}

/** Signs a request, or the messages of an answer: each of them, though RFC 8945 demands every hundredth only. */
export class TsigSigner {
  readonly #key: TsigKey;
  readonly #now: () => number;
  #prior: Buffer | undefined;
  #isContinued = false;

  constructor(key: TsigKey, requestMac?: Buffer, now: () => number = Date.now) {
    this.#key = key;
    this.#prior = requestMac;
    this.#now = now;
  }

  /** Of the last message that was signed. */
  get mac(): Buffer | undefined {
    return this.#prior;
  }

  sign(message: Buffer, variables: Partial<Variables> = {}): Buffer {
    const now = unixTime(this.#now());
    const all = {
      timeSigned: now,
      fudge: FUDGE_SECONDS,
      error: 0,
      other: Buffer.alloc(0),
      ...variables,
    };
    const mac = hmac(this.#key, [
      ...(this.#prior ? [withLength(this.#prior)] : []),
      message,
      this.#isContinued ? timesBytes(all) : variableBytes(this.#key, all),
    ]);
    this.#prior = mac;
    this.#isContinued = true;
    return appendTsig(message, { ...all, keyName: this.#key.name, algorithm: this.#key.algorithm, mac });
  }
}

/** The server's time, in an answer to a request of another time. */
export function badTimeVariables({ timeSigned, fudge }: Tsig, now: number): Variables {
  const other = Buffer.alloc(6);
  other.writeUIntBE(unixTime(now), 0, 6);
  return { timeSigned, fudge, error: TSIG_ERROR.BADTIME, other };
}
