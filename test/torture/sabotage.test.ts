import { expect, test } from 'vitest';
import { readOptions } from '../../torture/options.ts';
import { chooseSabotage, sabotageNames } from '../../torture/sabotage/catalogue.ts';

test('success: all of it, where the machine allows it', () => {
  expect(chooseSabotage(readOptions([]).sabotage, {})).toEqual({ names: sabotageNames, skipped: {} });
});

test('success: unsupported ones are skipped, with the reason', () => {
  const { names, skipped } = chooseSabotage(['killOne', 'fillDisk', 'fillWal', 'failOver'], {
    'small disks': 'may not mount',
  });
  expect(names).toEqual(['killOne', 'failOver']);
  expect(skipped).toEqual({ fillDisk: 'may not mount', fillWal: 'may not mount' });
});

test('success: chosen by name', () => {
  const given = ['--sabotage', 'failOver, resetConnections', '--address', 'proxy', '--deadline', '2.5'];
  expect(readOptions(given)).toMatchObject({
    sabotage: ['failOver', 'resetConnections'],
    addressMode: 'proxy',
    deadlineMs: 2_500,
  });
});

test('failure: an unknown sabotage, address mode or deadline', () => {
  expect(() => readOptions(['--sabotage', 'failOver,flood'])).toThrow(
    '--sabotage knows no flood; it knows killOne,',
  );
  expect(() => readOptions(['--address', 'dns'])).toThrow('--address');
  expect(() => readOptions(['--deadline', '0'])).toThrow('--deadline');
});

test('success: by default ten failovers of each kind of standby', () => {
  const failover = (...given: string[]) => readOptions(given).failover;
  expect(failover()).toBeUndefined();
  expect(failover('--failover')).toEqual({ times: 10, standbys: ['sync', 'async'] });
  expect(failover('--failover', '3', '--standby', 'async')).toEqual({ times: 3, standbys: ['async'] });
  expect(failover('--failover', '--standby', 'sync')).toEqual({ times: 10, standbys: ['sync'] });
});

test.each([
  [['--failover', '0'], '--failover'],
  [['--failover', '1.5'], '--failover'],
  [['--failover', '--standby', 'lazy'], '--standby'],
  [['--standby', 'sync'], '--standby'],
])('failure: %j is refused', (given, named) => {
  expect(() => readOptions(given)).toThrow(named);
});
