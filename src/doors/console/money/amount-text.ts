import { toDecimal } from '../../../platform/values/money.ts';

/** Cents as text, for people. */
export const amountText = (cents: string | bigint, currency: string): string =>
  `${toDecimal(BigInt(cents))} ${currency}`;

/** An amount as people write it: Estonian has a comma where the registry has a point. */
export const writtenAmount = (text: string): string => text.trim().replace(',', '.');
