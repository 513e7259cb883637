import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Sql } from '../sql/executor.ts';
import { sql } from '../sql/statement.ts';

/**
 * What the migrations make and the product relies on, by name: the words of definitions differ between versions of
 * PostgreSQL. What does not work (an invalid index, a disabled trigger) counts as missing.
 */
export type Catalogue = {
  readonly tables: readonly string[];
  readonly indexes: readonly string[];
  readonly constraints: readonly string[];
  readonly triggers: readonly string[];
  readonly functions: readonly string[];
  /** Of the application's role. */
  readonly rights: readonly string[];
};

const FILE = path.join(import.meta.dirname, '../../../migrations/catalogue.json');

/** Of the newest migration. */
export const readExpectedCatalogue = (): Catalogue => JSON.parse(readFileSync(FILE, 'utf8')) as Catalogue;

export const readCatalogue = (db: Sql): Promise<Catalogue> =>
  db.one(sql<Catalogue>`
    with tables as (
      select oid, relname::text collate "C" as name, relacl from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')),
    granted as (
      select t.name, lower(g.privilege_type) as privilege from tables t, aclexplode(t.relacl) g where g.grantee = 'cadastre_app'::regrole
      union
      select t.name || '.' || a.attname, lower(g.privilege_type) from tables t join pg_attribute a on a.attrelid = t.oid, aclexplode(a.attacl) g
      where g.grantee = 'cadastre_app'::regrole)
    select array(select name from tables order by name) as tables,
      array(select c.relname::text collate "C" from pg_index i join tables t on t.oid = i.indrelid join pg_class c on c.oid = i.indexrelid
        where i.indisvalid order by 1) as indexes,
      array(select (t.name || '.' || c.conname) collate "C" from pg_constraint c join tables t on t.oid = c.conrelid
        where c.contype in ('c', 'f', 'p', 'u', 'x') and c.convalidated order by 1) as constraints,
      array(select (t.name || '.' || g.tgname) collate "C" from pg_trigger g join tables t on t.oid = g.tgrelid
        where not g.tgisinternal and g.tgenabled in ('O', 'A') order by 1) as triggers,
      array(select distinct proname::text collate "C" from pg_proc where pronamespace = 'public'::regnamespace order by 1) as functions,
      array(select (privilege || ' on ' || name) collate "C" from granted order by 1) as rights`);
