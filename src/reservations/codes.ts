import { randomBytes } from 'node:crypto';

/** Lets its holder register one name. */
export const registrationCode = (): string => randomBytes(16).toString('hex');

const ID_BYTES = 8;
const ID_LENGTH = 10;

/** Ties a portal's user to his reservation: ten characters of six random bits each. */
export const userUniqueId = (): string => randomBytes(ID_BYTES).toString('base64url').slice(0, ID_LENGTH);
