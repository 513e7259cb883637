import type { Sql } from '../../platform/sql/executor.ts';
import {
  type Admission,
  admissionOf,
  type CertificateMode,
  type ClientIdentity,
  findUser,
  userVersions,
} from '../access/known-users.ts';
import { type ApiUser, hasRight } from '../actor.ts';

type KnownAdmission = { readonly version: string; readonly admission: Admission };

/** Why a session of this user may not go on; undefined if it may. */
export type SessionFault = (principal: ApiUser, client: ClientIdentity, now: Date) => string | undefined;

/** Whether the users of open sessions could still log in as they did. A user is read again when its version changes. */
export class SessionAdmissions {
  readonly #reads: Sql;
  readonly #certificates: CertificateMode;
  #known = new Map<number, KnownAdmission>();

  constructor(reads: Sql, certificates: CertificateMode) {
    this.#reads = reads;
    this.#certificates = certificates;
  }

  async check(principals: readonly ApiUser[]): Promise<SessionFault> {
    const users = new Map(principals.map((principal) => [principal.userId, principal]));
    if (users.size === 0) {
      this.#known.clear();
      return () => undefined;
    }
    const versions = await userVersions(this.#reads, [...users.keys()]);
    const known = await Promise.all(
      Array.from(users, async ([id, principal]) => {
        const before = this.#known.get(id);
        const isCurrent = before !== undefined && before.version === versions.get(id);
        return [id, isCurrent ? before : await this.#read(principal)] as const;
      }),
    );
    this.#known = new Map(known);
    return ({ userId }, client, now) => this.#known.get(userId)?.admission(client, now);
  }

  /** The version is that of the row read, so a change between the two queries is found by the next check. */
  async #read({ userId, username, registrarId }: ApiUser): Promise<KnownAdmission> {
    const user = await findUser(this.#reads, username, { address: '', now: new Date(0) });
    if (user?.principal.userId !== userId || user.principal.registrarId !== registrarId)
      return { version: '', admission: () => 'the user does not exist any more' };
    const { version, principal } = user;
    if (!user.active) return { version, admission: () => 'the user or its registrar is not active' };
    if (!hasRight(principal, 'objects'))
      return { version, admission: () => "the user's role has no right to objects" };
    return { version, admission: admissionOf(user, this.#certificates) };
  }
}
