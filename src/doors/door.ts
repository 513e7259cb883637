import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RateLimits } from '../platform/concurrency/rate-limiter.ts';
import type { Config } from '../platform/config/config.ts';
import type { Origin } from '../platform/config/origin.ts';
import type { Database } from '../platform/database/database.ts';
import type { Policy } from '../policy/policy.ts';
import type { ApiDependencies } from './http/api.ts';

/** What every door is given. */
export type DoorDependencies = Pick<ApiDependencies, 'clock' | 'log' | 'metrics'> & {
  readonly config: Config;
  readonly database: Database;
  readonly policy: Policy;
  readonly origin: Origin;
};

/** What the doors that are routes of the HTTP server are given. */
export type HttpDoorDependencies = DoorDependencies &
  ApiDependencies & {
    readonly app: FastifyInstance;
    /** As `refuseIfUnavailable`, but for maintenance, which does not concern look-ups. */
    readonly refuseIfBusy: (request: FastifyRequest) => void;
    readonly rateLimits: RateLimits;
  };

/** A door that was started, with those of these steps that it needs. */
export type OpenDoor = {
  /** Its own, where it has one. */
  readonly port?: number;
  readonly url?: string;
  /** Takes over changes that other processes or operators have made, once a second. */
  refresh?(): Promise<void>;
  /** Reads keys and certificates again, because an operator says so. */
  reload?(): Promise<void>;
  /** Forgets users, whom a reset of the sandbox has replaced by others of the same names. */
  forget?(): void;
  /** Takes nothing more, and answers what is under way. */
  drain?(): Promise<void>;
  /** Ends what the answers have needed. In the reverse order of the starts. */
  close?(): Promise<void>;
};

/** An API: it is documented in every process, and started where it is served. */
export type ApiDoor = {
  document(): object;
  start(): Promise<OpenDoor>;
};
