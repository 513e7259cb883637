/** A finished piece of work. Times are of the monotonic clock of this process, in milliseconds. */
export type Span = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly name: string;
  readonly kind: 'server' | 'client';
  readonly startedAt: number;
  readonly endedAt: number;
  readonly isFailure: boolean;
  /** Those that are undefined are left out. */
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
};

const KINDS = { server: 2, client: 3 } as const;
const STATUS_ERROR = 2;

/** The body of an export request, as OTLP 1 writes it in JSON. */
export function encodeSpans(spans: readonly Span[], resource: Span['attributes']): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: 'cadastre' }, spans: spans.map(encodeSpan) }],
      },
    ],
  });
}

const encodeSpan = (span: Span): object => ({
  traceId: span.traceId,
  spanId: span.spanId,
  name: span.name,
  kind: KINDS[span.kind],
  ...(span.parentId !== undefined && { parentSpanId: span.parentId }),
  startTimeUnixNano: unixNanoseconds(span.startedAt),
  endTimeUnixNano: unixNanoseconds(span.endedAt),
  attributes: attributesOf(span.attributes),
  ...(span.isFailure && { status: { code: STATUS_ERROR } }),
});

function attributesOf(attributes: Span['attributes']): object[] {
  const list: object[] = [];
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined)
      list.push({ key, value: typeof value === 'string' ? { stringValue: value } : { intValue: value } });
  return list;
}

/** As text: a number of this size has no nanoseconds. */
function unixNanoseconds(at: number): string {
  const ms = performance.timeOrigin + at;
  const whole = Math.floor(ms);
  return `${whole}${String(Math.floor((ms - whole) * 1e6)).padStart(6, '0')}`;
}
