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
