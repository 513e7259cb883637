/** A moment as clients see it: ISO 8601 with milliseconds and the offset of the session's zone, which is the registry's. */
export const isoTime = (column: string): string => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MSTZH:TZM')`;
