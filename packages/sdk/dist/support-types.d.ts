import type { Answer } from './answer.ts';
import type { RefusalOf } from './errors.ts';
import type { DryRun, IssuedInvoice } from './generated/types.ts';
import type { List } from './list.ts';
import type { Query } from './path.ts';
export type { List } from './list.ts';
/** Data of a change. A dry run also tells what the change would cost and what would be left. */
export type Changed<T, Dry extends boolean> = Dry extends true ? Rehearsed<T> & {
    readonly dry_run: DryRun;
} : T;
/** An invoice that was not issued has neither number nor link. */
type Rehearsed<T> = T extends {
    readonly invoice: IssuedInvoice;
} ? {
    readonly invoice: Omit<IssuedInvoice, 'invoice_number' | 'payment_link'>;
} : T;
export type CallOptions = {
    /** Ends the call, also while it waits between attempts. */
    readonly signal?: AbortSignal | undefined;
    /** For this call instead of the client's. */
    readonly timeoutMs?: number | undefined;
};
export type ChangeOptions<Dry extends boolean = boolean> = CallOptions & {
    /**
     * The idempotency key, 1 to 255 characters. Without one the client makes one, which covers its own repetitions;
     * for an order that must survive a crash of your program use one of your own, stored before the call.
     */
    readonly key?: string | undefined;
    /** Runs every check, tells the price and changes nothing. */
    readonly dryRun?: Dry | undefined;
};
/** What came of a call that was answered: its data, or the refusal. */
export type Result<T, Name extends string> = ({
    readonly ok: true;
} & Answer<T>) | {
    readonly ok: false;
    readonly refusal: RefusalOf<Name>;
};
/** A call under way: a promise of its answer that rejects if the call is refused. */
export interface Call<T, Name extends string> extends Promise<Answer<T>> {
    /** Resolves to the refusal instead of rejecting. Rejects only where no answer about the request itself came. */
    result(): Promise<Result<T, Name>>;
}
export type CallRequest = {
    readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
    readonly path: string;
    readonly query?: Query;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string | undefined>>;
    /** The answer is a document, not JSON. */
    readonly isDocument?: true;
    /** May take much longer than a call about one object. */
    readonly isBulk?: true;
    readonly options: ChangeOptions;
};
/** What the generated methods call. */
export type Sender = {
    call<T, Name extends string>(request: CallRequest): Call<T, Name>;
    /** The items of a page are in `member` of the data; if it is empty, the data are the items. */
    list<Item>(member: string, request: CallRequest): List<Item>;
};
