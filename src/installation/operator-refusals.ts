import { type Catalogue, defineRefusals } from '../operations/refusal.ts';

/** Why the registry's staff cannot do something with the installation: whole sentences without their full stop. */
export const catalogue = {
  // Jobs.
  jobMissing: {
    code: 2303,
    kind: 'missing',
    text: 'There is no job {job}; see: cadastre job list',
    when: 'no job has the name',
  },
  jobNotHere: {
    code: 2303,
    kind: 'missing',
    text: 'There is no job {job} with these settings; there are {known}',
    when: 'a job that is to be run does not exist, or a setting that it needs is missing',
  },
  jobUnlimited: {
    code: 2303,
    kind: 'missing',
    text: 'There is no job {job} with a limit; there are {known}',
    when: 'a job that has no daily limit is to be approved',
  },
  nothingToApprove: {
    code: 2304,
    kind: 'rule',
    text: 'Nothing of {job} needs approval: what is due is within what policy allows, or approved',
    when: 'a job is approved that has not stopped',
  },
  // Maintenance.
  maintenanceNotAhead: {
    code: 2306,
    kind: 'rule',
    text: 'Maintenance that is announced begins later than now, and ends after it has begun',
    when: 'announced maintenance has begun by now, or ends before it begins',
  },
  // The clock.
  noLeap: {
    code: 2304,
    kind: 'rule',
    text: 'The time has not leapt: nothing waits for it',
    when: 'a leap of the time is confirmed that there is not',
  },
  // Copies.
  sandboxNeverStaging: {
    code: 2304,
    kind: 'rule',
    text: 'Nothing leaves a sandbox anyway; it is no copy of a registry',
    when: 'a sandbox is marked as a staging copy',
  },
} as const satisfies Catalogue;

const maker = defineRefusals<typeof catalogue>(catalogue);
export const refusal = maker.refusal;
export const refuse: typeof maker.refuse = maker.refuse;
