/** What one attempt ended in. Nobody knows what became of an attempt without an answer, or with 500, 502 or 503; EPP: 2400. */
export type Attempt = {
  /** Through EPP the clTRID. */
  readonly requestId: string;
  readonly outcome: 'done' | 'refused' | 'unknown';
  readonly status: number | undefined;
  readonly body: unknown;
  /** By the clock of this machine, which is the database's too: when it was sent, and answered or given up. */
  readonly sentAt: number;
  readonly endedAt: number;
};

/** What somebody read, and when. */
type Read<Seen> = { readonly seen: Seen; readonly sentAt: number; readonly endedAt: number };
/** A domain as it was shown; undefined where it was said not to exist. */
export type ShownDomain = {
  readonly name: string;
  readonly shown: { readonly registrant: string; readonly expireTime: string } | undefined;
};
/** What the public was shown of a name; undefined where it was said not to be found. */
export type LookedUp = { readonly name: string; readonly expireTime: string | undefined };
/** All names that a registrar was told to have. */
export type ShownList = { readonly registrar: string; readonly names: readonly string[] };

/** Something that a client wanted, with every attempt at it. Those with a key are to take effect once at the most. */
export type Intent = {
  readonly who: string;
  readonly what: string;
  readonly key: string | undefined;
  readonly attempts: Attempt[];
  /** So much of the registry's time passed meanwhile that its key need not be known any more. */
  lapsed: boolean;
};

/** Objects that must have exactly one history row of an operation, now that the intent was answered as done. */
export type Effect = { readonly operation: string; readonly name: string };
export type Promised = (body: never) => readonly Effect[];

export type Complaint = { readonly finding: string; readonly subject: string; readonly found: string };

/** What the clients were answered, and what they do not know. */
export class Journal {
  readonly intents: Intent[] = [];
  readonly promised = new Map<Intent, readonly Effect[]>();
  /** What was wrong with an answer at first sight. */
  readonly complaints: Complaint[] = [];
  readonly acknowledged = new Set<number>();
  /** Requests that were answered as done and had a legal document with them, by the server's id. */
  readonly documents: string[] = [];
  readonly reservations = new Map<string, { readonly name: string; readonly password: string }[]>();
  readonly invoices = new Map<number, string>();
  readonly numbers = new Map<number, string>();
  readonly domainReads: Read<ShownDomain>[] = [];
  readonly listReads: Read<ShownList>[] = [];
  readonly lookups: Read<LookedUp>[] = [];

  begin(who: string, what: string, key: string | undefined): Intent {
    const intent = { who, what, key, attempts: [], lapsed: false };
    this.intents.push(intent);
    return intent;
  }

  complain(finding: string, subject: string, found: string): void {
    this.complaints.push({ finding, subject, found });
  }

  /** One who counts what was answered how. */
  summary(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { what, attempts } of this.intents) {
      const outcome = outcomeOf(attempts);
      counts[`${what} ${outcome}`] = (counts[`${what} ${outcome}`] ?? 0) + 1;
    }
    return counts;
  }

  /** How long answers took, in milliseconds, and how many never came. */
  delays(): { readonly slowest: number; readonly median: number; readonly unanswered: number } {
    const attempts = this.intents.flatMap((intent) => intent.attempts);
    const answered = attempts.filter(({ status }) => status !== undefined);
    const sorted = answered
      .map(({ sentAt, endedAt }) => endedAt - sentAt)
      .toSorted((one, other) => one - other);
    const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
    return { slowest: at(1), median: at(0.5), unanswered: attempts.length - answered.length };
  }
}

/** What its client knows of an intent in the end. */
export function outcomeOf(attempts: readonly Attempt[]): Attempt['outcome'] {
  if (attempts.some(({ outcome }) => outcome === 'done')) return 'done';
  return attempts.every(({ outcome }) => outcome === 'refused') ? 'refused' : 'unknown';
}
