/** What a failed statement means to whoever sent it. */
export type DatabaseTrouble = 'away' | 'busy' | 'lost-race';

const AWAY = new Set([
  ...[
    'CONNECT_TIMEOUT',
    'CONNECTION_CLOSED',
    'CONNECTION_ENDED',
    'CONNECTION_DESTROYED',
    'CONNECTION_CONNECT_TIMEOUT',
  ],
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['08000', '08001', '08003', '08004', '08006', '57P01', '57P02', '57P03', '53300', '25006'],
  // refused at the gate: the database is closed, gone, or no longer knows our login
  ...['55000', '3D000', '28000', '28P01'],
]);
const BUSY = new Set(['57014', '55P03', '53200', '53400']);
/** Unique violation, foreign key violation, serialization failure, deadlock: somebody else was first. */
const LOST_RACE = new Set(['23505', '23503', '40001', '40P01']);

export function databaseTrouble(error: unknown): DatabaseTrouble | undefined {
  const code = errorCode(error);
  if (code === undefined) return undefined;
  if (LOST_RACE.has(code)) return 'lost-race';
  if (BUSY.has(code)) return 'busy';
  return AWAY.has(code) ? 'away' : undefined;
}

function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
