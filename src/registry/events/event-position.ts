/**
 * A place in the order of events: by era, by the number of the transaction that wrote them, and within one by sequence.
 * Numbers of transactions are longer than a number of JavaScript holds.
 */
export type EventPosition = {
  readonly era: number;
  readonly transaction: string;
  readonly sequence: string;
};

/** Before everything. */
export const FIRST_POSITION: EventPosition = { era: 1, transaction: '0', sequence: '0' };

/** As a client gets it and sends it back. */
export const writeEventPosition = ({ era, transaction, sequence }: EventPosition): string =>
  `${era}-${transaction}-${sequence}`;

const WRITTEN = /^([1-9]\d{0,8})-(0|[1-9]\d{0,18})-(0|[1-9]\d{0,17})$/;

/** Undefined for what we have not written. */
export function readEventPosition(text: string): EventPosition | undefined {
  const [, era, transaction, sequence] = WRITTEN.exec(text) ?? [];
  return era === undefined || transaction === undefined || sequence === undefined
    ? undefined
    : { era: Number(era), transaction, sequence };
}

/** Negative if the first lies before the second, as for sorting. */
export function comparePositions(first: EventPosition, second: EventPosition): number {
  const [a, b] = [first, second].map(({ era, transaction, sequence }) => [
    BigInt(era),
    BigInt(transaction),
    BigInt(sequence),
  ]) as [bigint[], bigint[]];
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? 0n;
    if (value !== other) return value < other ? -1 : 1;
  }
  return 0;
}
