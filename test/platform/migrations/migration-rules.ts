import { type Migration, type Release, releaseBefore } from '../../../src/platform/migrations/migration.ts';
import type { RecordedLocks } from '../../../src/platform/migrations/recorded-locks.ts';
import { checkOnlineStatements } from '../../../src/platform/migrations/online-migration.ts';
import { type ScriptStatement, splitAtCommas, splitStatements } from '../../../src/platform/sql/sql-text.ts';

/** What programs of the release before may still use: dropped or renamed, or refused by a narrower rule. */
const BREAKING = [
  /^drop (?!index concurrently)/,
  /^drop index concurrently/,
  /^alter \S+ .* rename to /,
  /^create unique index/,
  /^create (or replace )?(constraint )?trigger/,
  /^(truncate|revoke) /,
];
const BREAKING_ACTIONS = [
  /^(rename|drop) /,
  /^alter (column )?\S+ ((set data )?type|set not null|drop default)/,
  /^add (constraint|check|unique|primary key|foreign key|exclude)/,
  /^add (column )?(?!.*\bdefault\b).*\bnot null\b/,
];
const REMOVES = /^-- removes: \S.*, unused since (\S+)$/m;
const COMPATIBLE = /^-- compatible: \S/m;
const SMALL_TABLE = /^-- small-table: \S/m;
const HOLDS_UP_REQUESTS: readonly string[] = [
  'SHARE',
  'SHARE ROW EXCLUSIVE',
  'EXCLUSIVE',
  'ACCESS EXCLUSIVE',
];

/** The faults of migrations that are not released yet; see docs/contribute/migrations.md. */
export function checkMigrations(
  migrations: readonly Migration[],
  releases: readonly Release[],
  recorded: RecordedLocks,
): string[] {
  const [first] = releases;
  const created = new Map<string, number>();
  return migrations
    .filter(({ version }) => first !== undefined && version > first.schema)
    .flatMap((migration) => {
      const statements = splitStatements(migration.text);
      const locks = recorded[migration.version] ?? [];
      for (const name of locks.flatMap(({ creates = [] }) => creates)) created.set(name, migration.version);
      const since = releaseBefore(migration.version, releases)?.schema ?? 0;
      const isNew = (table: string) => (created.get(table) ?? 0) > since;
      return [
        ...checkCompatibility(migration, statements, releases, isNew),
        ...(migration.isOnline ? checkOnline(migration) : checkLocks(migration, statements, locks, isNew)),
      ].map((fault) => `${migration.version}: ${fault}`);
    });
}

type IsNew = (table: string) => boolean;

function checkCompatibility(
  { version, text, minProgramSchema = 0 }: Migration,
  statements: readonly ScriptStatement[],
  releases: readonly Release[],
  isNew: IsNew,
): string[] {
  const breaking = statements.filter(({ skeleton }) => isBreaking(skeleton, isNew));
  if (minProgramSchema > version) return ['excludes programs that know it'];
  if (breaking.length === 0 || minProgramSchema === version || COMPATIBLE.test(text)) return [];
  const since = REMOVES.exec(text)?.[1];
  if (since === undefined) return breaking.map(({ skeleton }) => `breaks the release before: ${skeleton}`);
  const release = releases.find((one) => one.version === since);
  return release !== undefined && release.schema < version
    ? []
    : [`removes what was unused since ${since}, which is no release before it`];
}

function isBreaking(skeleton: string, isNew: IsNew): boolean {
  const [, table = '', actions = ''] = /^alter table (?:only )?(\S+) (.+)$/.exec(skeleton) ?? [];
  if (table !== '')
    return (
      !isNew(table) &&
      splitAtCommas(actions).some((action) => BREAKING_ACTIONS.some((breaking) => breaking.test(action)))
    );
  const on = / on (?:only )?([a-z0-9_]+)/.exec(skeleton)?.[1];
  return BREAKING.some((breaking) => breaking.test(skeleton)) && !(on !== undefined && isNew(on));
}

const checkOnline = (migration: Migration): string[] =>
  checkOnlineStatements(migration).map((statement) => `cannot be resumed: ${statement}`);

/** While requests wait, only the catalogue is changed. */
function checkLocks(
  { text }: Migration,
  statements: readonly ScriptStatement[],
  recorded: RecordedLocks[string],
  isNew: IsNew,
): string[] {
  if (SMALL_TABLE.test(text)) return [];
  return statements
    .filter((_statement, index) =>
      recorded[index]?.locks.some(
        ({ table, lock, work }) =>
          HOLDS_UP_REQUESTS.includes(lock) && ['scan', 'index', 'rewrite'].includes(work) && !isNew(table),
      ),
    )
    .map(({ skeleton }) => `makes requests wait for more than the catalogue: ${skeleton}`);
}
