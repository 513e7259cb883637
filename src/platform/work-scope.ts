import { AsyncLocalStorage } from 'node:async_hooks';
import { type Deadline, DeadlineExceeded } from './concurrency/deadline.ts';
import { SAMPLED, type Trace } from './tracing/trace.ts';

/** What work in progress belongs to. */
type WorkScope = {
  readonly trace: Trace | undefined;
  readonly deadline: Deadline | undefined;
};

/** One AsyncLocalStorage, so that operations need not pass it on: each costs every request something. */
const scopes = new AsyncLocalStorage<WorkScope>();

export const inScope = <T>(scope: WorkScope, work: () => T): T => scopes.run(scope, work);

/** The deadline of the current work; jobs and commands have none. */
export const currentDeadline = (): Deadline | undefined => scopes.getStore()?.deadline;

export const withDeadline = <T>(deadline: Deadline | undefined, work: () => T): T =>
  inScope({ trace: currentTrace(), deadline }, work);

/** For work that must be completed once begun, such as recording what another service has done. */
export const withoutDeadline = <T>(work: () => T): T => withDeadline(undefined, work);

export function requireTime(deadline = currentDeadline()): void {
  if (deadline?.isOver) throw new DeadlineExceeded(deadline);
}

export const currentTrace = (): Trace | undefined => scopes.getStore()?.trace;

export const withTrace = <T>(trace: Trace, work: () => T): T =>
  inScope({ trace, deadline: currentDeadline() }, work);

/** The headers of a call to another service. */
export function traceHeaders(): { traceparent?: string } {
  const trace = currentTrace();
  if (trace === undefined) return {};
  const { traceId, spanId, isSampled } = trace;
  return { traceparent: `00-${traceId}-${spanId}-0${isSampled ? SAMPLED : 0}` };
}
