/** Whom a document names as the buyer; what is not known is null. */
export type Buyer = {
  readonly name: string | null;
  readonly email: string | null;
  /** Under which the accounting service knows him. */
  readonly customerCode: string | null;
  readonly country: string | null;
  readonly registryCode: string | null;
  readonly vatNumber: string | null;
  readonly street: string | null;
  readonly city: string | null;
  readonly postalCode: string | null;
  /** From which he pays; banks show e-invoices by it. */
  readonly iban: string | null;
};

const NOBODY: Buyer = {
  ...{ name: null, email: null, customerCode: null, country: null, registryCode: null, vatNumber: null },
  ...{ street: null, city: null, postalCode: null, iban: null },
};

/** What is known of the buyer from several sides; who speaks first counts. */
export function buyerFrom(...sides: readonly Partial<Buyer>[]): Buyer {
  const members = Object.keys(NOBODY) as (keyof Buyer)[];
  return Object.fromEntries(
    members.map((member) => [member, sides.find((side) => side[member])?.[member] ?? null]),
  ) as Buyer;
}
