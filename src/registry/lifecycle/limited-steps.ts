import type { LimitedStep } from '../../platform/jobs/job-limits.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import { expire } from './expire.ts';
import { hold } from './force-delete.ts';
import { outzone } from './outzone.ts';
import { duePurge } from './purge.ts';
import { release, releaseForced } from './release.ts';
import type { Moment, Step } from './step.ts';

export const LIFECYCLE_JOB = 'domain lifecycle';

/** The steps that take something away from a registrant; reminders and warnings are not among them. */
export type LimitedName = 'expire domains' | 'hold domains' | 'release domains' | 'delete domains';

const LIMITED: readonly (readonly [LimitedName, readonly Step[]])[] = [
  ['expire domains', [expire]],
  ['hold domains', [outzone, hold]],
  ['release domains', [release, releaseForced]],
];

export const limitedNameOf = (step: Step): LimitedName | undefined =>
  LIMITED.find(([, steps]) => steps.includes(step))?.[0];

export function limitedSteps(moment: Moment): LimitedStep[] {
  const common = { job: LIFECYCLE_JOB, table: sql`domains` };
  return [
    ...LIMITED.map(([step, steps]) => ({
      ...common,
      step,
      due: steps.map((one) => dueDomains(one.due(moment))),
    })),
    // Only what was released is deleted, within a day: that was allowed or approved already.
    {
      ...{ ...common, step: 'delete domains', follows: 'release domains' },
      due: [dueDomains(duePurge(moment))],
    },
  ];
}

const dueDomains = (due: Fragment): Fragment => sql`select from domains d where ${due}`;
