import type { Sql } from '../../platform/database/database.ts';
import type { Principal, Role } from '../actor.ts';

export type KnownUser = {
  readonly principal: Principal;
  readonly active: boolean;
  readonly passwordHash: string;
  readonly previousPassword: { readonly hash: string; readonly until: Date } | undefined;
  /** Changes with every change of the user or of his registrar. */
  readonly version: string;
};

type Row = {
  userId: number;
  username: string;
  roles: Role[];
  registrarId: number;
  registrarCode: string;
  registrarName: string;
  active: boolean;
  passwordHash: string;
  previousHash: string | null;
  previousUntil: Date | null;
  version: string;
};

export async function findUser(sql: Sql, username: string): Promise<KnownUser | undefined> {
  const [row] = await sql<Row[]>`
    select u.id as "userId", u.username, u.roles, r.id as "registrarId", r.code as "registrarCode", r.name as "registrarName",
      u.disabled_at is null and r.suspended_at is null as active,
      u.password_hash as "passwordHash", u.previous_password_hash as "previousHash", u.previous_password_until as "previousUntil",
      u.version || '.' || r.version as version
    from api_users u join registrars r on r.id = u.registrar_id
    where u.username = ${username}`;
  if (!row) return undefined;
  const {
    userId,
    roles,
    registrarId,
    registrarCode,
    registrarName,
    active,
    passwordHash,
    previousHash,
    previousUntil,
    version,
  } = row;
  return {
    principal: { userId, username: row.username, roles, registrarId, registrarCode, registrarName },
    active,
    passwordHash,
    previousPassword:
      previousHash && previousUntil ? { hash: previousHash, until: previousUntil } : undefined,
    version,
  };
}

export async function userVersions(sql: Sql, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await sql<{ id: number; version: string }[]>`
    select u.id, u.version || '.' || r.version as version
    from api_users u join registrars r on r.id = u.registrar_id
    where u.id = any(${ids as number[]}::bigint[])`;
  return new Map(rows.map(({ id, version }) => [id, version]));
}
