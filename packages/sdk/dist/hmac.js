const HMAC = { name: 'HMAC', hash: 'SHA-256' };
export async function hmacOf(secret) {
    const { subtle } = crypto;
    const key = await subtle.importKey('raw', secret, HMAC, false, ['sign', 'verify']);
    return {
        sign: async (content) => new Uint8Array(await subtle.sign(HMAC.name, key, content)),
        verify: (signature, content) => subtle.verify(HMAC.name, key, signature, content),
    };
}
