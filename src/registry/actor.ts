export type Role = 'super' | 'epp' | 'billing';

/** Who acts for a registrar: an API user, or a person in the console. */
export type Principal = {
  /** The email address of a person. */
  readonly username: string;
  readonly registrarId: number;
  readonly registrarCode: string;
  readonly registrarName: string;
  /** Only of API users. */
  readonly registrarWebsite?: string;
  readonly roles: readonly Role[];
  /** Whether its requests are read by the compatibility profile; off if absent. */
  readonly compatibility?: boolean;
  /** The interface that authenticated it; an HTTP API if absent. */
  readonly interface?: 'epp' | 'console';
};

/** Whose objects are read. */
export type RegistrarScope = Pick<Principal, 'registrarId'>;

/** An authenticated API user. */
export type ApiUser = Principal & { readonly userId: number };

export const isApiUser = (principal: Principal | undefined): principal is ApiUser =>
  principal !== undefined && 'userId' in principal;

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
export const actorOf = ({ interface: door, username }: Principal): string =>
  `${door === 'console' ? 'person' : (door ?? 'user')}:${username}`;
