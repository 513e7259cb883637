import { type Transport } from './transport.ts';
/** What identifies the client, and whom it trusts, as node:tls takes it: PEM, or PKCS #12 in `pfx`. */
export type TlsOptions = {
    readonly cert?: string | Uint8Array | undefined;
    readonly key?: string | Uint8Array | undefined;
    readonly pfx?: Uint8Array | undefined;
    readonly passphrase?: string | undefined;
    readonly ca?: string | Uint8Array | undefined;
};
/** The transport over node:http and node:https: `fetch` takes no client certificate without another package. */
export declare function nodeTransport(tls?: TlsOptions, maxAnswerBytes?: number): Transport;
