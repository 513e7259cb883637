import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** A secret that is shown once; the database stores only its hash. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** Tokens are long and random: unlike passwords they need no slow hash. */
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest();
