import { randomBytes } from 'node:crypto';

/** 144 bits, to be shown once. */
export const generatePassword = (): string => randomBytes(18).toString('base64url');
