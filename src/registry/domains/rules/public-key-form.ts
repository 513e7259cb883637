/** Algorithms whose keys have one length in bytes: RFC 6605 (13, 14) and RFC 8080 (15, 16). */
const LENGTHS: Readonly<Partial<Record<number, number>>> = { 13: 64, 14: 96, 15: 32, 16: 57 };
const RSA: readonly number[] = [5, 7, 8, 10];
const DSA: readonly number[] = [3, 6];
/** Below it a modulus can be factored (RFC 5702 requires it for SHA-512); above it validators ignore the key (RFC 3110). */
const MODULUS_BITS = { least: 1_024, most: 4_096 };
/** Validators limit the exponent, because verifying costs time in proportion to it; 2^32 + 1 was in use. */
const MAX_EXPONENT_BYTES = 8;

/** What the public key of an algorithm must be, to complete "must be …"; undefined if the bytes are that. */
export function expectedPublicKey(algorithm: number, key: Buffer): string | undefined {
  const length = LENGTHS[algorithm];
  if (length !== undefined)
    return key.length === length
      ? undefined
      : `a key of ${length} bytes in Base64 for algorithm ${algorithm}`;
  if (RSA.includes(algorithm))
    return isRsaKey(key)
      ? undefined
      : `an RSA key (RFC 3110) in Base64, with a modulus of ${MODULUS_BITS.least} to ${MODULUS_BITS.most} bits and an odd exponent from 3`;
  if (DSA.includes(algorithm)) return isDsaKey(key) ? undefined : 'a DSA key (RFC 2536) in Base64';
  return undefined;
}

/** The length of the exponent in one byte, or in two after a zero; the exponent; the modulus. */
function isRsaKey(key: Buffer): boolean {
  const isLong = key[0] === 0;
  const head = isLong ? 3 : 1;
  if (key.length <= head) return false;
  const exponentBytes = isLong ? key.readUInt16BE(1) : (key[0] ?? 0);
  const exponent = key.subarray(head, head + exponentBytes);
  const modulus = key.subarray(head + exponentBytes);
  if (exponent.length !== exponentBytes || exponentBytes > MAX_EXPONENT_BYTES) return false;
  const bits = modulus.length * 8 - Math.clz32(modulus[0] ?? 0) + 24;
  return (
    isOddWithoutLeadingZero(exponent) &&
    !(exponent.length === 1 && exponent[0] === 1) &&
    isOddWithoutLeadingZero(modulus) &&
    bits >= MODULUS_BITS.least &&
    bits <= MODULUS_BITS.most
  );
}

const isOddWithoutLeadingZero = (number: Buffer): boolean =>
  number.length > 0 && number[0] !== 0 && (number.at(-1) ?? 0) % 2 === 1;

/** T, Q of 20 bytes, then P, G and Y of 64 + 8 T bytes each; T is at most 8. */
function isDsaKey(key: Buffer): boolean {
  const size = key[0];
  return size !== undefined && size <= 8 && key.length === 1 + 20 + 3 * (64 + 8 * size);
}
