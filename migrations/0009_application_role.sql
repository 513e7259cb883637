-- The role that the product works as. It can add to history and ledger, never change or remove what stands there.
do $$
begin
  if not exists (select from pg_roles where rolname = 'cadastre_app') then
    create role cadastre_app nologin;
  end if;
exception when duplicate_object or unique_violation then
  null; -- roles belong to the whole server: another database made it meanwhile
end
$$;
do $$
begin
  if not pg_has_role(current_user, 'cadastre_app', 'MEMBER') then
    execute format('grant cadastre_app to %I', current_user);
  end if;
end
$$;

grant usage on schema public to cadastre_app;
grant select, insert, update, delete on all tables in schema public to cadastre_app;
revoke update, delete on history, ledger_entries from cadastre_app;
revoke insert, update, delete on schema_migrations from cadastre_app;
revoke insert, update, delete on installation from cadastre_app;
grant update (maintenance_since, maintenance_reason) on installation to cadastre_app;
