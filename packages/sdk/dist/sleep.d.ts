/** Rejects with the reason of the signal as soon as it is aborted. */
export declare function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
