/** Header values by their name in lower case. */
export type Headers = Readonly<Record<string, string | undefined>>;
export type TransportRequest = {
    readonly method: string;
    readonly url: URL;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Uint8Array<ArrayBuffer> | undefined;
    readonly signal: AbortSignal | undefined;
    /** How long to wait for the beginning of the answer, and for each further part of it. */
    readonly timeoutMs: number;
};
export type TransportAnswer = {
    readonly status: number;
    readonly headers: Headers;
    readonly body: Uint8Array;
};
/** Sends one request once. Rejects if no whole answer came. */
export type Transport = {
    send(request: TransportRequest): Promise<TransportAnswer>;
    close(): void;
};
/** Ten times a page of 1,000 domains with all their details, the largest answer of the API. */
export declare const MAX_ANSWER_BYTES: number;
/** The answer has more bytes, after decompression, than the client reads. It is not asked for again. */
export declare class AnswerTooLarge extends Error {
    readonly code = "ERR_ANSWER_TOO_LARGE";
    constructor(maxBytes: number);
}
