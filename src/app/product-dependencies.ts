import type { PaymentProvider } from '../billing/provider/provider.ts';
import type { SandboxSecondaries } from '../doors/dns/sandbox-secondaries.ts';
import type { SandboxPowers } from '../doors/sandbox/controls.ts';
import type { Clock } from '../platform/clock/clock.ts';
import type { Config } from '../platform/config/config.ts';
import type { Origin } from '../platform/config/origin.ts';
import type { Logger } from '../platform/logging.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Database } from '../platform/database/database.ts';
import type { SpanExporter } from '../platform/tracing/span-exporter.ts';
import type { Policy } from '../policy/policy.ts';
import type { SupervisedProcess } from './processes/supervised-process.ts';
import type { SandboxEppIdentity } from './sandbox-epp-identity.ts';

/** What the parts of the product have in common. */
export type ProductDependencies = {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly policy: Policy;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly origin: Origin;
  readonly provider: PaymentProvider;
  /** Set where a collector is configured. */
  readonly spans?: SpanExporter | undefined;
  /** Whether this is a copy that nothing leaves. */
  readonly isStaging?: () => boolean;
  /** Set where this process is one of several of the same `serve`. */
  readonly supervised?: SupervisedProcess | undefined;
  /** The doors that this process serves; all of them if undefined. */
  readonly doors?: readonly DoorName[] | undefined;
  /** Set in the sandbox only. */
  readonly sandbox?: SandboxPowers;
  /** Set in the sandbox only. */
  readonly sandboxSecondaries?: SandboxSecondaries | undefined;
  /** The certificates of the sandbox, where it opens EPP. */
  readonly eppIdentity?: SandboxEppIdentity | undefined;
};

/** The interfaces that a process can serve alone. */
export const DOORS = [
  'registrar',
  'reservation',
  'billing',
  'confirmation',
  'rdap',
  'lookup',
  'console',
  'epp',
  'dns',
  'whois',
] as const;
export type DoorName = (typeof DOORS)[number];

/** What strangers look up, and the zones for the name servers that strangers ask. */
const PUBLIC_DOORS: readonly DoorName[] = ['rdap', 'lookup', 'dns', 'whois'];
export const isPublicDoor = (name: DoorName): boolean => PUBLIC_DOORS.includes(name);
