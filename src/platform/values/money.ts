/** Money is whole cents in a bigint; the wire shows a decimal string with two digits. */
export type Cents = bigint;

const DECIMAL = /^(-?)(\d{1,13})\.(\d{2})$/;

export function toDecimal(cents: Cents): string {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The amount, or undefined when the text is not a decimal with two digits. */
export function parseDecimal(text: string): Cents | undefined {
  const match = DECIMAL.exec(text);
  if (!match) return undefined;
  const cents = BigInt(`${match[2]}${match[3]}`);
  return match[1] === '-' ? -cents : cents;
}

const FORM = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

/** What is left when the number that a text of digits and letters stands for (A is 10, Z is 35) is divided by 97. */
export function mod97(text: string): number {
  return Array.from(text, (character) => Number.parseInt(character, 36).toString()).reduce(
    (rest, digits) => Number(`${rest}${digits}`) % 97,
    0,
  );
}

/** An account number as it is written without spaces, with right check digits (ISO 13616). */
export const isIban = (text: string): boolean =>
  FORM.test(text) && mod97(text.slice(4) + text.slice(0, 4)) === 1;
