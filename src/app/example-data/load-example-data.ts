import type { LoadedExample } from '../../doors/sandbox/example-data.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { WebhookSettings } from '../../registry/webhooks/known-webhooks.ts';
import { exampleContacts, FIRST_CUSTOMER, NEWEST_CUSTOMER } from './example-contacts.ts';
import { exampleNames } from './example-names.ts';
import type { ExampleWorld } from './example-registrar.ts';
import { liveThroughYear } from './example-year.ts';

export type ExampleDependencies = ExampleWorld & {
  readonly webhooks: WebhookSettings;
  /** Where the sandbox catches webhooks, and where it refuses them. */
  readonly receivers: () => { readonly catches: string; readonly fails: string };
};

/** Something stands in the way; the text says what. */
export class ExampleImpossible extends Error {
  override name = 'ExampleImpossible';
}

const EXAMPLE_REGISTRAR = 'ALPHA';

/** Fills the sandbox with a year of a registrar, once. The clock moves ahead by that year. */
export async function loadExampleData(parts: ExampleDependencies): Promise<LoadedExample> {
  const state = await readExampleState(parts);
  if (state === 'begun')
    throw new ExampleImpossible('Loading the example data was interrupted before. Reset the sandbox first.');
  if (state === 'absent') {
    await requireUntaken(parts);
    await liveThroughYear(parts);
  }
  const counts = await countObjects(parts);
  return {
    status: state === 'loaded' ? 'already loaded' : 'loaded',
    registrar: EXAMPLE_REGISTRAR,
    ...counts,
  };
}

/** The newest customer is created last. History is never changed, so what is done to the data later changes nothing. */
async function readExampleState({
  billing: { database },
}: Pick<ExampleWorld, 'billing'>): Promise<'absent' | 'begun' | 'loaded'> {
  const rows = await database.reads.rows(sql<{ name: string }>`
    select object_name as name from history
    where object_kind = 'contact' and object_name in (${FIRST_CUSTOMER}, ${NEWEST_CUSTOMER}) and request_id like 'example-%'`);
  const created = new Set(rows.map(({ name }) => name));
  if (created.has(NEWEST_CUSTOMER)) return 'loaded';
  return created.has(FIRST_CUSTOMER) ? 'begun' : 'absent';
}

/** Somebody who has tried the sandbox out may have used a name of the example. */
async function requireUntaken({ billing: { database } }: ExampleWorld): Promise<void> {
  const codes = exampleContacts.map(({ code }) => code ?? '');
  const [taken] = await database.reads.rows(sql<{ name: string }>`
    select name from domains where name = any(${exampleNames}::text[])
    union all select code from contacts where code_key = any(${codes}::text[]) limit 1`);
  if (taken)
    throw new ExampleImpossible(`${taken.name} is taken, which the example needs. Reset the sandbox first.`);
}

function countObjects({ billing: { database } }: ExampleWorld) {
  return database.reads.one(sql<{ domains: number; contacts: number }>`
    select (select count(*)::int from domains d where d.registrar_id = r.id) as domains,
      (select count(*)::int from contacts c where c.registrar_id = r.id) as contacts
    from registrars r where r.code = ${EXAMPLE_REGISTRAR}`);
}
