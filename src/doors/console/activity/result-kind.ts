export type ResultKind = 'done' | 'refused' | 'brokenOff' | 'fault';

/** Codes of the envelope and of EPP begin at 1000; an answer without one, such as a file, has its HTTP status. */
export function resultKind(result: number): ResultKind {
  if (result === 499) return 'brokenOff';
  if (result === 2400 || (result >= 500 && result < 1000)) return 'fault';
  return result < 400 || (result >= 1000 && result < 2000) ? 'done' : 'refused';
}
