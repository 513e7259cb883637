export type Role = 'super' | 'epp' | 'billing';

/** An authenticated API user, with the registrar it acts for. */
export type Principal = {
  readonly userId: number;
  readonly username: string;
  readonly registrarId: number;
  readonly registrarCode: string;
  readonly registrarName: string;
  readonly roles: readonly Role[];
  /** Whether its requests are read by the compatibility profile; off if absent. */
  readonly compatibility?: boolean;
  /** The interface that authenticated it; an HTTP API if absent. */
  readonly interface?: 'epp';
};

export type Right = 'objects' | 'money';

const RIGHTS: Readonly<Record<Role, readonly Right[]>> = {
  super: ['objects', 'money'],
  epp: ['objects', 'money'],
  billing: ['money'],
};

export function hasRight(principal: Principal, right: Right): boolean {
  return principal.roles.some((role) => RIGHTS[role].includes(right));
}

/** The actor of a change, as recorded in history. */
export const actorOf = (principal: Principal): string =>
  `${principal.interface ?? 'user'}:${principal.username}`;
