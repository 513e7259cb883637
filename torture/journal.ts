/** The outcome of one attempt. It is unknown without an answer, and with 500, 502 or 503; EPP: 2400. */
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

/** A read, with its time. */
type Read<Seen> = { readonly seen: Seen; readonly sentAt: number; readonly endedAt: number };
/** A domain as it was shown; undefined where it was said not to exist. */
export type ShownDomain = {
  readonly name: string;
  readonly shown: { readonly registrant: string; readonly expireTime: string } | undefined;
};
/** What the public was shown of a name; undefined where it was said not to be found. */
export type LookedUp = { readonly name: string; readonly expireTime: string | undefined };
/** All names in a registrar's list. */
export type ShownList = { readonly registrar: string; readonly names: readonly string[] };

/** A request of a client, with every attempt. With an idempotency key it must take effect once at most. */
export type Intent = {
  readonly who: string;
  readonly what: string;
  readonly key: string | undefined;
  readonly attempts: Attempt[];
  /** The registry's clock moved so far meanwhile that its key may have expired. */
  lapsed: boolean;
};

/** Objects that must have exactly one history row of an operation, now that the intent was answered as done. */
export type Effect = { readonly operation: string; readonly name: string };
export type Promised = (body: never) => readonly Effect[];

export type Complaint = { readonly finding: string; readonly subject: string; readonly found: string };

/** A form of the console that begins a bulk job. */
export type BegunJob = {
  /** Of the jobs that its answers led to. */
  readonly ids: Set<string>;
  /** As many jobs as it may have begun: as often as it was sent where its key may have expired. */
  most: number;
};

/** The answers to the clients, and the unknown outcomes. */
export class Journal {
  readonly intents: Intent[] = [];
  readonly promised = new Map<Intent, readonly Effect[]>();
  /** Faults of answers found immediately. */
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
  /** Ids of events as a reader of the feed saw them, by registrar. */
  readonly feeds = new Map<string, readonly string[]>();

  readonly bulkJobs: BegunJob[] = [];

  beginBulkJob(): BegunJob {
    const begun = { ids: new Set<string>(), most: 1 };
    this.bulkJobs.push(begun);
    return begun;
  }

  begin(who: string, what: string, key: string | undefined): Intent {
    const intent = { who, what, key, attempts: [], lapsed: false };
    this.intents.push(intent);
    return intent;
  }

  complain(finding: string, subject: string, found: string): void {
    this.complaints.push({ finding, subject, found });
  }

  /** Statistics of answers by outcome. */
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

/** The final outcome of an intent as its client knows it. */
export function outcomeOf(attempts: readonly Attempt[]): Attempt['outcome'] {
  if (attempts.some(({ outcome }) => outcome === 'done')) return 'done';
  return attempts.every(({ outcome }) => outcome === 'refused') ? 'refused' : 'unknown';
}
