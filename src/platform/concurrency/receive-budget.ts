/** Whom what is received counts for. Strangers are those who have not shown credentials. */
export type Sender = { readonly key: string; readonly isStranger: boolean };

type Share = { readonly perSender: number; readonly inAll: number };
type Options = {
  readonly known: Share;
  readonly strangers: Share;
};

type Account = { bytes: number; readonly receipts: Set<Receipt> };

/**
 * How many bytes are held of what senders have begun to send, and not finished. Where they are too many, the largest of
 * the sender who holds most is refused: whoever sends little is refused for nobody, and those who are known for no
 * stranger.
 */
export class ReceiveBudget {
  readonly #known: SharedBytes;
  readonly #strangers: SharedBytes;

  constructor({ known, strangers }: Options) {
    this.#known = new SharedBytes(known);
    this.#strangers = new SharedBytes(strangers);
  }

  get bytes(): number {
    return this.#known.bytes + this.#strangers.bytes;
  }

  /** `refused` is called once, at any time before it is complete. */
  begin(sender: Sender, refused: () => void): Receipt {
    return new Receipt(sender, refused, ({ isStranger }) => (isStranger ? this.#strangers : this.#known));
  }
}

/** One body or frame that is being received. It counts until it ends. */
export class Receipt {
  readonly refused: () => void;
  readonly #sharedBy: (sender: Sender) => SharedBytes;
  #sender: Sender;
  #bytes = 0;
  #isEnded = false;
  #isComplete = false;

  constructor(sender: Sender, refused: () => void, sharedBy: (sender: Sender) => SharedBytes) {
    this.#sender = sender;
    this.refused = refused;
    this.#sharedBy = sharedBy;
  }

  get sender(): Sender {
    return this.#sender;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether it may still be refused. */
  get isReceiving(): boolean {
    return !this.#isComplete;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** False if they are not to be kept, since it was refused, now or before, or has ended. */
  add(bytes: number): boolean {
    if (this.#isEnded) return false;
    this.#bytes += bytes;
    this.#shared.add(this.#sender.key, this, bytes);
    return !this.#isEnded;
  }

  /** Who sends it is known now. */
  identify(sender: Sender): void {
    if (this.#isEnded || (sender.key === this.#sender.key && sender.isStranger === this.#sender.isStranger))
      return;
    this.#shared.remove(this.#sender.key, this, this.#bytes);
    this.#sender = sender;
    this.#shared.add(sender.key, this, this.#bytes);
  }

  complete(): void {
    this.#isComplete = true;
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#shared.remove(this.#sender.key, this, this.#bytes);
  }

  get #shared(): SharedBytes {
    return this.#sharedBy(this.#sender);
  }
}

class SharedBytes {
  readonly #share: Share;
  readonly #accounts = new Map<string, Account>();
  bytes = 0;

  constructor(share: Share) {
    this.#share = share;
  }

  add(key: string, receipt: Receipt, bytes: number): void {
    const account = this.#accounts.get(key) ?? { bytes: 0, receipts: new Set() };
    this.#accounts.set(key, account);
    account.receipts.add(receipt);
    account.bytes += bytes;
    this.bytes += bytes;
    while (account.bytes > this.#share.perSender && refuseLargest([account]));
    while (this.bytes > this.#share.inAll && refuseLargest(this.#accounts.values()));
  }

  remove(key: string, receipt: Receipt, bytes: number): void {
    const account = this.#accounts.get(key);
    if (!account?.receipts.delete(receipt)) return;
    account.bytes -= bytes;
    this.bytes -= bytes;
    if (account.receipts.size === 0) this.#accounts.delete(key);
  }
}

/** Of the account with most bytes; false if nothing of any is still being received. */
function refuseLargest(accounts: Iterable<Account>): boolean {
  let largest: { readonly account: Account; readonly receipt: Receipt } | undefined;
  for (const account of accounts) {
    if (largest && account.bytes <= largest.account.bytes) continue;
    const receipt = largestOf(account);
    if (receipt) largest = { account, receipt };
  }
  if (!largest) return false;
  largest.receipt.end();
  largest.receipt.refused();
  return true;
}

function largestOf({ receipts }: Account): Receipt | undefined {
  let largest: Receipt | undefined;
  for (const receipt of receipts)
    if (receipt.isReceiving && receipt.bytes > (largest?.bytes ?? 0)) largest = receipt;
  return largest;
}
