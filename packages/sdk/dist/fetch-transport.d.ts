import { type Transport } from './transport.ts';
/** The transport over `fetch`, for runtimes without the modules of Node. It takes no client certificate. */
export declare function fetchTransport(maxAnswerBytes?: number): Transport;
