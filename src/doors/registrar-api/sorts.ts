import { withDescending } from '../../platform/paging/order.ts';

/** The orders of lists by their names here, and what the registry calls them. */
export const DOMAIN_SORTS = withDescending({
  name: 'name',
  created_at: 'createdAt',
  expire_time: 'expireTime',
});

export const CONTACT_SORTS = withDescending({
  code: 'code',
  name: 'name',
  created_at: 'createdAt',
});

export const namesOf = <Name extends string>(sorts: Readonly<Record<Name, string>>): Name[] =>
  Object.keys(sorts) as Name[];
