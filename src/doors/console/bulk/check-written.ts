import { BULK_PERIODS, parseBulkPeriod } from '../../../registry/domains/rules/periods.ts';
import type { FormInput } from '../console-page.ts';
import { refusal } from '../form-refusals.ts';
import type { BulkTask } from './bulk-task.ts';
import { MEND } from './mend-lines.ts';
import { type LeftOut, type ListedDomain, readLeftOut } from './name-list.ts';

/** What is checked again is tried again; but a code that was wrong would count once more. */
export function leftOutBefore({ lineHas }: Pick<BulkTask, 'lineHas'>, form: FormInput): Map<string, LeftOut> {
  const step = form.field('step');
  if (step === 'confirm') return readLeftOut(form.field('leftOut'));
  if (step !== MEND || lineHas !== 'code') return new Map();
  return new Map(
    Array.from(readLeftOut(form.field('leftOut'))).filter(([, { name }]) => !WRITTEN_WRONG.has(name)),
  );
}

/** The reasons that checkWritten finds. */
const WRITTEN_WRONG: ReadonlySet<string> = new Set(['notName', 'twoPeriods', 'twoCodes', 'wrongSyntax']);

/** Without looking at the domains. */
export function checkWritten({
  task,
  listed,
}: {
  readonly task: Pick<BulkTask, 'lineHas'>;
  readonly listed: readonly ListedDomain[];
}): Map<string, LeftOut> {
  const reasons = new Map<string, LeftOut>();
  const hasPeriods = task.lineHas === 'period';
  for (const { name, code, isName, isAmbiguous } of listed)
    if (!isName) reasons.set(name, refusal('notName'));
    else if (isAmbiguous) reasons.set(name, refusal(hasPeriods ? 'twoPeriods' : 'twoCodes'));
    else if (hasPeriods && code !== '' && parseBulkPeriod(code) === undefined)
      reasons.set(name, refusal('wrongSyntax', { field: 'period', expected: BULK_PERIODS }));
  return reasons;
}
