/**
 * The table of statuses that the API promises: one row per condition. A test that shows a row carries its name
 * in brackets; status-table.ts fails when a row has no such test.
 */
export const rows = {
  'malformed JSON': [400, 2001],
  'required field missing': [400, 2003],
  'number out of range': [400, 2004],
  'body over 1 MiB': [400, 2004],
  'wrong type or syntax': [400, 2005],
  'unknown field': [400, 2005],
  'failing business rule': [400, 2302],
  'object named in the body': [400, 2303],
  'wrong code': [400, 2202],
  'bad credentials': [401, 2202],
  'role without the right': [403, 2201],
  'domain of another registrar': [403, 2201],
  'too many wrong codes': [429, 2502],
  'object does not exist': [404, 2303],
  'unknown path': [404, 2000],
  'other method': [405, 2101],
  'Accept without JSON': [406, 2102],
  'body that is not JSON': [406, 2102],
  'object was removed': [410, 2303],
  teapot: [418, 2101],
  'rate limit': [429, 2502],
  'fault of ours': [500, 2400],
  maintenance: [503, 2400],
  overload: [503, 2400],
  'database away': [503, 2400],
} as const satisfies Record<string, readonly [number, number]>;

export type RowName = keyof typeof rows;

/** Puts a row's name into the name of the test that shows it. */
export const row = (name: RowName): string => `[${name}: ${rows[name].join('/')}]`;
