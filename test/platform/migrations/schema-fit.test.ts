import { describe, expect, test } from 'vitest';
import {
  type Migration,
  migrationOf,
  type Release,
  releaseBefore,
} from '../../../src/platform/migrations/migration.ts';
import { compareSchema } from '../../../src/platform/migrations/schema-fit.ts';

const RELEASES: readonly Release[] = [
  { version: '1.0', schema: 10 },
  { version: '1.1', schema: 12 },
  { version: '1.2', schema: 15 },
];

const migration = (version: number, text = 'select 1', releases = RELEASES): Migration =>
  migrationOf({ version, name: `m${version}`, text, isOnline: false }, releases);

/** A program with the migrations up to the schema of a release, and a database with those up to a version. */
const program = (newest: number) => ({
  migrations: Array.from({ length: newest }, (_, index) => migration(index + 1)),
  oldest: releaseBefore(newest, RELEASES)?.schema ?? newest,
});
const database = (newest: number, ...declared: readonly Migration[]) => {
  const changed = new Map(declared.map((one) => [one.version, one]));
  return program(newest).migrations.map((one) => {
    const { version, name, checksum, minProgramSchema = null } = changed.get(one.version) ?? one;
    return { version, name, checksum, minProgramSchema };
  });
};

describe('a program and the schema of a database', () => {
  test.each([
    ['its own', 12, 12],
    ['of the release before', 12, 10],
    ['between the release before and its own', 12, 11],
    ['of the release after', 12, 15],
    ['between its own and the release after', 12, 13],
  ])('success: it runs on a schema %s', (_which, own, found) => {
    expect(compareSchema(database(found), program(own)).fault).toBeUndefined();
  });

  test.each([
    ['before the release before', 15, 11, /migration 12 \(m12\) is missing; run cadastre migrate first/],
    ['after the release after', 10, 15, /has migration 13 \(m13\), and this program cannot run after it/],
  ])('failure: a schema %s', (_which, own, found, fault) => {
    expect(compareSchema(database(found), program(own)).fault).toMatch(fault);
  });

  test('failure: an adjacent schema whose migration excludes it, or does not state its compatibility', () => {
    const excluding = migration(14, '-- min-program-schema: 14\ndrop table x');
    expect(compareSchema(database(15, excluding), program(12)).fault).toMatch(/has migration 14/);
    expect(compareSchema(database(13), program(12)).fault).toBeUndefined();
    const silent = migration(13, 'select 1', []);
    expect(compareSchema(database(13, silent), program(12)).fault).toMatch(/has migration 13/);
  });

  test('failure: a gap in what the release before had', () => {
    const applied = database(15).filter(({ version }) => version !== 7);
    expect(compareSchema(applied, program(15)).fault).toMatch(/migration 7 \(m7\) is missing/);
  });
});
