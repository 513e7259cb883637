import type { Refusal } from '../../operations/refusal.ts';
import type { Policy } from '../../policy/policy.ts';
import { refusal } from './contact-refusals.ts';

type Statuses = Readonly<Record<string, string | null>>;

export type StatusChanges = {
  readonly addStatuses?: readonly string[];
  readonly removeStatuses?: readonly string[];
};

/** Checks a change of client statuses and returns all failures: unlike a PUT, adding and removing are not idempotent. */
export function checkStatusChanges(
  stored: Statuses,
  { addStatuses = [], removeStatuses = [] }: StatusChanges,
  { contacts: { clientStatuses } }: Policy,
): Refusal[] {
  const isOurs = (status: string) => clientStatuses.some((known) => known === status);
  const isRepeated = (status: string, index: number, all: readonly string[]) => all.indexOf(status) < index;
  return [
    ...removeStatuses.flatMap((status, index, all) => {
      const named = { status, at: ['removeStatuses', index] } as const;
      if (!isOurs(status)) return [refusal('contactStatusUnsupported', named)];
      const isAbsent = !(status in stored) || isRepeated(status, index, all);
      return isAbsent ? [refusal('contactStatusAbsent', named)] : [];
    }),
    ...addStatuses.flatMap((status, index, all) => {
      const named = { status, at: ['addStatuses', index] } as const;
      if (!isOurs(status)) return [refusal('contactStatusUnsupported', named)];
      const isPresent = status in stored || isRepeated(status, index, all);
      return isPresent ? [refusal('contactStatusPresent', named)] : [];
    }),
  ];
}

/** The statuses after a change that was checked. */
export function changedStatuses(
  stored: Statuses,
  { addStatuses = [], removeStatuses = [] }: StatusChanges,
): Statuses {
  const kept = Object.entries(stored).filter(([name]) => !removeStatuses.includes(name));
  return Object.fromEntries([...kept, ...addStatuses.map((status) => [status, null] as const)]);
}
