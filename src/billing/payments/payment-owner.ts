/** The limit of open banking. */
const MAX_ORDER_REFERENCE = 120;

/** As many of the numbers as fit; the bulk invoice's own comes first, and only that one is parsed again. */
export function bulkOrderReference(number: number, numbers: readonly number[]): string {
  return numbers.reduce((text, item) => {
    const longer = `${text}, ${item}`;
    return longer.length <= MAX_ORDER_REFERENCE ? longer : text;
  }, `Ref:${number}`);
}

/** The invoice that a payment belongs to by its order reference: `150005`, or `Ref:150007, 150005, 150006` of a bulk payment. */
export function invoiceNumberOf(orderReference: string): number | undefined {
  const [, digits] = /^(?:Ref:)?\s*(\d{1,15})(?:,|$)/.exec(orderReference) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
