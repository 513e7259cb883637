import os from 'node:os';
import { sharedAccounts } from '../../ledger/post.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, json, sql } from '../../platform/sql/statement.ts';
import type { Cents } from '../../platform/values/money.ts';

/** How the public reaches a registrar. */
export type PublicContact = {
  readonly phone: string | null;
  readonly abuseEmail: string | null;
  readonly abusePhone: string | null;
};
export type NewRegistrar = Partial<PublicContact> & {
  readonly code: string;
  readonly name: string;
  readonly website: string;
  readonly email: string | undefined;
};
export type RegistrarRow = {
  readonly code: string;
  readonly name: string;
  readonly website: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly abuseEmail: string | null;
  readonly abusePhone: string | null;
  readonly status: 'active' | 'suspended';
  readonly users: number;
  readonly contacts: number;
  readonly domains: number;
  readonly balance: string;
  /** What the registrar owes; spending is blocked while it is above zero. */
  readonly debt: string;
  readonly currency: string;
  /** Threshold of the low-balance notification. */
  readonly lowBalance: string | null;
  /** Amount and threshold of the automatic top-up invoice. */
  readonly topUp: string | null;
  readonly topUpAt: string | null;
  /** Whether its requests are read by the compatibility profile. */
  readonly compatibility: boolean;
};

/** Creates a registrar with its two accounts, balance and debt. False if the code is taken. */
export async function createRegistrar(
  db: Sql,
  registrar: NewRegistrar,
  currency: string,
  { actor, at, reason }: OperatorChange,
): Promise<boolean> {
  const { code, name, website, email = null, phone, abuseEmail, abusePhone } = registrar;
  const after = { code, name, website, email, phone, abuse_email: abuseEmail, abuse_phone: abusePhone };
  const rows = await db.rows(sql`
    with changed as (
      insert into registrars (code, name, website, email, phone, abuse_email, abuse_phone, created_at)
      values (${code}, ${name}, ${website}, ${email}, ${phone ?? null}, ${abuseEmail ?? null}, ${abusePhone ?? null}, ${at})
      on conflict (code) do nothing
      returning id, code as name),
    accounts as (
      insert into ledger_accounts (kind, registrar_id, currency, balance)
      select kind, id, ${currency}, 0 from changed cross join (values ('registrar'), ('debt')) as k(kind)),
    shared as (
      insert into ledger_accounts (kind, currency)
      select kind, ${currency} from unnest(${[...sharedAccounts]}::text[]) as s(kind)
      on conflict (kind, currency) where registrar_id is null do nothing)
    insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, reason, after)
    select ${at}, 'registrar', id, name, 'create', id, ${actor}, ${reason ?? null}, ${json(after)} from changed
    returning 1`);
  return rows.length === 1;
}

export type RegistrarDetails = Pick<NewRegistrar, 'name' | 'website'> &
  PublicContact & { readonly email: string | null };

/** Changes name and contact details; absent fields stay. False if there is no such registrar. */
export async function updateRegistrar(
  db: Sql,
  code: string,
  details: Partial<RegistrarDetails>,
  { actor, at, reason }: OperatorChange,
): Promise<boolean> {
  const { name = null, website = null } = details;
  const given = (field: keyof PublicContact | 'email', column: Fragment) =>
    details[field] === undefined ? sql`r.${column}` : sql`${details[field]}`;
  const columns = sql`r.id, r.name, r.website, r.email, r.phone, r.abuse_email, r.abuse_phone`;
  const rows = await db.rows(sql`
    with before as (select ${columns} from registrars r where r.code = ${code} for update),
    changed as (
      update registrars r set name = coalesce(${name}, r.name), website = coalesce(${website}, r.website),
        email = ${given('email', sql`email`)}, phone = ${given('phone', sql`phone`)},
        abuse_email = ${given('abuseEmail', sql`abuse_email`)}, abuse_phone = ${given('abusePhone', sql`abuse_phone`)}
      from before where r.id = before.id returning ${columns})
    insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, reason, before, after)
    select ${at}, 'registrar', changed.id, ${code}, 'update', changed.id, ${actor}, ${reason ?? null},
      to_jsonb(before) - 'id', to_jsonb(changed) - 'id'
    from changed join before on before.id = changed.id
    returning 1`);
  return rows.length === 1;
}

/** Sets the threshold of the low-balance notification; undefined disables it. False if there is no such registrar. */
export async function setLowBalance(
  db: Sql,
  code: string,
  threshold: Cents | undefined,
  { actor, at, reason }: OperatorChange,
): Promise<boolean> {
  const cents = threshold?.toString() ?? null;
  const rows = await db.rows(sql`
    with changed as (update registrars set low_balance = ${cents}::bigint where code = ${code} returning id, code as name)
    insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, reason, after)
    select ${at}, 'registrar', id, name, 'set low balance', id, ${actor}, ${reason ?? null}, jsonb_build_object('low_balance', ${cents}::bigint) from changed
    returning 1`);
  return rows.length === 1;
}

export type AutomaticTopUp = { readonly amount: Cents; readonly threshold: Cents };

/** Sets amount and threshold of the automatic top-up invoice; undefined disables it. False if there is no such registrar. */
export async function setTopUp(
  db: Sql,
  code: string,
  topUp: AutomaticTopUp | undefined,
  { actor, at, reason }: OperatorChange,
): Promise<boolean> {
  const [amount, threshold] = [topUp?.amount.toString() ?? null, topUp?.threshold.toString() ?? null];
  const rows = await db.rows(sql`
    with changed as (
      update registrars set top_up_amount = ${amount}::bigint, top_up_threshold = ${threshold}::bigint where code = ${code} returning id, code as name)
    insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, reason, after)
    select ${at}, 'registrar', id, name, 'set top-up', id, ${actor}, ${reason ?? null},
      jsonb_build_object('top_up_amount', ${amount}::bigint, 'top_up_at', ${threshold}::bigint) from changed
    returning 1`);
  return rows.length === 1;
}

/** Switches the compatibility profile on or off, within seconds on every server. False if there is no such registrar. */
export async function setCompatibility(
  db: Sql,
  code: string,
  compatibility: boolean,
  { actor, at, reason }: OperatorChange,
): Promise<boolean> {
  const rows = await db.rows(sql`
    with before as (select id, compatibility from registrars where code = ${code} for update),
    changed as (
      update registrars r set compatibility = ${compatibility} from before where r.id = before.id returning r.id, r.code as name)
    insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, reason, before, after)
    select ${at}, 'registrar', changed.id, name, 'set compatibility', changed.id, ${actor}, ${reason ?? null},
      jsonb_build_object('compatibility', before.compatibility), jsonb_build_object('compatibility', ${compatibility}::boolean)
    from changed join before on before.id = changed.id
    returning 1`);
  return rows.length === 1;
}

export async function suspendRegistrar(
  db: Sql,
  code: string,
  suspended: boolean,
  { actor, at, reason }: OperatorChange,
): Promise<boolean> {
  const rows = await db.rows(sql`
    with changed as (
      update registrars set suspended_at = ${suspended ? at : null} where code = ${code} returning id, code as name)
    insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, reason)
    select ${at}, 'registrar', id, name, ${suspended ? 'suspend' : 'activate'}, id, ${actor}, ${reason ?? null} from changed
    returning 1`);
  return rows.length === 1;
}

export async function listRegistrars(db: Sql, code?: string): Promise<RegistrarRow[]> {
  return db.rows(sql<RegistrarRow>`
    select r.code, r.name, r.website, r.email, r.phone,
      r.abuse_email as "abuseEmail", r.abuse_phone as "abusePhone", case when r.suspended_at is null then 'active' else 'suspended' end as status,
      (select count(*) from api_users u where u.registrar_id = r.id) as users,
      (select count(*) from contacts c where c.registrar_id = r.id) as contacts,
      (select count(*) from domains d where d.registrar_id = r.id) as domains,
      to_char(a.balance / 100.0, 'FM999999999999990.00') as balance, to_char(owed.balance / 100.0, 'FM999999999999990.00') as debt, a.currency,
      to_char(r.low_balance / 100.0, 'FM999999999999990.00') as "lowBalance",
      to_char(r.top_up_amount / 100.0, 'FM999999999999990.00') as "topUp", to_char(r.top_up_threshold / 100.0, 'FM999999999999990.00') as "topUpAt",
      r.compatibility
    from registrars r join ledger_accounts a on a.registrar_id = r.id and a.kind = 'registrar'
      join ledger_accounts owed on owed.registrar_id = r.id and owed.kind = 'debt'
    where ${code ?? null}::text is null or r.code = ${code ?? null}
    order by r.code`);
}

/** Details of a registrar on its invoices, besides name and e-mail address. */
export type InvoiceDetails = {
  readonly country: string | null;
  readonly registryCode: string | null;
  readonly vatNumber: string | null;
  readonly street: string | null;
  readonly city: string | null;
  readonly postalCode: string | null;
  /** The customer code in the accounting service. */
  readonly customerCode: string | null;
};

/** Replaces all details. False if there is no such registrar. */
export async function setInvoiceDetails(
  db: Sql,
  code: string,
  details: InvoiceDetails,
  { actor, at, reason }: OperatorChange,
): Promise<boolean> {
  const rows = await db.rows(sql`
    with registrar as (select id, code as name from registrars where code = ${code}),
    changed as (
      insert into registrar_invoice_details (registrar_id, country, registry_code, vat_number, street, city, postal_code, customer_code)
      select id, ${details.country}, ${details.registryCode}, ${details.vatNumber}, ${details.street}, ${details.city}, ${details.postalCode}, ${details.customerCode}
      from registrar
      on conflict (registrar_id) do update set country = excluded.country, registry_code = excluded.registry_code, vat_number = excluded.vat_number,
        street = excluded.street, city = excluded.city, postal_code = excluded.postal_code, customer_code = excluded.customer_code
      returning registrar_id as id)
    insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, reason, after)
    select ${at}, 'registrar', id, name, 'set invoice details', id, ${actor}, ${reason ?? null}, ${json(details)}
    from registrar join changed using (id) returning 1`);
  return rows.length === 1;
}

/** A change by an operator: who, when and, if relevant, why. */
export type OperatorChange = {
  readonly actor: string;
  readonly at: Date;
  readonly reason?: string | undefined;
  /** Of the request by which a person changed it in the console. */
  readonly requestId?: string | undefined;
  /** Only what belongs to this registrar is changed: a person has no right to more. */
  readonly registrarId?: number | undefined;
};

/** The operator at the terminal, as recorded in history. */
export const operatorName = (): string => `operator:${os.userInfo().username}`;
