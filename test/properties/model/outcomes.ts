/** HTTP status and code of an answer. */
export type Outcome = readonly [status: number, code: number];

export const DONE: Outcome = [200, 1000];
export const MISSING: Outcome = [404, 2303];
export const GONE: Outcome = [410, 2303];
export const FOREIGN: Outcome = [403, 2201];
export const TOO_MANY_CODES: Outcome = [429, 2502];

/** A rule that fails. */
export const rule = (code: number): Outcome => [400, code];
export const NO_FUNDS = rule(2104);
export const NO_PRICE = rule(2104);
export const TOO_FAR = rule(2105);
export const TOO_NEAR = rule(2105);
export const WRONG_CODE = rule(2202);
export const TAKEN = rule(2302);
export const NOT_THERE = rule(2303);
export const STATUS_PROHIBITS = rule(2304);
export const LINKED = rule(2305);
export const POLICY = rule(2306);
export const MANAGEMENT_POLICY = rule(2308);

/** The refusals that apply; the model does not define which of several comes first. */
export const collect = (...found: (Outcome | false | undefined)[]): Outcome[] =>
  found.filter((outcome): outcome is Outcome => outcome !== false && outcome !== undefined);

export const isOneOf = (outcome: Outcome, several: readonly Outcome[]): boolean =>
  several.some(([status, code]) => status === outcome[0] && code === outcome[1]);
