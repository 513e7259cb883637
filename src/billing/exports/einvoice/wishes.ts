/** What a caller can wish of an e-invoice; amounts are decimals with two digits. */
export type EInvoiceWishes = {
  /** Whether the buyer's bank is to offer its payment. */
  readonly payable?: boolean;
  /** A summary of a month is called by what it is about. */
  readonly monthly?: boolean;
  /** How the buyer's account has moved, as he is shown it. */
  readonly balance?: {
    readonly date: string | null;
    readonly begin: string | null;
    readonly inbound: string | null;
    readonly outbound: string | null;
    readonly end: string | null;
  };
};
