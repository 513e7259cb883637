import { randomUUID } from 'node:crypto';

/** The trace that a request or a run of a job belongs to, as defined by W3C Trace Context. */
export type Trace = {
  /** 32 hexadecimal digits, the same in all services that work on one request. */
  readonly traceId: string;
  /** 16 hexadecimal digits: our own part of it, the parent of the calls that we make. */
  readonly spanId: string;
  /** The caller's part; undefined if the trace begins here. */
  readonly parentId: string | undefined;
  /** Whether its spans are recorded, by the caller or by us. */
  readonly isSampled: boolean;
  /** Undefined for a job. */
  readonly requestId: string | undefined;
};

/** Version 00, and of later versions what they have in common with it. */
const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const MAX_LENGTH = 128;
export const SAMPLED = 1;

/**
 * Continues the caller's trace, or begins one where its header is missing or invalid. Node joins repeated headers with a
 * comma, which is invalid too.
 */
export function continueTrace(
  header: string | string[] | undefined,
  requestId?: string,
  isExported = false,
): Trace {
  const caller = typeof header === 'string' && header.length <= MAX_LENGTH ? TRACEPARENT.exec(header) : null;
  const [, version, traceId, parentId, flags = '', rest] = caller ?? [];
  const spanId = newSpanId();
  if (traceId === undefined || (version === '00' && rest !== undefined))
    return { traceId: newTraceId(), spanId, parentId: undefined, isSampled: isExported, requestId };
  const isSampled = isExported || (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED;
  return { traceId, spanId, parentId, isSampled, requestId };
}

/** Random digits of a UUID: Node generates those in batches, which costs less than randomBytes. */
function newTraceId(): string {
  const id = randomUUID();
  return id.slice(0, 8) + id.slice(9, 13) + id.slice(14, 18) + id.slice(19, 23) + id.slice(24);
}

/** A random part for the process and a counter: it need be unique within one trace only. */
const PROCESS = randomUUID().slice(0, 8).replace(/^0+$/, '1'.padStart(8, '0'));
let spans = 0;

export function newSpanId(): string {
  spans = (spans + 1) >>> 0;
  return PROCESS + spans.toString(16).padStart(8, '0');
}
