/** Money is whole cents in a bigint; on the wire it is a decimal string with two digits. */
export type Cents = bigint;

const DECIMAL = /^(-?)(\d{1,13})\.(\d{2})$/;

export function toDecimal(cents: Cents): string {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The amount, or undefined if the text is not a decimal with two digits. */
export function parseDecimal(text: string): Cents | undefined {
  const match = DECIMAL.exec(text);
  if (!match) return undefined;
  const cents = BigInt(`${match[2]}${match[3]}`);
  return match[1] === '-' ? -cents : cents;
}

/** An amount as people and clients write it: at most 12 digits, two of them after the point. */
const AMOUNT = /^(?=(?:\d\.?){1,12}$)\d+(?:\.\d{1,2})?$/;

/** The rule in words, for refusals. */
export const AMOUNT_RULE = 'digits with at most two behind a point, twelve in all';

/** The amount, or undefined if the text is none: `20`, `20.5` and `20.50` are. */
export function parseAmount(text: string): Cents | undefined {
  if (!AMOUNT.test(text)) return undefined;
  const [whole = '', part = ''] = text.split('.');
  return BigInt(whole) * 100n + BigInt(part.padEnd(2, '0'));
}

/** The same with an optional minus sign. */
export function parseSignedAmount(text: string): Cents | undefined {
  if (!text.startsWith('-')) return parseAmount(text);
  const amount = parseAmount(text.slice(1));
  return amount === undefined ? undefined : -amount;
}

const FORM = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

/** The remainder modulo 97 of digits and letters read as a number (A is 10, Z is 35), as in ISO 7064. */
export function mod97(text: string): number {
  return Array.from(text, (character) => Number.parseInt(character, 36).toString()).reduce(
    (rest, digits) => Number(`${rest}${digits}`) % 97,
    0,
  );
}

/** An IBAN without spaces and with valid check digits (ISO 13616). */
export const isIban = (text: string): boolean =>
  FORM.test(text) && mod97(text.slice(4) + text.slice(0, 4)) === 1;
