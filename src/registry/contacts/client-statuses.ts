import type { Refusal } from '../../operations/refusal.ts';
import type { Policy } from '../../policy/policy.ts';
import { refusal } from '../registry-refusals.ts';

type Statuses = Readonly<Record<string, string | null>>;

/** A status to be added or removed, and the field in which it was named. */
export type NamedStatus = { readonly status: string; readonly field: string };
export type StatusChanges = {
  readonly addStatuses?: readonly NamedStatus[];
  readonly removeStatuses?: readonly NamedStatus[];
};

/** Checks a change of client statuses and returns all failures: unlike a PUT, adding and removing are not idempotent. */
export function checkStatusChanges(
  stored: Statuses,
  { addStatuses = [], removeStatuses = [] }: StatusChanges,
  { contacts: { clientStatuses } }: Policy,
): Refusal[] {
  const isOurs = ({ status }: NamedStatus) => clientStatuses.some((known) => known === status);
  const isRepeated = ({ status }: NamedStatus, index: number, all: readonly NamedStatus[]) =>
    all.findIndex((other) => other.status === status) < index;
  return [
    ...removeStatuses.flatMap((named, index, all) => {
      if (!isOurs(named)) return [refusal('contactStatusUnsupported', named)];
      const isAbsent = !(named.status in stored) || isRepeated(named, index, all);
      return isAbsent ? [refusal('contactStatusAbsent', named)] : [];
    }),
    ...addStatuses.flatMap((named, index, all) => {
      if (!isOurs(named)) return [refusal('contactStatusUnsupported', named)];
      const isPresent = named.status in stored || isRepeated(named, index, all);
      return isPresent ? [refusal('contactStatusPresent', named)] : [];
    }),
  ];
}

/** The statuses after a change that was checked. */
export function changedStatuses(
  stored: Statuses,
  { addStatuses = [], removeStatuses = [] }: StatusChanges,
): Statuses {
  const kept = Object.entries(stored).filter(([name]) =>
    removeStatuses.every(({ status }) => status !== name),
  );
  return Object.fromEntries([...kept, ...addStatuses.map(({ status }) => [status, null] as const)]);
}
