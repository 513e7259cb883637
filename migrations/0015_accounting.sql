-- Invoices as documents for others: the accounting service and the operator of e-invoices.

-- Who a registrar is on a document, beyond his name.
create table registrar_invoice_details (
  registrar_id bigint primary key references registrars,
  country text check (country ~ '^[A-Z]{2}$'),
  registry_code text check (registry_code <> '' and char_length(registry_code) <= 15),
  vat_number text check (vat_number <> '' and char_length(vat_number) <= 15),
  street text check (street <> '' and char_length(street) <= 100),
  city text check (city <> '' and char_length(city) <= 100),
  postal_code text check (postal_code <> '' and char_length(postal_code) <= 10),
  -- under which the accounting service knows him; his registrar code where there is none
  customer_code text check (customer_code <> '' and char_length(customer_code) <= 32)
);

-- Every request to send an invoice to one of the two, and what became of it.
create table invoice_exports (
  id bigint generated always as identity primary key,
  invoice_number bigint not null references invoices,
  target text not null check (target in ('accounting', 'einvoice')),
  state text not null check (state in ('waiting', 'accepted', 'rejected')),
  -- what the caller told of the buyer and wished of the document
  details jsonb not null check (jsonb_typeof(details) = 'object'),
  -- the message that carries the document; none for what an older system or a person has brought there
  delivery_id uuid references deliveries,
  requested_at timestamptz not null,
  actor text not null,
  answered_at timestamptz,
  reason text,
  check ((state = 'waiting') = (answered_at is null)),
  check (state <> 'waiting' or delivery_id is not null),
  check (state <> 'rejected' or reason is not null)
);
-- An invoice is on its way to a service, or there, once. What was rejected stays as it was told.
create unique index invoice_exports_standing on invoice_exports (invoice_number, target) where state <> 'rejected';
create index invoice_exports_invoice on invoice_exports (invoice_number, target, id);
create index invoice_exports_delivery on invoice_exports (delivery_id) where delivery_id is not null;
create index invoice_exports_unsettled on invoice_exports (id) where state <> 'accepted';

-- What the daily export looks through.
create index invoices_paid_top_ups on invoices (paid_at, number) where kind = 'top-up' and status = 'paid';

grant select, insert, update, delete on registrar_invoice_details to cadastre_app;
grant select, insert, update on invoice_exports to cadastre_app;
