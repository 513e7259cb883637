/** HMAC-SHA256 by WebCrypto, which is the same in every runtime. */
export type Hmac = {
    sign(content: Uint8Array<ArrayBuffer>): Promise<Uint8Array>;
    /** Takes the same time whether the signature is right or wrong. */
    verify(signature: Uint8Array<ArrayBuffer>, content: Uint8Array<ArrayBuffer>): Promise<boolean>;
};
export declare function hmacOf(secret: Uint8Array<ArrayBuffer>): Promise<Hmac>;
