/** The buyer named in a document; unknown fields are null. */
export type Buyer = {
  readonly name: string | null;
  readonly email: string | null;
  /** The buyer's code at the accounting service. */
  readonly customerCode: string | null;
  readonly country: string | null;
  readonly registryCode: string | null;
  readonly vatNumber: string | null;
  readonly street: string | null;
  readonly city: string | null;
  readonly postalCode: string | null;
  /** The account the buyer pays from; banks show e-invoices by it. */
  readonly iban: string | null;
};

const NOBODY: Buyer = {
  name: null,
  email: null,
  customerCode: null,
  country: null,
  registryCode: null,
  vatNumber: null,
  street: null,
  city: null,
  postalCode: null,
  iban: null,
};

/** Merges buyer details from several sources; the first one that has a field wins. */
export function buyerFrom(...sides: readonly Partial<Buyer>[]): Buyer {
  const members = Object.keys(NOBODY) as (keyof Buyer)[];
  return Object.fromEntries(
    members.map((member) => [member, sides.find((side) => side[member])?.[member] ?? null]),
  ) as Buyer;
}
