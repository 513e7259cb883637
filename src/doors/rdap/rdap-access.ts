import type { FastifyRequest } from 'fastify';
import { Refused } from '../../operations/refusal.ts';
import { BoundedQueue } from '../../platform/concurrency/bounded-queue.ts';
import type { RequestLimiter } from '../../platform/concurrency/rate-limiter.ts';
import type { Authenticator } from '../../registry/access/authenticator.ts';
import { type ApiUser, hasRight } from '../../registry/actor.ts';
import type { KnownRequesters } from '../../registry/lookup/known-requesters.ts';
import type { LookupLimits } from '../../registry/lookup/lookup-limits.ts';
import { PUBLIC, type Viewer } from '../../registry/lookup/viewer.ts';
import { refuse as refuseAccess } from '../../registry/registry-refusals.ts';
import type { FingerprintReader } from '../http/client-certificate.ts';
import { refusal, refuse } from './rdap-refusals.ts';

export type AccessDependencies = {
  readonly authenticator: Pick<Authenticator, 'recall' | 'admit'>;
  readonly fingerprintOf: FingerprintReader;
  readonly requesters: Pick<KnownRequesters, 'find'>;
  /** Of those without credentials. */
  readonly limits: Pick<LookupLimits, 'admit' | 'run'>;
  /** Of users of registrars and of requesters, each by itself. */
  readonly authenticatedLimiter: RequestLimiter<string>;
  /** To be called once the credentials of a request are verified. */
  readonly authenticated: (request: FastifyRequest) => void;
};

type Admitted = {
  readonly viewer: Viewer;
  /** Runs the statements of the look-up in its turn. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>;
};

const BASIC = /^Basic /i;
const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;
const MAX_AT_ONCE = 8;
const MAX_QUEUED = 64;

/** Who looks something up. Those with credentials have limits of their own, so that no crawler gets in their way. */
export class RdapAccess {
  readonly #dependencies: AccessDependencies;
  readonly #authenticatedQueue = new BoundedQueue(MAX_AT_ONCE, MAX_QUEUED);

  constructor(dependencies: AccessDependencies) {
    this.#dependencies = dependencies;
  }

  async admit(request: FastifyRequest, now: Date): Promise<Admitted> {
    const { authorization } = request.headers;
    if (authorization === undefined) {
      this.#countAddress(request);
      return { viewer: PUBLIC, run: (work) => inTurn(this.#dependencies.limits.run(work)) };
    }
    const viewer = BASIC.test(authorization)
      ? await this.#registrar(request, authorization)
      : await this.#requester(request, authorization, now);
    this.#dependencies.authenticated(request);
    return { viewer, run: (work) => inTurn(this.#authenticatedQueue.run(work)) };
  }

  async #registrar(request: FastifyRequest, authorization: string): Promise<Viewer> {
    const { authenticator, fingerprintOf } = this.#dependencies;
    const client = { address: request.ip, fingerprint: fingerprintOf(request) };
    const principal: ApiUser =
      authenticator.recall(authorization, client) ?? (await authenticator.admit(authorization, client));
    request.principal = principal;
    const { registrarId, userId } = principal;
    this.#count(`user ${userId}`);
    if (!hasRight(principal, 'objects')) refuseAccess('notAllowed');
    return { kind: 'registrar', registrarId };
  }

  async #requester(request: FastifyRequest, authorization: string, now: Date): Promise<Viewer> {
    const token = BEARER.exec(authorization)?.[1];
    const requester = token === undefined ? undefined : await this.#dependencies.requesters.find(token, now);
    if (!requester) {
      this.#countAddress(request);
      return refuseAccess('badCredentials');
    }
    this.#count(`requester ${requester.id}`);
    return { kind: 'requester', requesterId: requester.id };
  }

  #countAddress({ ip }: FastifyRequest): void {
    const admission = this.#dependencies.limits.admit(ip);
    if (!admission.isAdmitted) refuseRate(admission.retryAfterSeconds);
  }

  #count(client: string): void {
    const { allowed, secondsToReset } = this.#dependencies.authenticatedLimiter.take(client);
    if (!allowed) refuseRate(secondsToReset);
  }
}

const refuseRate = (seconds: number): never => {
  throw new Refused({ ...refusal('tooManyLookups'), retryAfterSeconds: seconds });
};

/** Nothing is given where the queue is full. */
const inTurn = async <T>(work: Promise<T> | undefined): Promise<T> => work ?? refuse('overload');
