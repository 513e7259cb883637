const HMAC = { name: 'HMAC', hash: 'SHA-256' };

/** HMAC-SHA256 by WebCrypto, which is the same in every runtime. */
export type Hmac = {
  sign(content: Uint8Array<ArrayBuffer>): Promise<Uint8Array>;
  /** Takes the same time whether the signature is right or wrong. */
  verify(signature: Uint8Array<ArrayBuffer>, content: Uint8Array<ArrayBuffer>): Promise<boolean>;
};

export async function hmacOf(secret: Uint8Array<ArrayBuffer>): Promise<Hmac> {
  const { subtle } = crypto;
  const key = await subtle.importKey('raw', secret, HMAC, false, ['sign', 'verify']);
  return {
    sign: async (content) => new Uint8Array(await subtle.sign(HMAC.name, key, content)),
    verify: (signature, content) => subtle.verify(HMAC.name, key, signature, content),
  };
}
