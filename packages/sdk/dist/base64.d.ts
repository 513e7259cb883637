/** Base64 as every runtime has it. */
export declare const toBase64: (bytes: Uint8Array) => string;
/** Undefined if the text is not Base64. */
export declare function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined;
