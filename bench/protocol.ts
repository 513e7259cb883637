/** How the answers of a protocol are told apart, with as little work per answer as possible. */
export type Protocol = {
  /** The length of the answer at the beginning of these bytes; undefined while it cannot be known. */
  readonly lengthOf: (bytes: Buffer) => number | undefined;
  readonly statusOf: (answer: Buffer) => number;
  readonly contentTypeOf: (answer: Buffer) => string;
  readonly bodyOf: (answer: Buffer) => string;
};

const HEAD_END = '\r\n\r\n';
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;

export const http: Protocol = {
  lengthOf(bytes) {
    const headEnd = bytes.indexOf(HEAD_END);
    if (headEnd < 0) return undefined;
    const length = CONTENT_LENGTH.exec(bytes.toString('latin1', 0, headEnd))?.[1];
    if (length === undefined) throw new Error('an answer without Content-Length');
    return headEnd + HEAD_END.length + Number(length);
  },
  /** "HTTP/1.1 200 …" */
  statusOf: (answer) => Number(answer.toString('latin1', 9, 12)),
  contentTypeOf: (answer) =>
    /\r\ncontent-type: *([^\r]*)/i.exec(answer.toString('latin1', 0, answer.indexOf(HEAD_END)))?.[1] ?? '',
  bodyOf: (answer) => answer.toString('utf8', answer.indexOf(HEAD_END) + HEAD_END.length),
};

const FRAME_HEADER_BYTES = 4;
const RESULT = '<result code="';
const RESULT_CODE_DIGITS = 4;

/** RFC 5734; the status is the code of the first result, and 0 for a greeting. */
export const epp: Protocol = {
  lengthOf: (bytes) => (bytes.length < FRAME_HEADER_BYTES ? undefined : bytes.readUInt32BE()),
  statusOf(answer) {
    const at = answer.indexOf(RESULT) + RESULT.length;
    return at < RESULT.length ? 0 : Number(answer.toString('latin1', at, at + RESULT_CODE_DIGITS));
  },
  contentTypeOf: () => 'application/epp+xml',
  bodyOf: (answer) => answer.toString('utf8', FRAME_HEADER_BYTES),
};

/** Those of HTTP have three digits, those of EPP four. */
export const isSuccess = (status: number): boolean =>
  (status >= 200 && status <= 299) || (status >= 1000 && status <= 1999);
