/** Ten times a page of 1,000 domains with all their details, the largest answer of the API. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** The answer has more bytes, after decompression, than the client reads. It is not asked for again. */
export class AnswerTooLarge extends Error {
    code = 'ERR_ANSWER_TOO_LARGE';
    constructor(maxBytes) {
        super(`the answer has more than ${maxBytes} bytes`);
    }
}
