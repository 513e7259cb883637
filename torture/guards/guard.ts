/** A guard of the product, its removal, and the test that must fail. */
export type Guard = {
  readonly guard: string;
  /** What the product does without it. */
  readonly without: string;
  readonly file: string;
  /** Occurs in the file exactly once. */
  readonly text: string;
  readonly instead: string;
  readonly test: string;
  /** A part of the name of the test, or of several tests of one table. */
  readonly named: string;
};
