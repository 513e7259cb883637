import type { Domain, ForceDelete } from './domain.ts';
import { type DomainStatus, withoutStatus, withStatus } from './statuses.ts';

/**
 * A status by the command of registrar or operator. It is his from now on: a force delete that ends takes it along
 * no more, and gives back none that he took away meanwhile.
 */
export function withOwnStatus(
  domain: Domain,
  status: DomainStatus,
  note = domain.statuses[status] ?? '',
): Domain {
  return {
    ...domain,
    statuses: withStatus(withoutStatus(domain.statuses, status), status, note),
    forceDelete: disowned(domain.forceDelete, status),
  };
}

export function withoutOwnStatus(domain: Domain, status: DomainStatus): Domain {
  return {
    ...domain,
    statuses: withoutStatus(domain.statuses, status),
    forceDelete: disowned(domain.forceDelete, status),
  };
}

/** The force delete no longer has a say in the status. */
function disowned(forceDelete: ForceDelete | null, status: DomainStatus): ForceDelete | null {
  return (
    forceDelete && {
      ...forceDelete,
      added: forceDelete.added.filter((one) => one !== status),
      taken: withoutStatus(forceDelete.taken, status),
    }
  );
}
