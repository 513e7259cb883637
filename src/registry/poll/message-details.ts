import type { Reason } from '../../operations/reason.ts';

/** What a message is about, for interfaces that have fields for it. Times are in ISO 8601, registrars by their codes. */
export type MessageDetails = TransferDetails | PendingActionDetails | ChangeDetails;

export type TransferDetails = {
  readonly kind: 'transfer';
  readonly name: string;
  readonly losing: string;
  readonly gaining: string;
  readonly at: string;
  readonly expireTime: string;
};

/** The outcome of what the registrant was asked to confirm, with the ids of the request. */
export type PendingActionDetails = {
  readonly kind: 'pending action';
  readonly name: string;
  readonly succeeded: boolean;
  readonly requestId: string;
  readonly clientTransactionId: string | null;
  readonly at: string;
};

/** A change that the registrar did not make (RFC 8590). */
export type ChangeDetails = {
  readonly kind: 'change';
  readonly object: 'domain' | 'contact';
  readonly name: string;
  readonly operation:
    | 'create'
    | 'delete'
    | 'renew'
    | 'transfer'
    | 'update'
    | 'restore'
    | 'autoRenew'
    | 'autoDelete'
    | 'autoPurge'
    | 'custom';
  /** Names an operation that is `custom`. */
  readonly op?: string;
  readonly at: string;
  readonly who: string;
  readonly reason: string | null;
  readonly requestId: string | null;
};

/** Details before their message is written: time, author and the ids of a request are added then. */
export type NewDetails =
  | Omit<TransferDetails, 'at'>
  | Omit<PendingActionDetails, 'at' | 'requestId' | 'clientTransactionId'>
  | Omit<ChangeDetails, 'at' | 'who' | 'reason' | 'requestId'>;

/** Who caused a message, when and why. */
export type MessageAuthor = {
  readonly actor: string;
  readonly requestId?: string | null | undefined;
  /** The registrar that acts, and its key of the request, which nobody else is told. */
  readonly registrarId?: number | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
  readonly reason?: Reason | undefined;
  readonly now: Date;
};

export function completeDetails(
  details: NewDetails,
  { actor, requestId, reason, now }: MessageAuthor,
): object {
  const at = now.toISOString();
  if (details.kind !== 'change') return { ...details, at };
  return { ...details, at, who: actor, reason: reason?.forRegistrar ?? null, requestId: requestId ?? null };
}
