/** Numbers of the DNS (RFC 1035, 1995, 1996, 4034, 6891, 8945). */
export const TYPE = {
  A: 1,
  NS: 2,
  SOA: 6,
  AAAA: 28,
  OPT: 41,
  DS: 43,
  TSIG: 250,
  IXFR: 251,
  AXFR: 252,
} as const;
export const CLASS = { IN: 1, ANY: 255 } as const;
export const OPCODE = { QUERY: 0, NOTIFY: 4 } as const;
export const RCODE = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, REFUSED: 5, NOTAUTH: 9, BADVERS: 16 } as const;
export type Rcode = keyof typeof RCODE;
/** In the error field of a TSIG record; the rcode beside it is NOTAUTH. */
export const TSIG_ERROR = { NONE: 0, BADSIG: 16, BADKEY: 17, BADTIME: 18, BADTRUNC: 22 } as const;

const nameIn = (numbers: Readonly<Record<string, number>>, wanted: number): string =>
  Object.entries(numbers).find(([, number]) => number === wanted)?.[0] ?? String(wanted);
/** For logs. */
export const typeName = (type: number): string => nameIn(TYPE, type);
export const rcodeName = (rcode: number): string => nameIn(RCODE, rcode);
