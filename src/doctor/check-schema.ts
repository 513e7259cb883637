import { type Catalogue, readCatalogue, readExpectedCatalogue } from '../platform/migrations/catalogue.ts';
import { examineSchema } from '../platform/migrations/schema-fit.ts';
import { type DatabaseCheck, type Finding, ok, problem } from './check.ts';

const KINDS = {
  tables: 'tables',
  indexes: 'indexes',
  constraints: 'constraints',
  triggers: 'triggers',
  functions: 'functions',
} as const satisfies Partial<Record<keyof Catalogue, string>>;
const MAX_NAMES = 10;

/** Whether somebody took away what migrations made, or what the application may do with it. */
export const schemaCheck: DatabaseCheck = {
  name: 'schema',
  async examine({ sql: db }) {
    const { pending, unknown } = await examineSchema(db);
    // The catalogue is that of the newest migration; another schema is reported with the database.
    if (pending.length > 0 || unknown.length > 0) return [];
    const found = compareCatalogues(readExpectedCatalogue(), await readCatalogue(db));
    return found.length > 0
      ? found
      : [ok('tables, indexes, triggers and rights are as the migrations made them')];
  },
};

export function compareCatalogues(expected: Catalogue, found: Catalogue): Finding[] {
  const missing = (kind: keyof Catalogue) => {
    const present = new Set(found[kind]);
    return expected[kind].filter((name) => !present.has(name));
  };
  const objects = Object.entries(KINDS).flatMap(([kind, word]) => {
    const names = missing(kind as keyof typeof KINDS);
    return names.length === 0
      ? []
      : [
          problem(
            `These ${word} are missing, or do not work: ${listed(names)}.`,
            'Somebody removed or disabled them. Restore them as the migrations define them; see docs/schema.txt of this version.',
          ),
        ];
  });
  const rights = missing('rights');
  if (rights.length === 0) return objects;
  return [
    ...objects,
    problem(`cadastre_app may not ${listed(rights)}.`, `Grant it as the owner: ${grants(rights)}`),
  ];
}

const listed = (names: readonly string[]): string =>
  names.length > MAX_NAMES
    ? `${names.slice(0, MAX_NAMES).join(', ')} and ${names.length - MAX_NAMES} more`
    : names.join(', ');

/** A right of a column is `update on table.column`. */
const grants = (rights: readonly string[]): string =>
  rights
    .slice(0, MAX_NAMES)
    .map((right) => {
      const [privilege, , object = ''] = right.split(' ');
      const [table, column] = object.split('.');
      return `grant ${privilege}${column === undefined ? '' : ` (${column})`} on ${table} to cadastre_app;`;
    })
    .join(' ');
