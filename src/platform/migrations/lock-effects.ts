import { type ScriptStatement, splitAtCommas } from '../sql/sql-text.ts';

/** From the weakest to the strongest. */
export const LOCK_MODES = [
  'ACCESS SHARE',
  'ROW SHARE',
  'ROW EXCLUSIVE',
  'SHARE UPDATE EXCLUSIVE',
  'SHARE',
  'SHARE ROW EXCLUSIVE',
  'EXCLUSIVE',
  'ACCESS EXCLUSIVE',
] as const;
export type LockMode = (typeof LOCK_MODES)[number];

/** What is done while the lock is held: only the catalogue changes, or the table is read, rewritten or indexed. */
export type TableWork = 'catalogue' | 'rows' | 'scan' | 'index' | 'rewrite';

/** A lock on a table, on the table of an index, or on the tables that foreign keys reference. */
export type LockEffect = {
  readonly lock: LockMode;
  readonly work: TableWork;
} & (
  | { readonly table: string }
  | { readonly index: string }
  | { readonly referencedBy: string; readonly constraint?: string; readonly column?: string }
);

/** The effects of a statement; undefined if its kind is unknown. */
export type StatementEffects = {
  readonly locks: readonly LockEffect[];
  /** Nobody can wait for a relation that is created by the same upgrade. */
  readonly creates?: string;
};

type Reader = (skeleton: string, ...names: string[]) => StatementEffects | undefined;
const NOTHING: StatementEffects = { locks: [] };
const on = (table: string, lock: LockMode, work: TableWork = 'catalogue'): StatementEffects => ({
  locks: [{ table, lock, work }],
});
/** Locks on the tables that a definition references, which must not lose rows meanwhile. */
const referenced = (definition: string, work: TableWork = 'catalogue'): LockEffect[] =>
  Array.from(definition.matchAll(/\breferences ([\w$."]+)/g), ([, table = '']) => ({
    table,
    lock: 'SHARE ROW EXCLUSIVE',
    work,
  }));

const STATEMENTS: readonly (readonly [RegExp, Reader])[] = [
  [/^create table (?:if not exists )?([\w$."]+)/, (all, name) => ({ creates: name, locks: referenced(all) })],
  [
    /^create (?:unique )?index concurrently (?:if not exists )?([\w$."]+) on (?:only )?([\w$."]+)/,
    (_all, _index, table) => on(table, 'SHARE UPDATE EXCLUSIVE', 'index'),
  ],
  [
    /^create (?:unique )?index (?:if not exists )?([\w$."]+) on (?:only )?([\w$."]+)/,
    (_all, _index, table) => on(table, 'SHARE', 'index'),
  ],
  [
    /^drop index concurrently (?:if exists )?([\w$."]+)$/,
    (_all, index) => ({ locks: [{ index, lock: 'SHARE UPDATE EXCLUSIVE', work: 'catalogue' }] }),
  ],
  [
    /^drop index (?:if exists )?([\w$."]+)$/,
    (_all, index) => ({ locks: [{ index, lock: 'ACCESS EXCLUSIVE', work: 'catalogue' }] }),
  ],
  // Only the index is locked, in a mode that no request conflicts with.
  [/^alter index ([\w$."]+) rename to/, () => NOTHING],
  [
    /^drop table (?:if exists )?([\w$."]+)$/,
    (_all, table) => ({
      locks: [
        { table, lock: 'ACCESS EXCLUSIVE', work: 'catalogue' },
        { referencedBy: table, lock: 'ACCESS EXCLUSIVE', work: 'catalogue' },
      ],
    }),
  ],
  [
    /^alter table (?:if exists )?(?:only )?([\w$."]+) (.+)$/,
    (_all, table, actions) => alterTable(table, actions),
  ],
  [
    /^create (?:or replace )?(?:constraint )?trigger ([\w$."]+) .*? on ([\w$."]+)/,
    (_all, _trigger, table) => on(table, 'SHARE ROW EXCLUSIVE'),
  ],
  [
    /^drop trigger (?:if exists )?([\w$."]+) on ([\w$."]+)/,
    (_all, _trigger, table) => on(table, 'ACCESS EXCLUSIVE'),
  ],
  [/^truncate (?:table )?([\w$."]+)$/, (_all, table) => on(table, 'ACCESS EXCLUSIVE')],
  [/^comment on (?:table|column) ([\w$."]+)/, (all, name) => comment(all, name)],
  [/^analyze ([\w$."]+)/, (_all, table) => on(table, 'SHARE UPDATE EXCLUSIVE', 'scan')],
  [
    /^(?:insert into|update|delete from) (?:only )?([\w$."]+)/,
    (_all, table) => on(table, 'ROW EXCLUSIVE', 'rows'),
  ],
  // A statement with parts of its own may write several tables.
  [
    /^with /,
    (all) => {
      const written = Array.from(
        all.matchAll(/\b(?:insert into|update|delete from) (?:only )?([\w$."]+)/g),
        ([, table = '']): LockEffect => ({ table, lock: 'ROW EXCLUSIVE', work: 'rows' }),
      );
      return written.length > 0 ? { locks: written } : undefined;
    },
  ],
  [
    /^lock table ([\w$."]+) in ([a-z ]+) mode$/,
    (_all, table, mode) =>
      on(table, LOCK_MODES.find((known) => known.toLowerCase() === mode) ?? 'ACCESS EXCLUSIVE'),
  ],
  [/^(create (or replace )?|alter |drop )(function|type|role|schema|sequence) /, () => NOTHING],
  [/^(grant|revoke|set local) /, () => NOTHING],
];

/** Which tables a statement locks and how; undefined if its kind is unknown. */
export function effectsOf({ skeleton }: Pick<ScriptStatement, 'skeleton'>): StatementEffects | undefined {
  for (const [expression, read] of STATEMENTS) {
    const found = expression.exec(skeleton);
    if (found) return read(skeleton, ...found.slice(1));
  }
  return undefined;
}

function comment(skeleton: string, name: string): StatementEffects {
  const table = skeleton.startsWith('comment on column') ? name.slice(0, name.lastIndexOf('.')) : name;
  return on(table, 'SHARE UPDATE EXCLUSIVE');
}

type Action = { readonly lock: LockMode; readonly work: TableWork; readonly others?: readonly LockEffect[] };
const full = (work: TableWork = 'catalogue'): Action => ({ lock: 'ACCESS EXCLUSIVE', work });

/** The actions of one statement run under the strongest of their locks. */
function alterTable(table: string, actions: string): StatementEffects | undefined {
  const read = splitAtCommas(actions).map((action) => actionOf(table, action));
  if (!read.every((action) => action !== undefined)) return undefined;
  const strongest = (lock: LockMode) => LOCK_MODES.indexOf(lock);
  const order: readonly TableWork[] = ['catalogue', 'rows', 'scan', 'index', 'rewrite'];
  const lock = read.map((action) => action.lock).sort((a, b) => strongest(b) - strongest(a))[0];
  const work = read.map((action) => action.work).sort((a, b) => order.indexOf(b) - order.indexOf(a))[0];
  if (lock === undefined || work === undefined) return undefined;
  return { locks: [{ table, lock, work }, ...read.flatMap(({ others = [] }) => others)] };
}

function actionOf(table: string, action: string): Action | undefined {
  const dropped = /^drop constraint (?:if exists )?([\w$."]+)/.exec(action)?.[1];
  if (dropped !== undefined)
    return { ...full(), others: [{ referencedBy: table, constraint: dropped, ...full() }] };
  if (/^add (constraint |check|foreign key|unique|primary key|exclude)/.test(action))
    return addConstraint(action);
  const column = /^drop (?:column )?(?:if exists )?([\w$."]+)/.exec(action)?.[1];
  if (column !== undefined) return { ...full(), others: [{ referencedBy: table, column, ...full() }] };
  if (/^add /.test(action)) return addColumn(action);
  if (/^validate constraint /.test(action)) return { lock: 'SHARE UPDATE EXCLUSIVE', work: 'scan' };
  if (/^rename /.test(action)) return full();
  if (/^alter (column )?\S+ (set data )?type /.test(action)) return full('rewrite');
  if (/^alter (column )?\S+ set not null$/.test(action)) return full('scan');
  if (/^alter (column )?\S+ (set default|drop default|drop not null)/.test(action)) return full();
  if (/^alter (column )?\S+ set statistics /.test(action) || /^set \(/.test(action))
    return { lock: 'SHARE UPDATE EXCLUSIVE', work: 'catalogue' };
  if (/^(enable|disable) trigger /.test(action)) return { lock: 'SHARE ROW EXCLUSIVE', work: 'catalogue' };
  return undefined;
}

/** A default that is not a constant, an identity or a stored expression has to be computed for every row. */
function addColumn(action: string): Action {
  const isComputed = /\bgenerated |\b(big|small)?serial\b|\bdefault (?!(true|false|null)\b|''|-?\d)/.test(
    action,
  );
  const isIndexed = /\b(unique|primary key)\b/.test(action);
  const isChecked = /\bcheck ?\(/.test(action) || (/\breferences /.test(action) && /\bdefault /.test(action));
  const work = isComputed ? 'rewrite' : isIndexed ? 'index' : isChecked ? 'scan' : 'catalogue';
  return { ...full(work), others: referenced(action, isChecked ? 'scan' : 'catalogue') };
}

function addConstraint(action: string): Action | undefined {
  const definition = action.replace(/^add (?:constraint ([\w$."]+) )?/, '');
  const work = / not valid$/.test(definition) ? 'catalogue' : 'scan';
  if (definition.startsWith('foreign key'))
    return { lock: 'SHARE ROW EXCLUSIVE', work, others: referenced(definition, work) };
  if (definition.startsWith('check')) return full(work);
  if (/^(unique|primary key) using index/.test(definition)) return full();
  return /^(unique|primary key|exclude)/.test(definition) ? full('index') : undefined;
}
