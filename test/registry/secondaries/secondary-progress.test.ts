import { beforeEach, expect, test } from 'vitest';
import { SecondaryProgress } from '../../../src/registry/secondaries/secondary-progress.ts';

let recorded: (number | string)[];
let progress: SecondaryProgress;
beforeEach(() => {
  recorded = [];
  progress = new SecondaryProgress({
    has: (_, __, serial) => recorded.push(serial),
    asks: () => recorded.push('asks'),
  });
});
const said = (serial: number) => progress.said('signer', 'ee', serial);
const delivered = (serial: number, from?: number) =>
  progress.delivered({ secondary: 'signer', zone: 'ee', serial, ...(from !== undefined && { from }) });
/** IXFR: it says what it has, and receives what it lacks. */
const follow = (from: number, serial: number) => {
  said(from);
  delivered(serial, from);
};

test('success: a secondary that follows has what it says and what it received', () => {
  delivered(1);
  follow(1, 2);
  follow(2, 5);
  expect(recorded).toEqual([1, 1, 2, 2, 5]);
});

test('failure: one that goes on asking from the same serial has that one, until it says a later one', () => {
  for (const serial of [2, 3, 4, 5]) follow(1, serial);
  expect(recorded).toEqual([1, 2, 1, 3, 1, 1]);
  follow(5, 6);
  expect(recorded.slice(-2)).toEqual([5, 6]);
});

test('failure: one that goes on asking for whole zones is not believed to have later ones', () => {
  for (const serial of [1, 1, 1, 2, 2, 3]) delivered(serial);
  expect(recorded).toEqual([1, 1]);
  delivered(4);
  expect(recorded).toEqual([1, 1, 4]);
});

test('success: a question for the SOA is recorded once a minute, and says nothing about the serial', () => {
  progress.asked('signer', 'ee');
  progress.asked('signer', 'ee');
  progress.asked('signer', 'com.ee');
  expect(recorded).toEqual(['asks', 'asks']);
});
