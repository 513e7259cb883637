import { expect, test } from 'vitest';
import {
  comparePositions,
  readEventPosition,
  writeEventPosition,
} from '../../../src/registry/events/event-position.ts';

const position = (era: number, transaction: string, sequence: string) => ({ era, transaction, sequence });

test('success: a position is read as it was written', () => {
  for (const each of [
    position(1, '0', '0'),
    position(29_712_345, '7741', '41'),
    position(1, '1844674407370955161', '922337203685477580'),
  ])
    expect(readEventPosition(writeEventPosition(each))).toEqual(each);
});

test('failure: what is none', () => {
  for (const text of [
    '',
    '1',
    '1-2',
    '0-1-1',
    '1-01-1',
    '1-2-3-4',
    '1--1',
    '-1-2-3',
    'a-b-c',
    ' 1-2-3',
    '1-2-3\n',
  ])
    expect(readEventPosition(text)).toBeUndefined();
  expect(readEventPosition(`1-${'9'.repeat(20)}-1`)).toBeUndefined();
});

test('success: order by era, then by transaction, then by sequence', () => {
  const ordered = [
    position(1, '9', '900'),
    position(1, '10', '3'),
    position(1, '10', '20'),
    position(2, '1', '1'),
  ];
  expect(ordered.toReversed().toSorted(comparePositions)).toEqual(ordered);
  expect(comparePositions(position(1, '1', '1'), position(1, '1', '1'))).toBe(0);
});
