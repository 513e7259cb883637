const FIRST_WEIGHTS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 1];
const SECOND_WEIGHTS = [3, 4, 5, 6, 7, 8, 9, 1, 2, 3];

/** Eleven digits: century and sex, date of birth, serial number, check digit. */
export function isEstonianPersonalCode(code: string): boolean {
  if (!/^[1-8]\d{10}$/.test(code)) return false;
  const digits = Array.from(code, Number);
  return digits[10] === checkDigit(digits) && isDate(code);
}

function checkDigit(digits: readonly number[]): number {
  const remainder = (weights: readonly number[]) =>
    weights.reduce((sum, weight, index) => sum + weight * (digits[index] ?? 0), 0) % 11;
  const first = remainder(FIRST_WEIGHTS);
  return first < 10 ? first : remainder(SECOND_WEIGHTS) % 10;
}

/** The date of birth in a personal code, yyyy-mm-dd. */
export function birthDayOf(code: string): string {
  const century = 1800 + Math.floor((Number(code[0]) - 1) / 2) * 100;
  return `${century + Number(code.slice(1, 3))}-${code.slice(3, 5)}-${code.slice(5, 7)}`;
}

function isDate(code: string): boolean {
  const [year = 0, month = 0, day = 0] = birthDayOf(code).split('-').map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
