import { expect, test } from 'vitest';
import { readOptions } from '../../torture/options.ts';
import { chooseSabotage, sabotageNames } from '../../torture/sabotage/catalogue.ts';

test('success: all of it, where the machine allows it', () => {
  expect(chooseSabotage(readOptions([]).sabotage, {})).toEqual({ names: sabotageNames, skipped: {} });
});

test('success: what the machine does not allow is skipped, with the reason', () => {
  const { names, skipped } = chooseSabotage(['killOne', 'fillDisk', 'fillWal', 'failOver'], {
    'small disks': 'may not mount',
  });
  expect(names).toEqual(['killOne', 'failOver']);
  expect(skipped).toEqual({ fillDisk: 'may not mount', fillWal: 'may not mount' });
});

test('success: chosen by name', () => {
  const given = ['--sabotage', 'failOver, resetConnections', '--address', 'proxy', '--deadline', '2.5'];
  expect(readOptions(given)).toMatchObject({
    ...{ sabotage: ['failOver', 'resetConnections'], addressMode: 'proxy', deadlineMs: 2_500 },
  });
});

test('failure: a sabotage, an address or a deadline that there is not', () => {
  expect(() => readOptions(['--sabotage', 'failOver,flood'])).toThrow(
    '--sabotage knows no flood; it knows killOne,',
  );
  expect(() => readOptions(['--address', 'dns'])).toThrow('--address');
  expect(() => readOptions(['--deadline', '0'])).toThrow('--deadline');
});
