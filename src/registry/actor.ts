export type Role = 'super' | 'epp' | 'billing';

/** An API user who has proved who he is, with the registrar he acts for. */
export type Principal = {
  readonly userId: number;
  readonly username: string;
  readonly registrarId: number;
  readonly registrarCode: string;
  readonly registrarName: string;
  readonly roles: readonly Role[];
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

/** Who is behind a change, as history names him. */
export const actorOf = (principal: Principal): string => `user:${principal.username}`;
