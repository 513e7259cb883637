import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const { argon2 } = crypto;

/** Hashes of passwords, by all that they depend on. */
const derivedBefore = new Map<string, Buffer<ArrayBuffer>>();

/**
 * Every registry of a worker verifies the same few passwords of the seed, and one of them takes the processor as long as
 * a hundred requests: what was derived once is not derived again.
 */
const rememberedArgon2: typeof argon2 = (algorithm, parameters, callback) => {
  const { message, nonce } = parameters;
  if (typeof message !== 'string' || !Buffer.isBuffer(nonce)) return argon2(algorithm, parameters, callback);
  const key = JSON.stringify([algorithm, { ...parameters, nonce: nonce.toString('base64') }]);
  const derived = derivedBefore.get(key);
  if (derived) {
    setImmediate(callback, null, Buffer.from(derived));
    return;
  }
  argon2(algorithm, parameters, (error, result) => {
    if (!error) derivedBefore.set(key, Buffer.from(result));
    callback(error, result);
  });
};

/** Once in each worker, whose files share what they have loaded. */
export function rememberDerivations(): void {
  if (crypto.argon2.name === rememberedArgon2.name) return;
  Object.assign(crypto, { argon2: rememberedArgon2 });
  syncBuiltinESMExports();
}
