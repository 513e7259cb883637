import { endSnooze, SNOOZES, snoozeEnd, snoozeLine } from '../../../registry/people/snoozed-lines.ts';
import { defineAtOnce } from '../at-once-form.ts';
import {
  type ConsoleChange,
  type ConsoleParts,
  consoleAddress,
  type FormInput,
  type Visit,
} from '../console-page.ts';
import { NOTHING_DONE } from '../form-context.ts';
import { refusal, refuse } from '../form-refusals.ts';
import { loadConcerns } from './concerns.ts';
import { END_SNOOZE_PATH, SNOOZE_PATH } from './snooze-menu.ts';
import { startPage } from './start-page.ts';
import { startTexts } from './start-texts.ts';
import { linesOf } from './worklist.ts';

const OF_OVERVIEW = { right: undefined, page: startPage, to: () => consoleAddress('') } as const;

/** The line of the form among those that the person has now; null where there is none any more. */
async function findLine(parts: ConsoleParts, visit: Visit, { field }: FormInput) {
  const { concerns } = await loadConcerns(parts, visit);
  return { line: linesOf(concerns, visit, parts).find(({ key }) => key === field('line')) ?? null };
}

const COUNT = /^\d{1,15}$/;
const MAX_KEY = 80;

export const snoozeChanges: readonly ConsoleChange[] = [
  defineAtOnce({
    ...OF_OVERVIEW,
    path: SNOOZE_PATH,
    load: findLine,
    // It is gone, and there is nothing to put off.
    overtaken: ['objectMissing'],
    read: ({ field }, { line }, { policy }, { lang, now, session }) => {
      const snooze = SNOOZES.find((known) => known === field('until'));
      if (!snooze)
        return {
          refusals: [refusal('wrongSyntax', { field: 'until', expected: startTexts(lang).notSnooze })],
        };
      // What has come since the page was shown is not put off unseen.
      const seen = COUNT.test(field('count')) ? Number(field('count')) : 0;
      const until = snoozeEnd(snooze, now, policy.timeZone);
      return {
        value: {
          owner: session,
          snoozed: line && { key: line.key, count: Math.min(seen, line.count), until },
        },
      };
    },
    run: async ({ writes }, { owner, snoozed }, { now }) => {
      if (!snoozed) return refuse('objectMissing');
      await snoozeLine(writes, owner, snoozed, now);
      return NOTHING_DONE;
    },
    done: 'lineSnoozed',
    undo: (_found, { snoozed }) =>
      snoozed ? { path: END_SNOOZE_PATH, fields: { line: snoozed.key } } : undefined,
  }),
  defineAtOnce({
    ...OF_OVERVIEW,
    path: END_SNOOZE_PATH,
    load: async () => ({}),
    read: ({ field }, _found, _parts, { session }) => ({
      value: { owner: session, key: field('line').slice(0, MAX_KEY) },
    }),
    run: async ({ writes }, { owner, key }) => {
      await endSnooze(writes, owner, key);
      return NOTHING_DONE;
    },
    done: 'lineShown',
  }),
];
