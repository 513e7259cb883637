-- Lists of the registrars' console by status. Most domains have no stored status, so both indexes are small.
create index concurrently domains_needing_attention on domains (registrar_id, name, id)
where statuses ?| array[
  'expired', 'clientHold', 'serverHold', 'serverForceDelete', 'deleteCandidate',
  'pendingCreate', 'pendingDelete', 'pendingDeleteConfirmation', 'pendingRenew', 'pendingTransfer', 'pendingUpdate'];
create index concurrently domains_with_status on domains (registrar_id, name, id) where statuses <> '{}';
