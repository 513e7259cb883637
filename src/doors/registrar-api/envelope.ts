import type { Envelope } from '../http/http-answer.ts';

export const SUCCESS = 1000;
/** The code of the compatibility profile for what waits for a registrant. */
const PENDING = 1001;
/** The code of the profile for a contact whose postal address was discarded. */
const ADDRESS_DISCARDED = 1100;
export const SUCCESS_TEXT = 'Command completed successfully';

const successEnvelope = (code: number): Envelope => ({
  head: (message = SUCCESS_TEXT) => `{"code":${code},"message":${JSON.stringify(message)},"data":`,
  tail: '}',
  code,
});

/** The envelope around the data of a success. */
export const envelope = successEnvelope(SUCCESS);
export const pendingEnvelope = successEnvelope(PENDING);
export const addressDiscardedEnvelope = successEnvelope(ADDRESS_DISCARDED);
