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
/** IXFR: it sends its serial, and receives the changes since. */
const follow = (from: number, serial: number) => {
  said(from);
  delivered(serial, from);
};

test('success: the serial of a secondary is what it sent and then what it received', () => {
  delivered(1);
  follow(1, 2);
  follow(2, 5);
  expect(recorded).toEqual([1, 1, 2, 2, 5]);
});

test('failure: one that keeps requesting from the same serial has that one, until it sends a later one', () => {
  for (const serial of [2, 3, 4, 5]) follow(1, serial);
  expect(recorded).toEqual([1, 2, 1, 3, 1, 1]);
  follow(5, 6);
  expect(recorded.slice(-2)).toEqual([5, 6]);
});

test('failure: one that keeps requesting whole zones is not assumed to have later ones', () => {
  for (const serial of [1, 1, 1, 2, 2, 3]) delivered(serial);
  expect(recorded).toEqual([1, 1]);
  delivered(4);
  expect(recorded).toEqual([1, 1, 4]);
});

test('success: a query for the SOA is recorded once a minute, and tells nothing about the serial', () => {
  progress.asked('signer', 'ee');
  progress.asked('signer', 'ee');
  progress.asked('signer', 'com.ee');
  expect(recorded).toEqual(['asks', 'asks']);
});
